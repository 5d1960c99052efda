import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { msgpackCodec } from '../../../../../daemon/src/ipc/codec/msgpack.ts'
import { BridgeError } from '@sallyport/core/errors'
import { frame, handshake, head, jsonOf, messages, OP, split } from '../../../../support/frames.ts'
import { call, connection, greeted, turn } from './harness.ts'

const LINGER_MS = 2000
const HANDSHAKE_MS = 10_000

const closeOf = (frames: ReturnType<typeof split>['frames']) => {
  const last = frames.at(-1)
  return last?.opcode === OP.CLOSE ? jsonOf(last.payload) : undefined
}

describe('the handshake', () => {
  test('is answered with READY and nothing else', () => {
    const { give, session } = connection()
    expect(session.isOpen).toBe(false)
    expect(give(handshake()).map(({ payload }) => jsonOf(payload))).toEqual([
      { cmd: 'DISPATCH', data: { v: 1 }, evt: 'READY', nonce: null },
    ])
    expect(session.isOpen).toBe(true)
  })
  test('must come within its time', () => {
    const { link, clock, ended } = connection()
    clock.advance(HANDSHAKE_MS - 1)
    expect(link.log).toEqual([])
    clock.advance(1)
    expect(closeOf(split(link.sent).frames)).toMatchObject({ code: 1006 })
    expect(link.log).toEqual(['end'])
    expect(ended).toEqual([undefined])
  })
  test('is not waited for by half a header', () => {
    const { link, clock, give } = connection()
    give(Buffer.from([0, 0, 0, 0]))
    clock.advance(HANDSHAKE_MS)
    expect(link.log).toEqual(['end'])
  })
  test('is not waited for by pings', () => {
    const { link, clock, give } = connection()
    for (let at = 0; at < HANDSHAKE_MS; at += 1000) {
      give(frame(OP.PING, ''))
      clock.advance(1000)
    }
    expect(link.log).toEqual(['end'])
  })
  test('takes the deadline away', () => {
    const { clock, link } = greeted()
    expect(clock.pending).toBe(0)
    clock.advance(HANDSHAKE_MS * 10)
    expect(link.log).toEqual([])
  })
  test.each([
    ['no version', { v: 2 }, 4004],
    ['no id', { client_id: '../../etc' }, 4000],
    ['an unknown encoding', { encoding: 'etf' }, 4005],
  ])('with %s is closed with its code and sentence, and our end is closed', (_, hello, code) => {
    const { give, link, ended } = connection()
    const close = closeOf(give(handshake(hello)))
    expect(close).toMatchObject({ code })
    expect(close.message.length).toBeGreaterThan(10)
    expect(link.log).toEqual(['end'])
    expect(ended).toEqual([undefined])
  })
})

describe('what the protocol does not allow', () => {
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
  ])('%s closes with 1003 and a sentence; nothing after it is read', (_, frames) => {
    const { give, link, calls, session, log } = connection()
    const closes = give(...frames, call('after')).filter(({ opcode }) => opcode === OP.CLOSE)
    expect(closes).toHaveLength(1)
    expect(calls).toEqual([])
    expect(link.log).toEqual(['end'])
    expect(session.isOpen).toBe(false)
    expect(log.lines.filter(({ event }) => event === 'session-closed')).toHaveLength(1)
    if (!frames[0]?.includes('msgpack')) expect(closeOf(closes)).toMatchObject({ code: 1003, message: expect.stringMatching(/\.$/) })
  })
  test('a contract raises the limit to 1 MiB', () => {
    const { give } = greeted(() => null, { contract: '1.0' })
    expect(give(call('1', { a: 'x'.repeat(1_000_000) }))).toHaveLength(1)
    expect(closeOf(give(head(OP.FRAME, 1_048_577)))).toMatchObject({ code: 1003 })
  })
})

