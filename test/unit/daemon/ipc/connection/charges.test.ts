import { BUDGETS } from '@sallyport/core/budgets'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { programOf } from '#daemon/src/identity/program.ts'
import { head, jsonOf, OP } from '#test/support/frames.ts'
import { call, open, afterReady, turn } from './harness.ts'

describe('charges', () => {
  const charged = ({ accounting }: ReturnType<typeof open>) => Object.fromEntries(accounting.usage().map((one) => [one.name, one.charged]))

  test('are zero for complete frames and synchronous calls', () => {
    const made = afterReady()
    for (let count = 0; count < 100; count++) made.give(call('n', { a: 1 }))
    expect(charged(made)).toMatchObject({ connections: 1, unfinishedFrameBytes: 0, pendingCalls: 0, pendingCallBytes: 0 })
  })

  test('include an incomplete frame until it is complete', () => {
    const made = afterReady()
    const whole = call('n', 'x'.repeat(10_000))
    made.give(whole.subarray(0, 5000))
    const { unfinishedFrameBytes } = charged(made)
    expect(unfinishedFrameBytes).toBeGreaterThanOrEqual(5000)
    expect(unfinishedFrameBytes).toBeLessThan(2 * 5000)
    made.give(whole.subarray(5000))
    expect(charged(made)).toMatchObject({ unfinishedFrameBytes: 0 })
  })

  test('do not include a declared length', () => {
    const made = afterReady()
    made.give(head(OP.FRAME, 60_000))
    expect(charged(made)['unfinishedFrameBytes']).toBeLessThan(100)
  })

  test('include a call until its response, by the bytes of its frame', async () => {
    const answer = Promise.withResolvers<null>()
    const made = afterReady(() => answer.promise)
    made.give(call('n', 'x'.repeat(10_000)))
    expect(charged(made)).toMatchObject({ pendingCalls: 1 })
    expect(charged(made)['pendingCallBytes']).toBeGreaterThan(10_000)
    answer.resolve(null)
    await turn()
    expect(charged(made)).toMatchObject({ pendingCalls: 0, pendingCallBytes: 0 })
  })

  test('are not even computed while the peer takes all bytes at once', () => {
    const made = afterReady(undefined, { streams: true })
    for (let count = 0; count < 100; count++) {
      made.give(call('n', { a: 1 }))
      made.connection.deliver(made.connection.encodeEvent('ACTIVITY_JOIN', { secret: 'x' }))
      made.connection.flush()
    }
    expect(made.unsentCharges).toEqual([])
  })

  test('include what the peer has not read, until it is read or the connection ends', () => {
    const made = afterReady(undefined, { streams: true })
    made.channel.isStuck = true
    made.give(call('n', 'x'.repeat(10_000)))
    expect(charged(made)['unsentBytes']).toBe(made.channel.pendingBytes)
    expect(made.channel.pendingBytes).toBeGreaterThan(10_000)
    made.channel.pendingBytes = 0
    made.stream.onDrain()
    expect(charged(made)).toMatchObject({ unsentBytes: 0 })
    made.give(call('n', 'x'.repeat(10_000)))
    made.stream.onClose()
    expect(charged(made)).toMatchObject({ unsentBytes: 0, connections: 0 })
  })

  test('close the connection with the most unsent bytes, once, when its program has too many', () => {
    const made = afterReady(undefined, { streams: true })
    const others = Array.from({ length: 16 }, () =>
      made.accounting.connect(programOf({}), { applyBackpressure() {}, close() {}, drop: () => expect.unreachable() }),
    )
    for (const other of others) other.setUnsentBytes(BUDGETS.unsentBytesPerProgramWithoutGrant.value / 16 - 1)
    made.channel.isStuck = true
    made.channel.pendingBytes = (2 * BUDGETS.unsentBytesPerProgramWithoutGrant.value) / 16
    made.give(call('n', 1))
    expect(made.channel.log.filter((one) => one === 'destroy')).toHaveLength(1)
    expect(made.log.lines.filter(({ event }) => event === 'session-closed')).toHaveLength(1)
  })

  test('a paused connection does not miss its handshake deadline', () => {
    const made = open()
    const [oldest, other] = [1, 2].map(() => made.accounting.connect(programOf({}), { applyBackpressure() {}, close() {}, drop() {} }))
    oldest?.setUnfinishedBytes(1, false)
    other?.setUnfinishedBytes(BUDGETS.unfinishedFrameBytesPerProgram.value, false)
    expect(made.channel.isPaused).toBe(true)
    // Stalled frames of the other connections do not matter here.
    for (let seconds = 0; seconds < 60; seconds++) {
      made.clock.advance(1000)
      oldest?.setUnfinishedBytes(seconds + 2, false)
    }
    expect(made.channel.log).toEqual(['pause'])
    other?.end()
    expect(made.channel.isPaused).toBe(false)
    made.clock.advance(LIMITS.handshakeMs.value)
    expect(made.channel.log).toEqual(['pause', 'resume', 'end'])
  })

  test('are returned when the connection ends', () => {
    const made = afterReady(() => new Promise(() => {}))
    made.give(call('n'), call('m').subarray(0, 20))
    made.stream.onClose()
    expect(Object.values(charged(made)).every((amount) => amount === 0)).toBe(true)
  })

  test('a call over the limit is rejected, and the connection stays open', () => {
    const made = afterReady(() => new Promise(() => {}))
    const others = Array.from({ length: 12 }, (_, index) => made.accounting.connect(programOf({ origin: String(index) }), made.connection))
    for (const other of others) while (other.hasRoomForCall(0) && !other.isPaused) other.callOpened(0)
    for (const other of others) while (other.hasRoomForCall(0)) other.callOpened(0)
    const [refused] = made.give(call('n'))
    expect(jsonOf(refused!.payload)).toMatchObject({ evt: 'ERROR', nonce: 'n', data: { code: 5011, retry_after: 1 } })
    for (const other of others) other.end()
    expect(made.give(call('m'))).toEqual([])
  })
})
