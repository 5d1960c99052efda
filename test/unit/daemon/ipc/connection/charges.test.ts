import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { programOf } from '../../../../../daemon/src/identity/program.ts'
import { head, jsonOf, OP } from '../../../../support/frames.ts'
import { call, connection, greeted, turn } from './harness.ts'

describe('what is charged', () => {
  const charged = ({ accounting }: ReturnType<typeof connection>) =>
    Object.fromEntries(accounting.usage().map((one) => [one.name, one.charged]))

  test('nothing for frames that come whole and calls that are answered at once', () => {
    const made = greeted()
    for (let count = 0; count < 100; count++) made.give(call('n', { a: 1 }))
    expect(charged(made)).toMatchObject({ connections: 1, unfinishedFrames: 0, openCalls: 0, openCallBytes: 0 })
  })

  test('what is held of a frame until it has come to its end', () => {
    const made = greeted()
    const whole = call('n', 'x'.repeat(10_000))
    made.give(whole.subarray(0, 5000))
    const { unfinishedFrames } = charged(made)
    expect(unfinishedFrames).toBeGreaterThanOrEqual(5000)
    expect(unfinishedFrames).toBeLessThan(2 * 5000)
    made.give(whole.subarray(5000))
    expect(charged(made)).toMatchObject({ unfinishedFrames: 0 })
  })

  test('an announced length costs nothing', () => {
    const made = greeted()
    made.give(head(OP.FRAME, 60_000))
    expect(charged(made)['unfinishedFrames']).toBeLessThan(100)
  })

  test('a call until it is answered, by the bytes of its frame', async () => {
    const answer = Promise.withResolvers<null>()
    const made = greeted(() => answer.promise)
    made.give(call('n', 'x'.repeat(10_000)))
    expect(charged(made)).toMatchObject({ openCalls: 1 })
    expect(charged(made)['openCallBytes']).toBeGreaterThan(10_000)
    answer.resolve(null)
    await turn()
    expect(charged(made)).toMatchObject({ openCalls: 0, openCallBytes: 0 })
  })

  test('a connection that is not read, since its program holds too much, is not late with its handshake', () => {
    const made = connection()
    const [oldest, other] = [1, 2].map(() => made.accounting.connect(programOf({}), { regulate() {}, close() {} }))
    oldest?.unfinished(1, false)
    other?.unfinished(LIMITS.unfinishedFrameBytesOfProgram.value, false)
    expect(made.link.isPaused).toBe(true)
    // Not looked at here: frames that stand still, which the others hold.
    for (let seconds = 0; seconds < 60; seconds++) {
      made.clock.advance(1000)
      oldest?.unfinished(seconds + 2, false)
    }
    expect(made.link.log).toEqual(['pause'])
    other?.end()
    expect(made.link.isPaused).toBe(false)
    made.clock.advance(LIMITS.handshakeMs.value)
    expect(made.link.log).toEqual(['pause', 'resume', 'end'])
  })

  test('is all given back when the connection ends', () => {
    const made = greeted(() => new Promise(() => {}))
    made.give(call('n'), call('m').subarray(0, 20))
    made.session.onClose()
    expect(Object.values(charged(made)).every((amount) => amount === 0)).toBe(true)
  })

  test('a call for which nobody has room is refused, and the connection lives', () => {
    const made = greeted(() => new Promise(() => {}))
    const others = Array.from({ length: 12 }, (_, index) => made.accounting.connect(programOf({ origin: String(index) }), made.session))
    for (const other of others) while (other.hasRoomForCall(0) && !other.mustWait) other.callOpened(0)
    for (const other of others) while (other.hasRoomForCall(0)) other.callOpened(0)
    const [refused] = made.give(call('n'))
    expect(jsonOf(refused!.payload)).toMatchObject({ evt: 'ERROR', nonce: 'n', data: { code: 5011, retry_after: 1 } })
    for (const other of others) other.end()
    expect(made.give(call('m'))).toEqual([])
  })
})
