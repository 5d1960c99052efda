/** The client connects only to servers of this user: real sockets, and another user if the test can switch to one. */
import { chmodSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ForeignServerError, ServerNotFoundError, SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectOwnServer, ownFolder } from '#bindings/ts/src/own-server.ts'
import { canBeOther, OTHER_UID } from '#test/support/other-user.ts'

let directory: string
let path: string
let server: Server
let received: string
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'own-'))
  path = join(directory, 'discord-ipc-0')
  received = ''
  server = createServer((socket) => socket.on('data', (bytes) => (received += String(bytes))).on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(path, resolve))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await new Promise((resolve) => server.close(resolve))
  rmSync(directory, { recursive: true })
})

const { signal } = new AbortController()
const connect = () => connectOwnServer(path, signal)

describe.skipIf(process.platform === 'win32')('a server', () => {
  test('of this user is used', async () => {
    const socket = await connect()
    socket.destroy()
  })

  test('in a folder that others can write is not, unless the folder is sticky', async () => {
    chmodSync(directory, 0o777)
    await expect(connect()).rejects.toThrow(ForeignServerError)
    chmodSync(directory, 0o1777)
    const socket = await connect()
    socket.destroy()
  })

  test('behind a link, or a missing one, is not', async () => {
    const link = join(directory, 'discord-ipc-1')
    symlinkSync(path, link)
    await expect(connectOwnServer(link, signal)).rejects.toThrow('is not a socket')
    const file = join(directory, 'discord-ipc-2')
    writeFileSync(file, '')
    await expect(connectOwnServer(file, signal)).rejects.toThrow('is not a socket')
    await expect(connectOwnServer(join(directory, 'discord-ipc-3'), signal)).rejects.toThrow('ENOENT')
  })

  test('of another user, including root, is not used, and the error of the search names it', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1)
    await expect(connect()).rejects.toThrow(ForeignServerError)
    const search = SallyportClient.connect({ applicationId: '1', runtimeDir: directory })
    await expect(search).rejects.toThrow(ServerNotFoundError)
    await expect(search).rejects.toThrow(`no trusted server was found: ${path} belongs to another user of the system`)
    expect(received).toBe('')
  })

  test.runIf(canBeOther)('with a socket of another user is not used', async () => {
    lchownSync(path, OTHER_UID, OTHER_UID)
    await expect(connect()).rejects.toThrow(ForeignServerError)
  })
})

describe.skipIf(process.platform === 'win32')('the folder to look in', () => {
  test('is the given one, or a private one if others can write to it', () => {
    expect(ownFolder(directory)).toBe(directory)
    chmodSync(directory, 0o1777)
    expect(ownFolder(directory)).toBe(join(directory, `sallyport-${process.getuid?.()}`))
    expect(ownFolder(join(directory, 'missing'))).toBe(join(directory, 'missing'))
    mkdirSync(join(directory, 'readable'), { mode: 0o755 })
    expect(ownFolder(join(directory, 'readable'))).toBe(join(directory, 'readable'))
  })
})
