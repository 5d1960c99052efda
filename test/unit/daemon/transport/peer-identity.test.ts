import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { peerIdentifier } from '../../../../daemon/src/transport/peer-identity.ts'
import { fileAt } from '../../../../daemon/src/transport/program-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'peer-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Another process connects; gives what `look` makes of our end. */
async function withPeer<T>(look: (socket: Socket, childPid: number) => T): Promise<T> {
  const path = join(directory, 'p')
  const server = createServer().listen(path)
  await once(server, 'listening')
  const child = spawn(process.execPath, ['-e', `require('node:net').connect(${JSON.stringify(path)}).resume()`], { stdio: 'inherit' })
  const [socket] = (await once(server, 'connection')) as [Socket]
  try {
    return look(socket, child.pid ?? -1)
  } finally {
    socket.destroy()
    server.close()
    await once(child, 'exit')
  }
}

describe.runIf(process.platform === 'linux' || process.platform === 'darwin')('where the kernel tells', () => {
  test('it names the pid, the user and the program of the process that connected', async () => {
    const identify = peerIdentifier()
    await withPeer((socket, childPid) => {
      const executable = realpathSync(process.execPath)
      const expected = { trust: 'kernel', pid: childPid, uid: process.getuid?.(), executable, ...fileAt(executable) }
      expect(expected.file).toMatch(/^\d+:\d+:\d+:\d+$/)
      expect(identify(socket)).toEqual(expected)
      expect(identify((socket as Socket & { _handle: { fd: number } })._handle.fd)).toEqual(expected)
    })
  })

  test('one identifier keeps two peers apart', async () => {
    const identify = peerIdentifier()
    const first = await withPeer((socket) => identify(socket))
    const second = await withPeer((socket) => identify(socket))
    expect(first.pid).not.toBe(second.pid)
  })
})

test('a descriptor that is no socket proves the directory only', () => {
  expect(peerIdentifier()(0x7fff)).toEqual({ trust: 'directory' })
})

test('a system without peer credentials proves the directory only', async () => {
  const identify = peerIdentifier('win32')
  expect(await withPeer((socket) => identify(socket))).toEqual({ trust: 'directory' })
})
