import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as binding from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifiedConnect } from '#daemon/src/operator/own-server.ts'

let directory: string
let path: string
let server: Server
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'own-'))
  path = join(directory, 'discord-ipc-0')
  server = createServer((socket) => socket.on('error', () => {}).end('hello'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(directory, { recursive: true })
})

const { signal } = new AbortController()

describe.skipIf(process.platform !== 'linux')('the connection of a command', () => {
  test('is made to a server of this user', async () => {
    const socket = await verifiedConnect(binding)(path, signal)
    expect(String((await socket.toArray())[0])).toBe('hello')
  })

  test('is not made to a server of another user, even if the file belongs to this user', async () => {
    const connect = verifiedConnect(binding, 4_000_000)
    await expect(connect(path, signal)).rejects.toThrow(binding.ForeignServerError)
    await expect(connect(path, signal)).rejects.toThrow('runs as another user')
  })
})
