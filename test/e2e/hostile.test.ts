/** Input that is known to kill or hang servers of this protocol. The process survives, its memory is bounded, and other games are served. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { frame, handshake, head, jsonOf, OP } from '#test/support/frames.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const ALLOWED_GROWTH_KB = 64 * 1024

const rssKb = (pid: number): number => {
  if (process.platform === 'linux') return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

const call = (cmd: string, args?: unknown) => frame(OP.FRAME, { cmd, args, nonce: '1' })

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let rssAtStart = 0

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    // The bridge is loaded at the first connection.
    ;(await RawClient.ready(daemon.socket)).hangUp()
    rssAtStart = rssKb(daemon.ready.pid)
  })
  afterAll(async () => {
    expect(await daemon.stop()).toBe(0)
    await at.remove()
  })
  afterEach(async () => {
    expect(daemon.hasExited).toBe(false)
    const other = await RawClient.ready(daemon.socket)
    expect(await other.call('SET_ACTIVITY', { pid: 1, activity: { state: 'still here' } })).toMatchObject({
      evt: null,
      data: { state: 'still here' },
    })
    other.hangUp()
    expect(rssKb(daemon.ready.pid) - rssAtStart).toBeLessThan(ALLOWED_GROWTH_KB)
  })

  test.each([
    ['a frame body that is null', frame(OP.FRAME, 'null')],
    ['SET_ACTIVITY without args', call('SET_ACTIVITY')],
    ['buttons that are text', call('SET_ACTIVITY', { pid: 1, activity: { buttons: 'x' } })],
    ['INVITE_BROWSER without args', call('INVITE_BROWSER')],
    ['an unknown command', call('NO_SUCH_COMMAND')],
    ['a command that is a number', frame(OP.FRAME, { cmd: 5, nonce: '1' })],
    ['a javascript: URL', call('SET_ACTIVITY', { pid: 1, activity: { buttons: [{ label: 'x', url: 'javascript:alert(1)' }] } })],
    [
      'args nested 10,000 deep',
      frame(OP.FRAME, `{"cmd":"SUBSCRIBE","nonce":"1","evt":"READY","args":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`),
    ],
    ['a key named __proto__', frame(OP.FRAME, '{"cmd":"GET_BRIDGE_STATUS","nonce":"1","args":{"__proto__":{"x":1}}}')],
  ])('%s is answered with an error, and the connection lives', async (_name, bytes) => {
    const client = await RawClient.ready(daemon.socket)
    client.send(bytes)
    const answer = await client.message()
    expect(answer.evt).toBe('ERROR')
    expect(answer.data).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    expect(await client.call('SET_ACTIVITY', { pid: 1, activity: { state: 'alive' } })).toMatchObject({ evt: null })
    client.hangUp()
  })

  test('timestamps that are null mean nothing', async () => {
    const client = await RawClient.ready(daemon.socket)
    expect(await client.call('SET_ACTIVITY', { pid: 1, activity: { state: 'ok', timestamps: { start: null } } })).toMatchObject({
      evt: null,
    })
    client.hangUp()
  })

  test.each([
    ['a declared length of 4 GiB', head(OP.FRAME, 0xffff_ffff), 1003],
    ['a negative length', head(OP.FRAME, -5), 1003],
    ['opcode 99', frame(99, {}), 1003],
    ['a second handshake', handshake(), 1003],
    ['a frame that is not JSON', frame(OP.FRAME, '{"cmd":'), 1003],
  ])('%s closes that connection with a code', async (_name, bytes, code) => {
    const client = await RawClient.ready(daemon.socket)
    client.send(bytes)
    expect(await client.closeCode()).toBe(code)
  })

  test.each([
    ['a frame before the handshake', call('SET_ACTIVITY'), 1003],
    ['a client id that is a path', handshake({ client_id: '../../etc' }), 4000],
    ['a version that is not 1', handshake({ v: 2 }), 4004],
    ['an unknown encoding', handshake({ encoding: 'etf' }), 4005],
    ['a handshake of 5,000 bytes', handshake({ padding: 'x'.repeat(5000) }), 1003],
  ])('%s is refused with a code', async (_name, bytes, code) => {
    const client = await RawClient.open(daemon.socket)
    client.send(bytes)
    expect(await client.closeCode()).toBe(code)
  })

  test('a PING before the handshake is answered, and a client that then vanishes harms nothing', async () => {
    const client = await RawClient.open(daemon.socket)
    client.send(frame(OP.PING, '"slot?"'))
    expect(await client.next()).toMatchObject({ opcode: OP.PONG, payload: Buffer.from('"slot?"') })
    client.hangUp()
  })

  test('connections that hang up without a byte, in mid-header, in mid-frame and with unread answers', async () => {
    const partial = [Buffer.alloc(0), head(OP.FRAME, 100).subarray(0, 5), Buffer.concat([head(OP.FRAME, 100), Buffer.from('{"cmd')])]
    for (const bytes of partial) {
      const client = await RawClient.open(daemon.socket)
      client.send(Buffer.concat([handshake(), bytes]))
      client.hangUp()
    }
    const unread = await RawClient.ready(daemon.socket)
    unread.socket.pause()
    unread.send(Buffer.concat(Array.from({ length: 200 }, () => call('GET_BRIDGE_STATUS'))))
    unread.hangUp()
  })

  test('20,000 PINGs in one write', async () => {
    const client = await RawClient.ready(daemon.socket)
    client.send(Buffer.concat(Array.from({ length: 20_000 }, (_, n) => frame(OP.PING, String(n)))))
    for (let n = 0; n < 20_000; n++) {
      const { opcode, payload } = await client.next()
      if (opcode !== OP.PONG || jsonOf(payload) !== n) throw new Error(`PING ${n} was answered with ${opcode} ${payload.toString()}`)
    }
    client.hangUp()
  })

  test('a peer that never reads is slowed down, not stored', async () => {
    const client = await RawClient.ready(daemon.socket)
    client.socket.pause()
    const batch = Buffer.concat(Array.from({ length: 500 }, () => call('SET_ACTIVITY', { pid: 1, activity: { details: 'x'.repeat(100) } })))
    // 100 batches are some 10 MB; the daemon stops reading long before, so that write() starts to report backpressure.
    let wasSlowed = false
    for (let n = 0; n < 100; n++) wasSlowed = !client.socket.write(batch) || wasSlowed
    const status = await RawClient.ready(daemon.socket)
    for (let n = 0; n < 50; n++) await status.call('GET_BRIDGE_STATUS')
    expect(wasSlowed).toBe(true)
    expect(client.socket.writableLength).toBeGreaterThan(0)
    expect(rssKb(daemon.ready.pid) - rssAtStart).toBeLessThan(ALLOWED_GROWTH_KB)
    client.hangUp()
    status.hangUp()
  })

  test('1,000 handshakes at once: none is lost', async () => {
    const clients = await Promise.all(Array.from({ length: 1000 }, () => RawClient.ready(daemon.socket)))
    expect(clients).toHaveLength(1000)
    for (const client of clients) client.hangUp()
  })
})
