import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openTcpPeers, type ReadTable } from '../../../../daemon/src/loopback/tcp-peer.ts'

/** Another process connects, by setpriv as whom the words before say; gives what `look` makes of our end. */
async function withPeer<T>(before: readonly string[], how: string, look: (socket: Socket) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = `const socket = require('node:net').connect({ port: ${port}, ${how} }).resume(); socket.on('error', () => {})`
  const [program, ...words] = [...before, process.execPath, '-e', script]
  const child = spawn(program, words, { stdio: 'inherit' })
  const [socket] = (await once(server, 'connection')) as [Socket]
  try {
    return await look(socket)
  } finally {
    socket.destroy()
    server.close()
    await once(child, 'exit')
  }
}

const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
/** Only root can run a program as another user. */
const isRoot = process.getuid?.() === 0

describe.runIf(process.platform === 'linux')('where the system lists who owns a connection', () => {
  test.each([
    ['an IPv4 socket', `host: '127.0.0.1'`],
    ['another address of loopback', `host: '127.0.0.1', localAddress: '127.0.0.2'`],
    ['an IPv6 socket', `host: '::ffff:127.0.0.1'`],
  ])('a program of this user is known, by %s', async (_what, how) => {
    const peers = await openTcpPeers()
    expect(peers.areKnown).toBe(true)
    expect(await withPeer([], how, (socket) => peers.ownerOf(socket))).toBe('this-user')
  })

  test.skipIf(!isRoot).each([
    ['an IPv4 socket', `host: '127.0.0.1'`],
    ['an IPv6 socket', `host: '::ffff:127.0.0.1'`],
  ])('a program of another user is known, by %s', async (_what, how) => {
    const peers = await openTcpPeers()
    expect(await withPeer(NOBODY, how, (socket) => peers.ownerOf(socket))).toBe('another-user')
  })

  test.skipIf(!isRoot)('root is taken for this user, and another user is not', async () => {
    const peers = await openTcpPeers(undefined, 65534)
    expect(await withPeer([], `host: '127.0.0.1'`, (socket) => peers.ownerOf(socket))).toBe('this-user')
    expect(await withPeer(NOBODY, `host: '127.0.0.1'`, (socket) => peers.ownerOf(socket))).toBe('this-user')
    const others = await openTcpPeers(undefined, 5)
    expect(await withPeer(NOBODY, `host: '127.0.0.1'`, (socket) => others.ownerOf(socket))).toBe('another-user')
  })

  test('who asked and closed is nobody that is known, though the list says root', async () => {
    const peers = await openTcpPeers()
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const child = spawn(process.execPath, [
      '-e',
      `require('node:net').connect(${port}, '127.0.0.1', function () { this.end('a'); this.destroySoon() })`,
    ])
    const [socket] = (await once(server, 'connection')) as [Socket]
    // Its socket outlives it, as long as our end is open.
    await once(child, 'exit')
    expect(await peers.ownerOf(socket)).toBe('another-user')
    socket.destroy()
    server.close()
  })
})

/** Lists what a table says of us at the start, and then what each further read gives. */
const scripted = (...later: readonly (string | Error)[]): ReadTable & { reads: number } => {
  const read = async () => {
    const one = later[Math.min(read.reads++ - 1, later.length - 1)]
    if (read.reads === 1) return readFileSync('/proc/net/tcp', 'latin1')
    if (one instanceof Error) throw one
    return one ?? ''
  }
  read.reads = 0
  return read
}
const row = (uid: number, inode: number) =>
  `   2: 0100007F:B2C4 0100007F:A90D 01 00000000:00000000 00:00000000 00000000 ${uid} 0 ${inode} 2 00000000ffde126e 20 0 0 10 -1\n`
const SOCKET = { remoteAddress: '127.0.0.1', remotePort: 45764, localAddress: '127.0.0.1', localPort: 43277 }

describe.runIf(process.platform === 'linux')('by what is listed', () => {
  test.each([
    ['this user', [row(7, 1)], 'this-user'],
    ['root', [row(0, 1)], 'this-user'],
    ['another user', [row(8, 1)], 'another-user'],
    ['root, of a socket that nobody holds', [row(0, 0)], 'another-user'],
    ['this user, of a socket that nobody holds', [row(7, 0)], 'another-user'],
    ['nobody at first, since the list is not read in one piece', ['', '', row(7, 1)], 'this-user'],
    ['nobody', ['', '', '', row(7, 1)], 'another-user'],
    ['nothing, since it cannot be read any more', [new Error('EMFILE')], 'another-user'],
  ])('%s', async (_what, tables, expected) => {
    const peers = await openTcpPeers(scripted(...tables), 7)
    expect(await peers.ownerOf(SOCKET)).toBe(expected)
  })

  test('who is gone before it is asked about is refused', async () => {
    const peers = await openTcpPeers(scripted(row(7, 1)), 7)
    expect(await peers.ownerOf({ ...SOCKET, remoteAddress: undefined })).toBe('another-user')
  })

  test('a crowd shares one read that begins after all of them asked', async () => {
    const read = scripted(row(7, 1))
    const peers = await openTcpPeers(read, 7)
    const owners = await Promise.all(Array.from({ length: 50 }, () => peers.ownerOf(SOCKET)))
    expect([new Set(owners), read.reads]).toEqual([new Set(['this-user']), 2])
  })
})

describe('where the system does not list it', () => {
  test.each([
    ['there is no list', () => Promise.reject(new Error('ENOENT'))],
    ['the list is empty', async () => ''],
    ['the list has others alone', async () => row(7, 1)],
  ])('everybody is unknown: %s', async (_what, read) => {
    const peers = await openTcpPeers(read, 7)
    expect([peers.areKnown, await peers.ownerOf(SOCKET)]).toEqual([false, 'unknown'])
  })
})
