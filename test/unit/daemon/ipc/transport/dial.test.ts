import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Door, dialling } from '../../../../../daemon/src/ipc/transport/dial.ts'
import type { ByteChannel } from '../../../../../daemon/src/ipc/transport/transport.ts'

const uid = process.getuid?.()

describe('dialling', () => {
  let directory: string
  let path: string
  let server: Server
  const { doorAt, dial } = dialling(process.platform, uid)

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'dial-'))
    path = join(directory, 'ipc-0')
    server = createServer((socket) => socket.pipe(socket))
    await new Promise<void>((resolve) => server.listen(path, resolve))
  })
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(directory, { recursive: true, force: true })
  })

  const nobody = { onBytes() {}, onDrain() {}, onEnd() {}, onClose() {} }

  test('reaches a server of this very user, whom the kernel names', async () => {
    const door = doorAt(path) as Door
    let link: ByteChannel | undefined
    const echoed = new Promise<string>((resolve) => {
      void dial(door, (made) => {
        link = made
        return { ...nobody, onBytes: (bytes) => resolve(bytes.toString()) }
      }).then((made) => made.write(Buffer.from('hello')))
    })
    expect(await echoed).toBe('hello')
    expect(link?.peer).toMatchObject({ trust: 'kernel', uid })
    link?.destroy()
  })

  test('hears when the server ends', async () => {
    const ended = new Promise<void>((resolve) => {
      void dial(doorAt(path) as Door, (link) => {
        setImmediate(() => link.end())
        return { ...nobody, onClose: resolve }
      })
    })
    await ended
  })

  test('knows a socket from the one that takes its place', async () => {
    const before = doorAt(path)
    expect(doorAt(path)).toEqual(before)
    await new Promise((resolve) => server.close(resolve))
    server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    expect(doorAt(path)?.file).not.toBe(before?.file)
  })

  test('rejects where nobody listens any more', async () => {
    const door = doorAt(path) as Door
    await new Promise((resolve) => server.close(resolve))
    await expect(dial(door, () => nobody)).rejects.toThrow()
    expect(doorAt(path)).toBe(undefined)
  })

  test('sees no door in files, links, and what is in a folder that others may change', () => {
    const file = join(directory, 'ipc-1')
    writeFileSync(file, '')
    expect(doorAt(file)).toBe(undefined)
    const link = join(directory, 'ipc-2')
    symlinkSync(path, link)
    expect(doorAt(link)).toBe(undefined)
    expect(doorAt(join(directory, 'missing', 'ipc-0'))).toBe(undefined)
    chmodSync(directory, 0o777)
    expect(doorAt(path)).toBe(undefined)
    chmodSync(directory, 0o1777)
    expect(doorAt(path)).toBeDefined()
  })

  test('sees no door of another user', () => {
    expect(dialling(process.platform, 4_000_000).doorAt(path)).toBe(undefined)
  })

  test('leaves a server that the kernel says is of another user', async () => {
    const door = doorAt(path) as Door
    await expect(dialling(process.platform, 4_000_000).dial(door, () => nobody)).rejects.toThrow('another user')
  })

  test('leaves a server whose socket took the place of the one that was looked at', async () => {
    const door = doorAt(path) as Door
    await new Promise((resolve) => server.close(resolve))
    server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    await expect(dial(door, () => nobody)).rejects.toThrow('became another one')
  })

  test('takes pipes as they come', () => {
    expect(dialling('win32', undefined).doorAt('\\\\.\\pipe\\discord-ipc-0')).toEqual({
      path: '\\\\.\\pipe\\discord-ipc-0',
      file: undefined,
    })
  })
})
