import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { peerIdentifier, senderOpener } from '#daemon/src/ipc/transport/peer-identity.ts'
import { SocketChannel } from '#daemon/src/ipc/transport/socket-channel.ts'
import { ended } from '#test/support/ended.ts'
import { fileAt } from '#daemon/src/identity/file-identity.ts'

const directory = mkdtempSync(join(tmpdir(), 'peer-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** A silent client; with an argument, it sends that as a response to any data. */
const SCRIPT = join(directory, 'game.mjs')
writeFileSync(
  SCRIPT,
  `import { connect } from 'node:net'
const socket = connect(process.argv[2])
socket.on('data', () => socket.write('from the game'))`,
)

/** Another process connects; returns the result of `look` for our side. The process ends after `look`. */
async function withPeer<T>(look: (socket: Socket, child: ChildProcess) => T | Promise<T>): Promise<T> {
  const path = join(directory, 'p')
  const server = createServer({ pauseOnConnect: true }).listen(path)
  await once(server, 'listening')
  const child = spawn(process.execPath, [SCRIPT, path], { stdio: 'inherit' })
  const [socket] = (await once(server, 'connection')) as [Socket]
  try {
    return await look(socket, child)
  } finally {
    socket.destroy()
    server.close()
    child.kill()
    await ended(child)
  }
}

const interpreterOf = () => {
  const executable = realpathSync(process.execPath)
  return { executable, file: fileAt(executable) }
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('it identifies the pid, the user, and the script with its interpreter', async () => {
    const identify = peerIdentifier()
    await withPeer((socket, child) => {
      // The script is older than the step of the kernel's clock.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
      onTestFinished(() => void vi.useRealTimers())
      const { process: held, ...known } = identify(socket)
      const executable = realpathSync(SCRIPT)
      const expected = { trust: 'kernel', kind: 'script', pid: child.pid, uid: process.getuid?.() }
      expect(known).toEqual({ ...expected, executable, file: fileAt(SCRIPT), interpreter: interpreterOf() })
      expect(known.file).toMatch(/^\d+:\d+:\d+:\d+:\d+$/)
      expect(held?.pid).toBe(child.pid)
      held?.release()
    })
  })

  test('one identifier distinguishes two peers', async () => {
    const identify = peerIdentifier()
    const first = await withPeer((socket) => identify(socket))
    const second = await withPeer((socket) => identify(socket))
    expect(first.pid).not.toBe(second.pid)
  })

  test('an exited process is no longer the same, even if a child of it has the connection', async () => {
    const identify = peerIdentifier()
    await withPeer(async (socket, child) => {
      const held = identify(socket).process
      expect(held?.isUnchanged()).toBe(true)
      expect(held?.read((pid) => pid)).toBe(child.pid)
      child.kill('SIGKILL')
      await ended(child)
      expect(held?.isUnchanged()).toBe(false)
      expect(held?.read((pid) => pid)).toBeUndefined()
      held?.release()
    })
  })

  test('unreadable data is undefined, and a released process is not read', async () => {
    const identify = peerIdentifier()
    await withPeer((socket) => {
      const held = identify(socket).process
      const fail = () => {
        throw new Error('no such file')
      }
      expect(held?.read(fail)).toBeUndefined()
      held?.release()
      held?.release()
      expect(held?.isUnchanged()).toBe(false)
    })
  })

  test('a script that was changed on disk is another program', async () => {
    const identify = peerIdentifier()
    await withPeer((socket) => {
      const held = identify(socket).process
      appendFileSync(SCRIPT, '\n')
      expect(held?.isUnchanged()).toBe(false)
      held?.release()
    })
  })

  test('the kernel identifies the sender of received bytes', async () => {
    const open = senderOpener()
    await withPeer(async (socket, child) => {
      const channel = new SocketChannel(socket, { trust: 'kernel' }, open)
      const senders: (number | undefined)[] = []
      const { promise, resolve } = Promise.withResolvers<string>()
      socket.on('data', (chunk) => resolve(String(chunk)))
      socket.resume()
      // Node starts to read in the next event-loop turn.
      await new Promise(setImmediate)
      const watch = channel.watchSenders((pid) => senders.push(pid))
      expect(watch?.hadUnread).toBe(false)
      socket.write('?')
      expect(await promise).toBe('from the game')
      expect(senders).toEqual([child.pid])
      watch?.stop()
      watch?.stop()
      const next = once(socket, 'data')
      socket.write('?')
      await next
      expect(senders).toHaveLength(1)
    })
  })
})

test('a descriptor that is not a socket has directory trust only', () => {
  expect(peerIdentifier()(0x7fff)).toEqual({ trust: 'directory' })
})

test('a system without peer credentials gives directory trust only', async () => {
  const identify = peerIdentifier('freebsd')
  expect(await withPeer((socket) => identify(socket))).toEqual({ trust: 'directory' })
})
