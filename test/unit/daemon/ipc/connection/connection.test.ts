import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, test } from 'vitest'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { BridgeError } from '@sallyport/core/errors'
import { frame, handshake, head, jsonOf, messages, OP, split } from '#test/support/frames.ts'
import { call, open, afterReady, turn } from './harness.ts'

const LINGER_MS = 2000
const HANDSHAKE_MS = 10_000

const closeOf = (frames: ReturnType<typeof split>['frames']) => {
  const last = frames.at(-1)
  return last?.opcode === OP.CLOSE ? jsonOf(last.payload) : undefined
}

describe('the handshake', () => {
  test('gets READY and nothing else', { tags: ['1-16'] }, () => {
    const { give, connection } = open()
    expect(connection.isOpen).toBe(false)
    expect(give(handshake()).map(({ payload }) => jsonOf(payload))).toEqual([
      { cmd: 'DISPATCH', data: { v: 1 }, evt: 'READY', nonce: null },
    ])
    expect(connection.isOpen).toBe(true)
  })
  test('must arrive before its deadline', () => {
    const { channel, clock, ended } = open()
    clock.advance(HANDSHAKE_MS - 1)
    expect(channel.log).toEqual([])
    clock.advance(1)
    expect(closeOf(split(channel.sent).frames)).toMatchObject({ code: 1006 })
    expect(channel.log).toEqual(['end'])
    expect(ended).toEqual([undefined])
  })
  test('is not delayed by half a header', () => {
    const { channel, clock, give } = open()
    give(Buffer.from([0, 0, 0, 0]))
    clock.advance(HANDSHAKE_MS)
    expect(channel.log).toEqual(['end'])
  })
  test('is not delayed by pings', () => {
    const { channel, clock, give } = open()
    for (let at = 0; at < HANDSHAKE_MS; at += 1000) {
      give(frame(OP.PING, ''))
      clock.advance(1000)
    }
    expect(channel.log).toEqual(['end'])
  })
  test('cancels the deadline', () => {
    const { clock, channel } = afterReady()
    expect(clock.pending).toBe(0)
    clock.advance(HANDSHAKE_MS * 10)
    expect(channel.log).toEqual([])
  })
  test.each([
    ['no version', { v: 2 }, 4004],
    ['no id', { client_id: '../../etc' }, 4000],
    ['an unknown encoding', { encoding: 'etf' }, 4005],
  ])('with %s closes the connection with its code and reason', (_, hello, code) => {
    const { give, channel, ended } = open()
    const close = closeOf(give(handshake(hello)))
    expect(close).toMatchObject({ code })
    expect(close.message.length).toBeGreaterThan(10)
    expect(channel.log).toEqual(['end'])
    expect(ended).toEqual([undefined])
  })
})

describe('protocol violations', () => {
  test.each([
    ['a frame before the handshake', [call('1')]],
    ['a second handshake', [handshake(), handshake()]],
    ['an unknown opcode', [handshake(), frame(99, {})]],
    ['an unknown opcode first', [frame(99, {})]],
    ['a payload that is not JSON', [handshake(), frame(OP.FRAME, '{"cmd"')]],
    ['an empty frame', [handshake(), frame(OP.FRAME, '')]],
    ['a handshake of more than 4 KiB', [head(OP.HANDSHAKE, 4097)]],
    ['a frame of more than 64 KiB', [handshake(), head(OP.FRAME, 65_537)]],
    ['4 GiB', [handshake(), head(OP.FRAME, 0xffffffff)]],
    ['msgpack that ends early', [handshake({ encoding: 'msgpack' }), frame(OP.FRAME, Buffer.from([0x81, 0xa1]))]],
  ])('%s closes with 1003 and a reason; no later bytes are read', (_, frames) => {
    const { give, channel, calls, connection, log } = open()
    const closes = give(...frames, call('after')).filter(({ opcode }) => opcode === OP.CLOSE)
    expect(closes).toHaveLength(1)
    expect(calls).toEqual([])
    expect(channel.log).toEqual(['end'])
    expect(connection.isOpen).toBe(false)
    expect(log.lines.filter(({ event }) => event === 'session-closed')).toHaveLength(1)
    if (!frames[0]?.includes('msgpack')) expect(closeOf(closes)).toMatchObject({ code: 1003, message: expect.stringMatching(/\.$/) })
  })
  test('a contract raises the limit to 1 MiB', () => {
    const { give } = afterReady(() => null, { contract: '1.0' })
    expect(give(call('1', { a: 'x'.repeat(1_000_000) }))).toHaveLength(1)
    expect(closeOf(give(head(OP.FRAME, 1_048_577)))).toMatchObject({ code: 1003 })
  })
})