describe('a call', () => {
  test('is answered once with cmd, data, evt and nonce', () => {
    const { give } = greeted()
    expect(give(call('a', { x: 1 })).map(({ payload }) => jsonOf(payload))).toEqual([
      { cmd: 'ECHO', data: { x: 1 }, evt: null, nonce: 'a' },
    ])
  })
  test('that answers nothing answers null', () => {
    const { give } = greeted(() => undefined)
    expect(jsonOf(give(call('a'))[0]!.payload)).toEqual({ cmd: 'ECHO', data: null, evt: null, nonce: 'a' })
  })
  test('that fails as expected says how', () => {
    const { give, log } = greeted(() => {
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
  test('that fails by a bug says nothing of it, and the log does', () => {
    const { give, log, session } = greeted(() => {
      throw new Error('inner detail')
    })
    const answer = jsonOf(give(call('a'))[0]!.payload)
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 1000 }, nonce: 'a' })
    expect(JSON.stringify(answer)).not.toContain('inner detail')
    expect(log.problems).toHaveLength(1)
    expect(session.isOpen).toBe(true)
  })
  test('whose message is no object is answered with an error and the connection lives', () => {
    const { give, session } = greeted()
    for (const body of ['null', '[]', '"x"', '7', 'true', '{}', '{"cmd":5,"nonce":"n"}']) {
      const [answer, ...more] = give(frame(OP.FRAME, body))
      expect(more).toEqual([])
      expect(jsonOf(answer!.payload)).toMatchObject({ evt: 'ERROR', data: { code: 4000 }, nonce: body.includes('"n"') ? 'n' : null })
    }
    expect(session.isOpen).toBe(true)
  })
  test('may be answered later, and others meanwhile', async () => {
    const waiting = Promise.withResolvers<unknown>()
    const { give, link } = greeted(({ nonce }) => (nonce === 'slow' ? waiting.promise : 'now'))
    expect(give(call('slow'), call('quick')).map(({ payload }) => jsonOf(payload).nonce)).toEqual(['quick'])
    give(frame(OP.PONG, ''))
    waiting.resolve('later')
    await turn()
    expect(messages(link.take())).toEqual([{ cmd: 'ECHO', data: 'later', evt: null, nonce: 'slow' }])
  })
  test('that rejects later is answered with its error', async () => {
    const { give, link } = greeted(() => Promise.reject(new BridgeError('RATE_LIMITED', 'Wait.', { retry_after: 2 })))
    give(call('a'))
    await turn()
    expect(messages(link.take())).toMatchObject([{ evt: 'ERROR', data: { code: 5011, retry_after: 2 }, nonce: 'a' }])
  })
  test('that is answered after the connection ended sends nothing', async () => {
    const waiting = Promise.withResolvers<unknown>()
    const { give, link, session, clock } = greeted(() => waiting.promise)
    give(call('a'))
    session.onClose()
    waiting.resolve('late')
    await turn()
    expect(link.writes).toEqual([])
    expect(clock.pending).toBe(0)
  })
  test('that is answered after the farewell sends nothing', async () => {
    const waiting = Promise.withResolvers<unknown>()
    const { give, link } = greeted(() => waiting.promise)
    give(call('a'), frame(OP.CLOSE, {}))
    waiting.resolve('late')
    await turn()
    expect(link.writes).toEqual([])
  })
})

describe('what the peer can receive', () => {
  const answerOf = (bytes: number) => () => 'x'.repeat(bytes)
  test('bounds answers: a larger one becomes an error that says what to do', () => {
    const { give } = greeted(answerOf(70_000))
    const [only] = give(call('a'))
    expect(jsonOf(only!.payload)).toMatchObject({ evt: 'ERROR', nonce: 'a', data: { message: expect.stringContaining('max_frame_bytes') } })
  })
  test('is what it announced', () => {
    expect(jsonOf(greeted(answerOf(70_000), { max_frame_bytes: 100_000 }).give(call('a'))[0]!.payload)).toMatchObject({ evt: null })
    expect(jsonOf(greeted(answerOf(2000), { max_frame_bytes: 1500 }).give(call('a'))[0]!.payload)).toMatchObject({ evt: 'ERROR' })
  })
  test('bounds errors too: what does not fit is left out, code and sentence stay', () => {
    const { give } = greeted(() => {
      throw new BridgeError('INVALID_PAYLOAD', 'm'.repeat(5000), { errors: Array.from({ length: 5000 }, () => 'as the platform says') })
    })
    const [only] = give(call('a'))
    expect(only!.payload.length).toBeLessThanOrEqual(65_528)
    expect(jsonOf(only!.payload)).toMatchObject({ evt: 'ERROR', nonce: 'a', data: { code: 4000, message: expect.stringMatching(/^m+$/) } })
  })
  test('bounds events: one that does not fit is left out and logged', async () => {
    const { session, link, log, clock } = greeted(undefined, { max_frame_bytes: 2000 })
    session.deliver(session.encodeEvent('BIG', 'x'.repeat(3000)))
    session.deliver(session.encodeEvent('SMALL', 1))
    await turn()
    clock.advance(1000)
    expect(messages(link.take()).map(({ evt }) => evt)).toEqual(['SMALL'])
    expect(log.lines.map(({ event }) => event)).toContain('event-too-large')
  })
})

describe('ping', () => {
  test.each(['', 'null', '"text"', '{"a":[1,2]}', 'not json at all'])(
    '%j comes back as it went, before and after the handshake',
    (payload) => {
      const { give } = connection()
      const pong = [{ opcode: OP.PONG, payload: Buffer.from(payload) }]
      expect(give(frame(OP.PING, payload))).toEqual(pong)
      give(handshake())
      expect(give(frame(OP.PING, payload))).toEqual(pong)
    },
  )
  test('20,000 in one write are all answered', () => {
    const { give } = greeted()
    expect(give(Buffer.concat(Array.from({ length: 20_000 }, () => frame(OP.PING, 'p'))))).toHaveLength(20_000)
  })
  test('a pong is taken quietly', () => expect(greeted().give(frame(OP.PONG, ''))).toEqual([]))
})

describe('the end', () => {
  test('by CLOSE: our end is closed and the host is told once', () => {
    const { give, link, ended, session } = greeted()
    give(frame(OP.CLOSE, {}))
    expect(link.log).toEqual(['end'])
    expect(ended).toEqual(['1234567890'])
    session.onClose()
    expect(ended).toEqual(['1234567890'])
  })
  test('by CLOSE: what waits is sent before', () => {
    const { session, link } = greeted()
    session.onBytes(Buffer.concat([call('1'), call('2'), call('3'), frame(OP.CLOSE, {})]))
    expect(messages(link.take()).map(({ nonce }) => nonce)).toEqual(['1', '2', '3'])
    expect(link.log).toEqual(['end'])
  })
  test('of what the peer sends: what waits is sent, then our end is closed', () => {
    const { session, link, ended, clock } = greeted()
    session.onBytes(Buffer.concat([call('1'), call('2'), call('3')]))
    session.onEnd()
    expect(messages(link.take()).map(({ nonce }) => nonce)).toEqual(['1', '2', '3'])
    expect(link.log).toEqual(['end'])
    expect(ended).toEqual(['1234567890'])
    session.onEnd()
    session.onClose()
    expect(ended).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
  test('of the connection without a word', () => {
    const { session, ended, clock } = greeted()
    session.onClose()
    expect(ended).toEqual(['1234567890'])
    expect(clock.pending).toBe(0)
  })
  test('a peer that does not close its end is cut off', () => {
    const { session, link, clock } = greeted()
    session.close(1000, 'Enough.')
    clock.advance(LINGER_MS - 1)
    expect(link.log).toEqual(['end'])
    clock.advance(1)
    expect(link.log).toEqual(['end', 'destroy'])
  })
  test('closing twice closes once', () => {
    const { session, link, ended } = greeted()
    session.close(4003, 'Revoked.')
    session.close(1000, 'Enough.')
    expect(split(link.take()).frames.map(({ payload }) => jsonOf(payload))).toEqual([{ code: 4003, message: 'Revoked.' }])
    expect(ended).toHaveLength(1)
  })
  test('inside a call leaves no answer behind it', () => {
    const made: ReturnType<typeof greeted> = greeted(() => {
      made.session.close(4003, 'Revoked.')
      return 'too late'
    })
    made.session.onBytes(Buffer.concat([call('1'), call('2')]))
    expect(split(made.link.take()).frames.map(({ opcode }) => opcode)).toEqual([OP.CLOSE])
    expect(made.calls).toHaveLength(1)
  })
  test('nothing is delivered after it', () => {
    const { session, link } = greeted()
    const event = session.encodeEvent('X', 1)
    session.onClose()
    session.deliver(event)
    expect(link.writes).toEqual([])
  })
})

describe('a peer that falls behind', () => {
  test('is read no further, and again when it caught up', () => {
    const { give, link, session } = greeted()
    link.isStuck = true
    const bulk = Array.from({ length: 20 }, (_, index) => call(String(index), 'x'.repeat(20_000)))
    for (const one of bulk) give(one)
    expect(link.log).toEqual(['pause'])
    link.pendingBytes = 0
    session.onDrain()
    expect(link.log).toEqual(['pause', 'resume'])
  })
  test('is given up when it does not read at all, with bounded memory', () => {
    const { give, link } = greeted()
    link.isStuck = true
    let sent = 0
    while (!link.log.includes('destroy') && sent < 1000) {
      give(call(String(sent++), 'x'.repeat(20_000)))
    }
    expect(link.log).toContain('destroy')
    expect(link.pendingBytes).toBeLessThan(4 * 1024 * 1024 + 64 * 1024)
  })
  test.each([
    ['within one turn', async () => {}],
    ['in many turns', turn],
  ])('is given up by events alone, %s', async (_, between) => {
    const { session, link } = greeted()
    link.isStuck = true
    const event = session.encodeEvent('X', 'x'.repeat(50_000))
    for (let count = 0; count < 100; count++) {
      session.deliver(event)
      await between()
    }
    expect(link.log).toContain('destroy')
  })
  test('while frames are held back is read again when they have gone out', async () => {
    const answers = Array.from({ length: 7 }, () => Promise.withResolvers<string>())
    const { give, link, clock } = greeted(({ nonce }) => answers[Number(nonce)]?.promise)
    give(...answers.map((_, index) => call(String(index))))
    for (const { resolve } of answers) resolve('x'.repeat(60_000))
    await turn()
    expect(link.isPaused).toBe(true)
    clock.advance(100)
    expect(split(link.take()).frames).toHaveLength(7)
    expect(link.isPaused).toBe(false)
  })
  test('by calls without end is read no further until some are answered', async () => {
    const LIMIT = LIMITS.callsInFlight.value
    const waiting: (() => void)[] = []
    const { give, link } = greeted(() => new Promise<null>((resolve) => waiting.push(() => resolve(null))))
    const some = (count: number) => Buffer.concat(Array.from({ length: count }, () => call('n')))
    give(some(LIMIT))
    expect(link.log).toEqual([])
    give(some(1))
    expect(link.log).toEqual(['pause'])
    waiting.pop()?.()
    await turn()
    expect(link.log).toEqual(['pause'])
    for (const answer of waiting.splice(LIMIT * 0.75)) answer()
    await turn()
    expect(link.log).toEqual(['pause', 'resume'])
  })
  test('and is closed is read again, so that its end is seen', () => {
    const { give, link, session } = greeted()
    link.isStuck = true
    for (let index = 0; index < 20; index++) give(call(String(index), 'x'.repeat(20_000)))
    session.close(1000, 'Enough.')
    expect(link.log).toEqual(['pause', 'resume', 'end'])
  })
})

test('msgpack is spoken both ways after a JSON handshake', () => {
  const msgpack = msgpackCodec()
  const { give, calls } = connection()
  const [ready] = give(handshake({ encoding: 'msgpack' }))
  expect(msgpack.decode(ready!.payload)).toMatchObject({ evt: 'READY' })
  const [answer] = give(frame(OP.FRAME, Buffer.from(msgpack.encode({ cmd: 'ECHO', nonce: 'm', args: { a: 1 } }))))
  expect(calls).toHaveLength(1)
  expect(msgpack.decode(answer!.payload)).toEqual({ cmd: 'ECHO', data: { a: 1 }, evt: null, nonce: 'm' })
  const [closed] = give(handshake())
  expect(msgpack.decode(closed!.payload)).toMatchObject({ code: 1003 })
})
