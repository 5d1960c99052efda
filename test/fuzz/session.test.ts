/** Random frames in random chunks: nothing throws, every call gets exactly one answer, and memory stays bounded. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { DEFAULT_USER, Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { frame, handshake, head, jsonOf, OP, split } from '#test/support/frames.ts'
import { FUZZ_TIMEOUT_MS, runs } from './runs.ts'

const COMMANDS = [
  'SET_ACTIVITY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'GET_BRIDGE_STATUS',
  'AUTHORIZE',
  'AUTHENTICATE',
  'GET_GUILD',
  'GET_CURRENT_USER',
  'NO_SUCH_COMMAND',
  '__proto__',
  '',
]
const MAX_OUTGOING = 65_528

const message = fc.record({
  cmd: fc.constantFrom(...COMMANDS),
  args: fc.option(fc.jsonValue(), { nil: undefined }),
  evt: fc.option(fc.constantFrom('ACTIVITY_JOIN', 'READY', 'X', 5), { nil: undefined }),
})
const piece = fc.oneof(
  { weight: 8, arbitrary: message.map((one) => ({ kind: 'call' as const, one })) },
  { weight: 2, arbitrary: fc.string().map((text) => ({ kind: 'bytes' as const, bytes: frame(OP.PING, text) })) },
  { weight: 1, arbitrary: fc.jsonValue().map((body) => ({ kind: 'bytes' as const, bytes: frame(OP.FRAME, JSON.stringify(body)) })) },
  {
    weight: 1,
    arbitrary: fc
      .oneof(
        fc.constant(frame(OP.PONG, 'x')),
        fc.constant(handshake()),
        fc.constant(frame(OP.CLOSE, {})),
        fc.constant(head(1, 0xffffffff)),
        fc.constant(frame(99, '')),
      )
      .map((bytes) => ({ kind: 'bytes' as const, bytes })),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => ({ kind: 'bytes' as const, bytes: Buffer.from(bytes) })) },
)
/** What happens between two writes of the peer. */
const between = fc.constantFrom('nothing', 'time', 'stuck', 'drain', 'event', 'turn')

test(
  'a session and its peer',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(200), between), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        async (pieces, rhythm, streams) => {
          const clock = new FakeClock()
          const bridge = testBridge({ clock })
          const game = Game.connected(bridge, { streams })
          const nonces: string[] = []
          const bytes = Buffer.concat(
            pieces.map((one, index) => {
              if (one.kind === 'bytes') return one.bytes
              nonces.push(`call-${index}`)
              return frame(OP.FRAME, { ...one.one, nonce: `call-${index}` })
            }),
          )
          for (let at = 0, step = 0; at < bytes.length; step++) {
            const [size, then] = rhythm[step % rhythm.length] ?? [1, 'nothing']
            game.send(bytes.subarray(at, at + size + 1))
            at += size + 1
            if (then === 'time') clock.advance(5)
            else if (then === 'stuck') game.channel.isStuck = true
            else if (then === 'drain') {
              game.channel.isStuck = false
              game.channel.pendingBytes = 0
              game.receiver.onDrain()
            } else if (then === 'event') bridge.hub.publish({ name: 'ACTIVITY_JOIN', args: {} }, { secret: 's' })
            else if (then === 'turn') await new Promise((resolve) => setImmediate(resolve))
          }
          for (let count = 0; count < 5; count++) {
            await new Promise((resolve) => setImmediate(resolve))
            clock.advance(1000)
          }
          const { frames, rest } = split(game.channel.sent)
          expect(rest).toHaveLength(0)
          expect(frames.every(({ payload }) => payload.length <= MAX_OUTGOING)).toBe(true)
          const closes = frames.filter(({ opcode }) => opcode === OP.CLOSE)
          expect(closes.length).toBeLessThanOrEqual(1)
          if (closes.length === 1) expect(frames.at(-1)?.opcode).toBe(OP.CLOSE)
          const answered = frames.filter(({ opcode }) => opcode === OP.FRAME).map(({ payload }) => jsonOf(payload).nonce as string)
          const toCalls = answered.filter((nonce) => nonces.includes(nonce))
          expect(new Set(toCalls).size).toBe(toCalls.length)
          // A connection that lives has answered every call whose bytes arrived as a frame of their own.
          const isOpen = bridge.registry.all().length === 1
          const isUndisturbed = pieces.every((one) => one.kind === 'call')
          if (isOpen && isUndisturbed) expect(toCalls.toSorted()).toEqual(nonces.toSorted())
          expect(bridge.log.problems).toEqual([])
          game.receiver.onClose()
          bridge.presence.stop()
          expect(bridge.hub.selectors()).toEqual([])
          expect(bridge.registry.all()).toEqual([])
          expect(clock.pending).toBe(0)
        },
      ),
      runs(300),
    )
  },
  FUZZ_TIMEOUT_MS,
)

test(
  'the first frame of a connection',
  () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record({ toString: fc.integer(), valueOf: fc.integer() }),
      fc.constant({ toString: 1, valueOf: 1 }),
    )
    const hello = fc.oneof(
      odd,
      fc.record(
        {
          v: fc.oneof(fc.constant(1), odd),
          client_id: fc.oneof(fc.constant('1'), odd),
          encoding: odd,
          contract: odd,
          max_frame_bytes: odd,
          streams: odd,
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(hello, (one) => {
        const bridge = testBridge({ user: DEFAULT_USER })
        const game = new Game(bridge)
        game.send(frame(OP.HANDSHAKE, JSON.stringify(one)))
        const { frames } = split(game.channel.sent)
        expect(frames).toHaveLength(1)
        expect([OP.FRAME, OP.CLOSE]).toContain(frames[0]?.opcode)
        expect(frames[0]!.payload.length).toBeLessThanOrEqual(1016)
      }),
      runs(500),
    )
  },
  FUZZ_TIMEOUT_MS,
)

test(
  'msgpack from a peer that asked for it',
  () => {
    const msgpack = msgpackCodec()
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.jsonValue().map((one) => Buffer.from(msgpack.encode({ cmd: 'SET_ACTIVITY', nonce: 'n', args: one }))),
    )
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
        const bridge = testBridge()
        const game = Game.connected(bridge, { encoding: 'msgpack', streams: true })
        for (const one of bodies) game.send(frame(OP.FRAME, one))
        const { frames } = split(game.channel.sent)
        expect(frames.length).toBeLessThanOrEqual(bodies.length)
        for (const { payload } of frames) expect(msgpack.decode(payload)).toBeTypeOf('object')
        expect(bridge.log.problems).toEqual([])
      }),
      runs(300),
    )
  },
  FUZZ_TIMEOUT_MS,
)