describe('a call', () => {
  test('gets one response with cmd, data, evt and nonce', () => {
    const { give } = afterReady()
    expect(give(call('a', { x: 1 })).map(({ payload }) => jsonOf(payload))).toEqual([
      { cmd: 'ECHO', data: { x: 1 }, evt: null, nonce: 'a' },
    ])
  })
  test('without a result responds null', () => {
    const { give } = afterReady(() => undefined)
    expect(jsonOf(give(call('a'))[0]!.payload)).toEqual({ cmd: 'ECHO', data: null, evt: null, nonce: 'a' })
  })
  test('that fails with a BridgeError returns it', { tags: ['6-17'] }, () => {
    const { give, log } = afterReady(() => {
      throw new BridgeError('INVALID_GUILD', 'No such guild.', { path: 'guild_id' })
    })
    expect(jsonOf(give(call('a'))[0]!.payload)).toEqual({
      cmd: 'ECHO',
      data: { code: 4003, message: 'No such guild.', path: 'guild_id' },
      evt: 'ERROR',
      nonce: 'a',
    })
    expect(log.problems).toEqual([])
  })
  test('that fails because of a bug returns no details, but logs them', () => {
    const { give, log, connection } = afterReady(() => {
      throw new Error('inner detail')
    })
    const answer = jsonOf(give(call('a'))[0]!.payload)
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 1000 }, nonce: 'a' })
    expect(JSON.stringify(answer)).not.toContain('inner detail')
    expect(log.problems).toHaveLength(1)
    expect(connection.isOpen).toBe(true)
  })
  test('whose message is not an object gets an error, and the connection stays open', () => {
    const { give, connection } = afterReady()
    for (const body of ['null', '[]', '"x"', '7', 'true', '{}', '{"cmd":5,"nonce":"n"}']) {
      const [answer, ...more] = give(frame(OP.FRAME, body))
      expect(more).toEqual([])
      expect(jsonOf(answer!.payload)).toMatchObject({ evt: 'ERROR', data: { code: 4000 }, nonce: body.includes('"n"') ? 'n' : null })
    }
    expect(connection.isOpen).toBe(true)
  })
  test('may complete later than others', async () => {
    const waiting = Promise.withResolvers<unknown>()
    const { give, channel } = afterReady(({ nonce }) => (nonce === 'slow' ? waiting.promise : 'now'))
    expect(give(call('slow'), call('quick')).map(({ payload }) => jsonOf(payload).nonce)).toEqual(['quick'])
    give(frame(OP.PONG, ''))
    waiting.resolve('later')
    await turn()
    expect(messages(channel.take())).toEqual([{ cmd: 'ECHO', data: 'later', evt: null, nonce: 'slow' }])
  })
  test('that rejects later returns its error', async () => {
    const { give, channel } = afterReady(() => Promise.reject(new BridgeError('RATE_LIMITED', 'Wait.', { retry_after: 2 })))
    give(call('a'))
    await turn()
    expect(messages(channel.take())).toMatchObject([{ evt: 'ERROR', data: { code: 5011, retry_after: 2 }, nonce: 'a' }])
  })
  test('that completes after the connection ended sends nothing', async () => {
    const waiting = Promise.withResolvers<unknown>()
    const { give, channel, clock, stream } = afterReady(() => waiting.promise)
    give(call('a'))
    stream.onClose()
    waiting.resolve('late')
    await turn()
    expect(channel.writes).toEqual([])
    expect(clock.pending).toBe(0)
  })
  test('that completes after CLOSE sends nothing', async () => {
    const waiting = Promise.withResolvers<unknown>()
    const { give, channel } = afterReady(() => waiting.promise)
    give(call('a'), frame(OP.CLOSE, {}))
    waiting.resolve('late')
    await turn()
    expect(channel.writes).toEqual([])
  })
})

