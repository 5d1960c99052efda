/** Only a server of this very user is spoken to: real sockets, and another user where the test may become one. */
import { chmodSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ForeignServer, NoServer, SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dialOwnServer, ownFolder } from '../../../bindings/ts/src/own-server.ts'
import { canBeOther, OTHER_UID } from '../../support/other-user.ts'

let directory: string
let path: string
let server: Server
let heard: string
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'own-'))
  path = join(directory, 'discord-ipc-0')
  heard = ''
  server = createServer((socket) => socket.on('data', (bytes) => (heard += String(bytes))).on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(path, resolve))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await new Promise((resolve) => server.close(resolve))
  rmSync(directory, { recursive: true })
})

const { signal } = new AbortController()
const dial = () => dialOwnServer(path, signal)

describe.skipIf(process.platform === 'win32')('a server', () => {
  test('of this user is connected to', async () => {
    const socket = await dial()
    socket.destroy()
  })

  test('in a folder that others may change is not, unless the folder is sticky', async () => {
    chmodSync(directory, 0o777)
    await expect(dial()).rejects.toThrow(ForeignServer)
    chmodSync(directory, 0o1777)
    const socket = await dial()
    socket.destroy()
  })

  test('behind a link, or none at all, is none', async () => {
    const link = join(directory, 'discord-ipc-1')
    symlinkSync(path, link)
    await expect(dialOwnServer(link, signal)).rejects.toThrow('is no socket')
    const file = join(directory, 'discord-ipc-2')
    writeFileSync(file, '')
    await expect(dialOwnServer(file, signal)).rejects.toThrow('is no socket')
    await expect(dialOwnServer(join(directory, 'discord-ipc-3'), signal)).rejects.toThrow('ENOENT')
  })

  test('of another user, root included, is not spoken to, and the error of the search says so', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1)
    await expect(dial()).rejects.toThrow(ForeignServer)
    const search = SallyportClient.connect({ applicationId: '1', runtimeDir: directory })
    await expect(search).rejects.toThrow(NoServer)
    await expect(search).rejects.toThrow(`no server of this user answers: ${path} is a socket of another user of the system`)
    expect(heard).toBe('')
  })

  test.runIf(canBeOther)('whose socket another user owns is not spoken to', async () => {
    lchownSync(path, OTHER_UID, OTHER_UID)
    await expect(dial()).rejects.toThrow(ForeignServer)
  })
})

describe.skipIf(process.platform === 'win32')('the folder to look in', () => {
  test('is the named one, or one of this user alone where others may write', () => {
    expect(ownFolder(directory)).toBe(directory)
    chmodSync(directory, 0o1777)
    expect(ownFolder(directory)).toBe(join(directory, `sallyport-${process.getuid?.()}`))
    expect(ownFolder(join(directory, 'missing'))).toBe(join(directory, 'missing'))
    mkdirSync(join(directory, 'readable'), { mode: 0o755 })
    expect(ownFolder(join(directory, 'readable'))).toBe(join(directory, 'readable'))
  })
})
