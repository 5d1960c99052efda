/** Memory and peers of the C client with hostile servers, under AddressSanitizer and UBSan. The conformance kit plays the broken messages. */
import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { canBeOther, NO_OTHER_USER, spawnAsOther } from '#test/support/other-user.ts'
import { frame, head, OP } from '#test/support/frames.ts'
import { errorFor, event, readyFrame } from '#test/support/scripted-server.ts'
import { describeC } from './support/c-world.ts'
import { seededRandom } from './support/seeded-random.ts'

const E = { limit: -5 } as const
const MEBIBYTE = 1_048_576
/** The most that the client may hold with any server: two buffers of a connection that grew to twice their limit. */
const MOST_BYTES = 8 * MEBIBYTE

describeC('the C client and a hostile server', (world) => {
  test('bounds the time to wait of an error, and reads an odd code as an unknown error', async () => {
    const peer = await world.connected()
    world.probe.send('call X')
    peer.write(errorFor(await peer.message(), { code: -9, message: 7, retry_after: 1e300 }))
    expect(await world.probe.line('result')).toMatchObject({ code: 1000, name: 'UNKNOWN_ERROR', retry_after_ms: 86_400_000 })
    await world.probe.quit()
  })

  test('takes no large frame before the handshake is complete', async () => {
    world.probe.send('connect 0')
    const peer = await world.server.peer()
    await peer.handshake()
    peer.write(head(OP.FRAME, 65_537))
    expect(await world.probe.state('offline')).toMatchObject({ error: 'E_PROTOCOL' })
    await world.probe.quit()
  })

  test('keeps no memory for a length that was only announced', async () => {
    const peer = await world.connected()
    const before = await world.count()
    peer.write(head(OP.FRAME, MEBIBYTE), Buffer.alloc(1000, 0x20))
    world.probe.send('idle 100')
    await world.probe.line('idle_us')
    expect((await world.count()).in_use).toBeLessThan(before.in_use + 65_536)
    await world.probe.quit()
  })

  test('survives a flood of events with bounded memory, and still makes calls', async () => {
    const peer = await world.connected()
    world.probe.send('inside quiet')
    const flood = event('FLOOD', { text: 'x'.repeat(100) })
    peer.write(Buffer.concat(Array.from({ length: 20_000 }, () => flood)))
    world.probe.send('call X')
    await peer.answer()
    await world.probe.line('result')
    await expect.poll(async () => (await world.count()).events).toBe(20_001)
    expect((await world.count()).at_most).toBeLessThan(MEBIBYTE)
    await world.probe.quit()
  })

  test('stops sending to a server that does not read', async () => {
    const peer = await world.connected()
    peer.socket.pause()
    const text = 'x'.repeat(60_000)
    for (let sent = 0; sent < 60; sent += 1) world.probe.send(`call X {"text":"${text}"}`)
    expect(await world.probe.line('return', 2)).toEqual({ return: E.limit })
    expect((await world.count()).at_most).toBeLessThan(MOST_BYTES)
    await world.probe.quit()
  })

  test('survives a time without memory, and comes back after it', async () => {
    const peer = await world.connected()
    world.probe.send('inside no-memory')
    await world.probe.ask('status 0', 'status')
    const from = world.probe.lines.length
    peer.write(event('LARGE', 'x'.repeat(200_000)))
    expect(await world.probe.state('waiting', from)).toMatchObject({ error: 'E_MEMORY', lost: 1 })
    expect(await world.probe.ask('subscribe X {"a":"b"}', 'return')).toEqual({ return: -4 })
    world.probe.send('inside')
    await (await world.server.peer()).ready()
    await world.probe.state('ready', from)
    await world.probe.quit()
  })

  test('survives generated messages, valid and broken', async () => {
    const random = seededRandom(11)
    const below = (count: number) => Math.floor(random() * count)
    const pick = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0]
    const odd = (): unknown =>
      pick([
        null,
        true,
        -1,
        1e300,
        '',
        'READY',
        'ERROR',
        'DISPATCH',
        '3',
        [],
        {},
        { code: {} },
        { user: { id: [] } },
        [[[1]]],
        'x'.repeat(300),
      ])
    const message = (nonce: string) => ({
      cmd: pick<unknown>(['DISPATCH', 'X', odd()]),
      evt: pick<unknown>([null, 'ERROR', 'TOKEN_REVOKED', 'GUILD_STATUS', odd()]),
      nonce: pick<unknown>([null, nonce, odd()]),
      data: pick<unknown>([{ code: odd(), message: odd(), retry_after: odd() }, { guild_id: odd(), guild: odd() }, odd()]),
    })
    world.probe.send('inside quiet')
    await world.probe.ask('subscribe GUILD_STATUS {"guild_id":"5","user_id":7}', 'return')
    world.probe.send('connect -1')
    for (let connection = 0; connection < 12; connection += 1) {
      const from = world.probe.lines.length
      const peer = await world.server.peer()
      await peer.ready()
      await peer.answer()
      await world.probe.state('ready', from)
      world.probe.send('call X')
      const { nonce } = await peer.message()
      const frames = Array.from({ length: 400 }, () => frame(pick([1, 1, 1, 1, 3, 4]), message(String(nonce))))
      const bytes = Buffer.concat([...frames, readyFrame()])
      // Broken bytes at the end; whole ones in every other connection.
      for (let count = connection % 2 === 0 ? 0 : 5; count > 0; count -= 1) bytes[bytes.length - 1 - below(200)] = below(256)
      for (let at = 0; at < bytes.length; ) {
        const length = 1 + below(5000)
        peer.write(bytes.subarray(at, at + length))
        at += length
      }
      await expect.poll(() => world.probe.with('result').length).toBe(connection + 1)
      peer.socket.end()
    }
    expect((await world.count()).at_most).toBeLessThan(MOST_BYTES)
    await world.probe.quit()
  })

  describe('of another user', () => {
    let shared: string
    let impostor: ChildProcess | undefined
    let received: string

    beforeEach((context) => {
      context.skip(!canBeOther, NO_OTHER_USER)
      // Not in the folder of the tests, which other users cannot enter. Like /tmp: sticky, so that owners keep their files.
      shared = mkdtempSync('/tmp/sp-')
      chmodSync(shared, 0o1777)
      received = ''
    })
    afterEach(async () => {
      if (impostor === undefined) return
      impostor.kill('SIGKILL')
      await ended(impostor)
      impostor = undefined
      rmSync(shared, { recursive: true, force: true })
    })

    const LISTENER = `
      const server = require('node:net').createServer((socket) => {
        socket.on('error', () => {})
        socket.on('data', () => process.stdout.write('received\\n'))
      })
      process.umask(0)
      server.listen(process.argv[1], () => process.stdout.write('listening\\n'))`

    test.each([
      ['that owns the socket', () => {}],
      ['behind a socket of this user', (path: string) => chownSync(path, process.getuid?.() ?? 0, 0)],
    ])('%s gets nothing', async (_, prepare) => {
      const path = join(shared, 'discord-ipc-0')
      impostor = spawnAsOther(LISTENER, path)
      impostor.stdout?.setEncoding('utf8').on('data', (text: string) => {
        received += text
      })
      await expect.poll(() => received).toBe('listening\n')
      prepare(path)
      await world.probe.quit()
      world.start({ runtime: shared })
      world.probe.send('connect 0')
      expect(await world.probe.state('offline')).toMatchObject({ error: 'E_FOREIGN_SERVER' })
      await world.probe.quit()
      expect(received).toBe('listening\n')
    })
  })
})
