import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openTcpPeers, type ReadTcpTable } from '#daemon/src/loopback/tcp-peer.ts'
import { canBeOther } from '#test/support/other-user.ts'

/** Another process connects, with setpriv as another user if given; returns the result of `look` for our side. */
async function withPeer<T>(before: readonly string[], how: string, look: (socket: Socket) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = `const socket = require('node:net').connect({ port: ${port}, ${how} }).resume(); socket.on('error', () => {})`
  const [program, ...words] = [...before, process.execPath, '-e', script]
  const child = spawn(program, words, { cwd: '/', stdio: 'inherit' })
  const [socket] = (await once(server, 'connection')) as [Socket]
  try {
    return await look(socket)
  } finally {
    socket.destroy()
    server.close()
    await once(child, 'exit')
  }
}

const OTHER_USER = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']

describe.runIf(process.platform === 'linux')('on systems that list the owner of a connection', () => {
  test.each([
    ['an IPv4 socket', `host: '127.0.0.1'`],
    ['another address of loopback', `host: '127.0.0.1', localAddress: '127.0.0.2'`],
    ['an IPv6 socket', `host: '::ffff:127.0.0.1'`],
  ])('a program of this user is identified via %s', async (_what, how) => {
    const peers = openTcpPeers()
    expect(peers.areKnown, 'nothing is read before').toBeUndefined()
    expect(await withPeer([], how, (socket) => peers.ownerOf(socket))).toBe('this-user')
    expect(peers.areKnown).toBe(true)
  })

  test.runIf(canBeOther).each([
    ['an IPv4 socket', `host: '127.0.0.1'`],
    ['an IPv6 socket', `host: '::ffff:127.0.0.1'`],
  ])('a program of another user is identified via %s', async (_what, how) => {
    const peers = openTcpPeers()
    expect(await withPeer(OTHER_USER, how, (socket) => peers.ownerOf(socket))).toBe('another-user')
  })

  test.runIf(canBeOther)('root counts as this user, and another user does not', async () => {
    const peers = openTcpPeers({ uid: 65534 })
    expect(await withPeer([], `host: '127.0.0.1'`, (socket) => peers.ownerOf(socket))).toBe('this-user')
    expect(await withPeer(OTHER_USER, `host: '127.0.0.1'`, (socket) => peers.ownerOf(socket))).toBe('this-user')
    const others = openTcpPeers({ uid: 5 })
    expect(await withPeer(OTHER_USER, `host: '127.0.0.1'`, (socket) => others.ownerOf(socket))).toBe('another-user')
  })

  test('a peer that has closed its socket is rejected, although the table lists root', async () => {
    const peers = openTcpPeers()
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const child = spawn(process.execPath, [
      '-e',
      `require('node:net').connect(${port}, '127.0.0.1', function () { this.end('a'); this.destroySoon() })`,
    ])
    const [socket] = (await once(server, 'connection')) as [Socket]
    // Its socket outlives it while our side is open.
    await once(child, 'exit')
    expect(await peers.ownerOf(socket)).toBe('another-user')
    socket.destroy()
    server.close()
  })
})

/** The first read lists our own socket; further reads return these tables. */
const scripted = (...later: readonly (string | Error)[]): ReadTcpTable & { reads: number } => {
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

describe.runIf(process.platform === 'linux')('the owner for a table with', () => {
  test.each([
    ['this user', [row(7, 1)], 'this-user'],
    ['root', [row(0, 1)], 'this-user'],
    ['another user', [row(8, 1)], 'another-user'],
    ['root, for a socket without a process', [row(0, 0)], 'another-user'],
    ['this user, for a socket without a process', [row(7, 0)], 'another-user'],
    ['no row at first, because the table is not read atomically', ['', '', row(7, 1)], 'this-user'],
    ['no row', ['', '', '', row(7, 1)], 'another-user'],
    ['a read error', [new Error('EMFILE')], 'another-user'],
  ])('%s', async (_what, tables, expected) => {
    const peers = openTcpPeers({ read: scripted(...tables), uid: 7 })
    expect(await peers.ownerOf(SOCKET)).toBe(expected)
  })

  test('a peer that has disconnected before the lookup is rejected', async () => {
    const peers = openTcpPeers({ read: scripted(row(7, 1)), uid: 7 })
    expect(await peers.ownerOf({ ...SOCKET, remoteAddress: undefined })).toBe('another-user')
  })

  test('concurrent lookups share one read that starts after all of them', async () => {
    const read = scripted(row(7, 1))
    const peers = openTcpPeers({ read, uid: 7 })
    const owners = await Promise.all(Array.from({ length: 50 }, () => peers.ownerOf(SOCKET)))
    expect([new Set(owners), read.reads]).toEqual([new Set(['this-user']), 2])
  })
})

describe('on systems without the table', () => {
  test.each([
    ['there is no table', () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOENT' }))],
    ['the table is private', () => Promise.reject(Object.assign(new Error('none'), { code: 'EACCES' }))],
    ['the list is empty', async () => ''],
    ['the list has others alone', async () => row(7, 1)],
  ])('every owner is unknown: %s', async (_what, read) => {
    let reports = 0
    const peers = openTcpPeers({ read, uid: 7, onUnknown: () => reports++ })
    const owners = await Promise.all([1, 2].map(() => peers.ownerOf(SOCKET)))
    expect([owners, await peers.ownerOf(SOCKET), peers.areKnown, reports]).toEqual([['unknown', 'unknown'], 'unknown', false, 1])
  })

  test('a first check for which there are no file descriptors accepts no peer, and is tried again at the next one', async () => {
    let left = 2
    const read = () => (left-- > 0 ? Promise.reject(Object.assign(new Error('full'), { code: 'EMFILE' })) : Promise.resolve(''))
    const peers = openTcpPeers({ read, uid: 7 })
    expect([await peers.ownerOf(SOCKET), await peers.ownerOf(SOCKET), peers.areKnown]).toEqual(['another-user', 'another-user', undefined])
    expect([await peers.ownerOf(SOCKET), peers.areKnown]).toEqual(['unknown', false])
  })
})