describe('the frame limit of the peer', () => {
  const answerOf = (bytes: number) => () => 'x'.repeat(bytes)
  test('bounds responses: a larger one becomes an error with advice', () => {
    const { give } = afterReady(answerOf(70_000))
    const [only] = give(call('a'))
    expect(jsonOf(only!.payload)).toMatchObject({
      evt: 'ERROR',
      nonce: 'a',
      data: { code: 6000, message: expect.stringMatching(/limit.*max_frame_bytes/) },
    })
  })
  test('is the one in its handshake', () => {
    expect(jsonOf(afterReady(answerOf(70_000), { max_frame_bytes: 100_000 }).give(call('a'))[0]!.payload)).toMatchObject({ evt: null })
    expect(jsonOf(afterReady(answerOf(2000), { max_frame_bytes: 1500 }).give(call('a'))[0]!.payload)).toMatchObject({ evt: 'ERROR' })
  })
  test('bounds errors: details that do not fit are dropped, code and message stay', () => {
    const { give } = afterReady(() => {
      throw new BridgeError('INVALID_PAYLOAD', 'm'.repeat(5000), { errors: Array.from({ length: 5000 }, () => 'platform error') })
    })
    const [only] = give(call('a'))
    expect(only!.payload.length).toBeLessThanOrEqual(65_528)
    expect(jsonOf(only!.payload)).toMatchObject({ evt: 'ERROR', nonce: 'a', data: { code: 4000, message: expect.stringMatching(/^m+$/) } })
  })
  test('bounds events: one that does not fit is dropped and logged', async () => {
    const { connection, channel, log, clock } = afterReady(undefined, { max_frame_bytes: 2000 })
    connection.deliver(connection.encodeEvent('BIG', 'x'.repeat(3000)))
    connection.deliver(connection.encodeEvent('SMALL', 1))
    await turn()
    clock.advance(1000)
    expect(messages(channel.take()).map(({ evt }) => evt)).toEqual(['SMALL'])
    expect(log.lines.map(({ event }) => event)).toContain('event-too-large')
  })
})

describe('ping', () => {
  test.each(['', 'null', '"text"', '{"a":[1,2]}', 'not json at all'])(
    '%j comes back as it went, before and after the handshake',
    (payload) => {
      const { give } = open()
      const pong = [{ opcode: OP.PONG, payload: Buffer.from(payload) }]
      expect(give(frame(OP.PING, payload))).toEqual(pong)
      give(handshake())
      expect(give(frame(OP.PING, payload))).toEqual(pong)
    },
  )
  test('20,000 in one write all get a pong', () => {
    const { give } = afterReady()
    expect(give(Buffer.concat(Array.from({ length: 20_000 }, () => frame(OP.PING, 'p'))))).toHaveLength(20_000)
  })
  test('a pong is ignored', () => expect(afterReady().give(frame(OP.PONG, ''))).toEqual([]))
})

