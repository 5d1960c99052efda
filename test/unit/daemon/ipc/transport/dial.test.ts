import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SocketEndpoint, createDialer } from '#daemon/src/ipc/transport/dial.ts'
import type { ByteChannel } from '#daemon/src/ipc/transport/transport.ts'
import { afterStep } from '#test/support/clock-step.ts'

const uid = process.getuid?.()

describe('the dialer', () => {
  let directory: string
  let path: string
  let server: Server
  const { endpointAt, connect: dial } = createDialer(process.platform, uid)

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

  /** The file system may give the new socket the inode of the old one. */
  async function replaceServer(): Promise<void> {
    await new Promise((resolve) => server.close(resolve))
    afterStep(directory)
    server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
  }

  const ignoring = { onBytes() {}, onDrain() {}, onEnd() {}, onClose() {} }

  test('connects to a server of this user, which the kernel identifies', async () => {
    const endpoint = endpointAt(path) as SocketEndpoint
    let channel: ByteChannel | undefined
    const echoed = new Promise<string>((resolve) => {
      void dial(endpoint, (made) => {
        channel = made
        return { ...ignoring, onBytes: (bytes) => resolve(bytes.toString()) }
      }).then((made) => made.write(Buffer.from('hello')))
    })
    expect(await echoed).toBe('hello')
    expect(channel?.peer).toMatchObject({ trust: 'kernel', uid })
    channel?.destroy()
  })

  test('is notified when the server ends the connection', async () => {
    const ended = new Promise<void>((resolve) => {
      void dial(endpointAt(path) as SocketEndpoint, (channel) => {
        setImmediate(() => channel.end())
        return { ...ignoring, onClose: resolve }
      })
    })
    await ended
  })

  test('distinguishes a socket from its replacement', async () => {
    const before = endpointAt(path)
    expect(endpointAt(path)).toEqual(before)
    await replaceServer()
    expect(endpointAt(path)?.file).not.toBe(before?.file)
  })

  test('rejects if no server listens any more', async () => {
    const endpoint = endpointAt(path) as SocketEndpoint
    await new Promise((resolve) => server.close(resolve))
    await expect(dial(endpoint, () => ignoring)).rejects.toThrow()
    expect(endpointAt(path)).toBe(undefined)
  })

  test('finds no endpoint in files, channels, and directories that other users can change', () => {
    const file = join(directory, 'ipc-1')
    writeFileSync(file, '')
    expect(endpointAt(file)).toBe(undefined)
    const symlink = join(directory, 'ipc-2')
    symlinkSync(path, symlink)
    expect(endpointAt(symlink)).toBe(undefined)
    expect(endpointAt(join(directory, 'missing', 'ipc-0'))).toBe(undefined)
    chmodSync(directory, 0o777)
    expect(endpointAt(path)).toBe(undefined)
    chmodSync(directory, 0o1777)
    expect(endpointAt(path)).toBeDefined()
  })

  test('finds no endpoint of another user', () => {
    expect(createDialer(process.platform, 4_000_000).endpointAt(path)).toBe(undefined)
  })

  test('disconnects from a server that the kernel attributes to another user', async () => {
    const endpoint = endpointAt(path) as SocketEndpoint
    await expect(createDialer(process.platform, 4_000_000).connect(endpoint, () => ignoring)).rejects.toThrow('another user')
  })

  test('disconnects from a server whose socket replaced the resolved one', async () => {
    const endpoint = endpointAt(path) as SocketEndpoint
    await replaceServer()
    await expect(dial(endpoint, () => ignoring)).rejects.toThrow('was replaced')
  })

  test('does not check pipes', () => {
    expect(createDialer('win32', undefined).endpointAt('\\\\.\\pipe\\discord-ipc-0')).toEqual({
      path: '\\\\.\\pipe\\discord-ipc-0',
      file: undefined,
    })
  })
})