describe('the end', () => {
  test('by CLOSE: the daemon closes its side and notifies the handler once', () => {
    const { give, channel, ended, stream } = afterReady()
    give(frame(OP.CLOSE, {}))
    expect(channel.log).toEqual(['end'])
    expect(ended).toEqual(['1234567890'])
    stream.onClose()
    expect(ended).toEqual(['1234567890'])
  })
  test('by CLOSE: pending frames are sent first', () => {
    const { channel, stream } = afterReady()
    stream.onBytes(Buffer.concat([call('1'), call('2'), call('3'), frame(OP.CLOSE, {})]))
    expect(messages(channel.take()).map(({ nonce }) => nonce)).toEqual(['1', '2', '3'])
    expect(channel.log).toEqual(['end'])
  })
  test('by the peer ending its side: pending frames are sent, then the daemon closes its side', () => {
    const { channel, ended, clock, stream } = afterReady()
    stream.onBytes(Buffer.concat([call('1'), call('2'), call('3')]))
    stream.onEnd()
    expect(messages(channel.take()).map(({ nonce }) => nonce)).toEqual(['1', '2', '3'])
    expect(channel.log).toEqual(['end'])
    expect(ended).toEqual(['1234567890'])
    stream.onEnd()
    stream.onClose()
    expect(ended).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
  test('by a bug: the connection is destroyed, and the rest of the chunk is not read', () => {
    const { stream, channel, calls, log } = afterReady()
    log.debug = () => {
      throw new Error('a bug')
    }
    stream.onBytes(Buffer.concat([call('1'), frame(OP.CLOSE, {}), call('2')]))
    expect(calls.map(({ nonce }) => nonce)).toEqual(['1'])
    expect(channel.log).toEqual(['destroy'])
    expect(log.problems).toMatchObject([{ event: 'session-failed' }])
  })
  test('without a CLOSE frame', () => {
    const { ended, clock, stream } = afterReady()
    stream.onClose()
    expect(ended).toEqual(['1234567890'])
    expect(clock.pending).toBe(0)
  })
  test('a peer that does not close its side is disconnected', () => {
    const { connection, channel, clock } = afterReady()
    connection.close(1000, 'Enough.')
    clock.advance(LINGER_MS - 1)
    expect(channel.log).toEqual(['end'])
    clock.advance(1)
    expect(channel.log).toEqual(['end', 'destroy'])
  })
  test('closing twice closes once', () => {
    const { connection, channel, ended } = afterReady()
    connection.close(4003, 'Revoked.')
    connection.close(1000, 'Enough.')
    expect(split(channel.take()).frames.map(({ payload }) => jsonOf(payload))).toEqual([{ code: 4003, message: 'Revoked.' }])
    expect(ended).toHaveLength(1)
  })
  test('inside a call drops the response', () => {
    const made: ReturnType<typeof afterReady> = afterReady(() => {
      made.connection.close(4003, 'Revoked.')
      return 'too late'
    })
    made.stream.onBytes(Buffer.concat([call('1'), call('2')]))
    expect(split(made.channel.take()).frames.map(({ opcode }) => opcode)).toEqual([OP.CLOSE])
    expect(made.calls).toHaveLength(1)
  })
  test('no event is delivered after it', () => {
    const { connection, channel, stream } = afterReady()
    const event = connection.encodeEvent('X', 1)
    stream.onClose()
    connection.deliver(event)
    expect(channel.writes).toEqual([])
  })
})

describe('a peer that falls behind', () => {
  test('is paused, and resumed when it has caught up', () => {
    const { give, channel, stream } = afterReady()
    channel.isStuck = true
    const bulk = Array.from({ length: 20 }, (_, index) => call(String(index), 'x'.repeat(20_000)))
    for (const one of bulk) give(one)
    expect(channel.log).toEqual(['pause'])
    channel.pendingBytes = 0
    stream.onDrain()
    expect(channel.log).toEqual(['pause', 'resume'])
  })
  test('is disconnected when it does not read at all, with bounded memory', () => {
    const { give, channel } = afterReady()
    channel.isStuck = true
    let sent = 0
    while (!channel.log.includes('destroy') && sent < 1000) {
      give(call(String(sent++), 'x'.repeat(20_000)))
    }
    expect(channel.log).toContain('destroy')
    expect(channel.pendingBytes).toBeLessThan(4 * 1024 * 1024 + 64 * 1024)
  })
  test.each([
    ['within one turn', async () => {}],
    ['in many turns', turn],
  ])('is disconnected by events alone, %s', async (_, between) => {
    const { connection, channel } = afterReady()
    channel.isStuck = true
    const event = connection.encodeEvent('X', 'x'.repeat(50_000))
    for (let count = 0; count < 100; count++) {
      connection.deliver(event)
      await between()
    }
    expect(channel.log).toContain('destroy')
  })
  test('is resumed when the pace timer has sent its frames', async () => {
    const answers = Array.from({ length: 7 }, () => Promise.withResolvers<string>())
    const { give, channel, clock } = afterReady(({ nonce }) => answers[Number(nonce)]?.promise)
    give(...answers.map((_, index) => call(String(index))))
    for (const { resolve } of answers) resolve('x'.repeat(60_000))
    await turn()
    expect(channel.isPaused).toBe(true)
    clock.advance(100)
    expect(split(channel.take()).frames).toHaveLength(7)
    expect(channel.isPaused).toBe(false)
  })
  test('is paused by endless calls until some complete', async () => {
    const LIMIT = BUDGETS.pendingCallsPerProgram.value
    const waiting: (() => void)[] = []
    const { give, channel } = afterReady(() => new Promise<null>((resolve) => waiting.push(() => resolve(null))))
    const some = (count: number) => Buffer.concat(Array.from({ length: count }, () => call('n')))
    give(some(LIMIT))
    expect(channel.log).toEqual([])
    give(some(1))
    expect(channel.log).toEqual(['pause'])
    waiting.pop()?.()
    await turn()
    expect(channel.log).toEqual(['pause'])
    for (const answer of waiting.splice(LIMIT * 0.75)) answer()
    await turn()
    expect(channel.log).toEqual(['pause', 'resume'])
  })
  test('is resumed when it is closed, so that its end is noticed', () => {
    const { give, channel, connection } = afterReady()
    channel.isStuck = true
    for (let index = 0; index < 20; index++) give(call(String(index), 'x'.repeat(20_000)))
    connection.close(1000, 'Enough.')
    expect(channel.log).toEqual(['pause', 'resume', 'end'])
  })
})

test('msgpack is used in both directions after a JSON handshake', () => {
  const msgpack = msgpackCodec()
  const { give, calls } = open()
  const [ready] = give(handshake({ encoding: 'msgpack' }))
  expect(msgpack.decode(ready!.payload)).toMatchObject({ evt: 'READY' })
  const [answer] = give(frame(OP.FRAME, Buffer.from(msgpack.encode({ cmd: 'ECHO', nonce: 'm', args: { a: 1 } }))))
  expect(calls).toHaveLength(1)
  expect(msgpack.decode(answer!.payload)).toEqual({ cmd: 'ECHO', data: { a: 1 }, evt: null, nonce: 'm' })
  const [closed] = give(handshake())
  expect(msgpack.decode(closed!.payload)).toMatchObject({ code: 1003 })
})
