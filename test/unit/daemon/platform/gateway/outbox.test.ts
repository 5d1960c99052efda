/** The send budget: 120 a minute, room for what holds the connection, order, and the newest presence. */
import { describe, expect, test } from 'vitest'
import { settled } from '../../../../support/fake-clock.ts'
import { type FakeSocket, Harness, INTERVAL_MS } from './harness.ts'

const PRESENCE = 3
const MEMBERS = 8
const MINUTE_MS = 60_000

/** What came of a sending. */
function outcome(sending: Promise<void>): { value: unknown } {
  const held: { value: unknown } = { value: 'waits' }
  void sending.then(
    () => {
      held.value = 'sent'
    },
    (failure: unknown) => {
      held.value = failure
    },
  )
  return held
}

const many = (harness: Harness, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => outcome(harness.link.send(MEMBERS, { number: from + index })))

/** Answers heartbeats, and says when something came. */
function answering(socket: FakeSocket, onSent = (): void => {}): void {
  const { send } = socket
  socket.send = (text) => {
    send(text)
    onSent()
    if (socket.sent.at(-1)?.op === 1) socket.say(11)
  }
}

describe('the budget', () => {
  test('no minute sees more than 120 payloads, heartbeats and Identify included, and none is lost', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const times: number[] = [harness.clock.now()]
    answering(socket, () => void times.push(harness.clock.now()))
    const sendings = many(harness, 200)
    for (let seconds = 0; seconds < 180; seconds++) await harness.pass(1000)
    expect(sendings.map(({ value }) => value)).toEqual(Array.from({ length: 200 }, () => 'sent'))
    expect(socket.of(MEMBERS).map(({ d }) => (d as { number: number }).number)).toEqual(Array.from({ length: 200 }, (_, index) => index))
    for (const start of times) expect(times.filter((at) => at >= start && at < start + MINUTE_MS).length).toBeLessThanOrEqual(120)
    expect(socket.of(1).length).toBeGreaterThanOrEqual(3)
  })

  test('heartbeats go out while others wait', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    many(harness, 150)
    const used = socket.sent.length
    expect(used).toBeLessThan(120)
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.sent.at(-1)?.op).toBe(1)
    expect(socket.sent).toHaveLength(used + 1)
  })

  test('too much is refused with the time to wait', async () => {
    const harness = new Harness()
    await harness.live()
    await harness.pass(1000)
    many(harness, 120)
    const presence = outcome(harness.link.send(PRESENCE, { status: 'older' }))
    const sendings = many(harness, 200)
    await settled()
    // Identify went out a second before the others: its place is free first.
    expect(sendings.at(-1)?.value).toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 59 } })
    const waiting = sendings.filter(({ value }) => value === 'waits').length
    expect(waiting).toBeLessThan(120)
    // Presence that waits is replaced all the same.
    const newer = outcome(harness.link.send(PRESENCE, { status: 'newer' }))
    await settled()
    expect([presence.value, newer.value]).toEqual(['waits', 'waits'])
  })

  test('a clock that is set back does not stop it for long', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    answering(socket)
    many(harness, 150)
    const now = harness.clock.now.bind(harness.clock)
    harness.clock.now = () => now() - 3_600_000
    await harness.pass(MINUTE_MS)
    expect(socket.of(MEMBERS)).toHaveLength(150)
  })
})

describe('presence', () => {
  test('the newest takes the turn of the one that waits; both are told when it went', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    many(harness, 130)
    const older = outcome(harness.link.send(PRESENCE, { status: 'older' }))
    const other = outcome(harness.link.send(MEMBERS, { number: 'last' }))
    const newer = outcome(harness.link.send(PRESENCE, { status: 'newer' }))
    await settled()
    expect([older.value, newer.value]).toEqual(['waits', 'waits'])
    await harness.pass(MINUTE_MS)
    expect([older.value, newer.value, other.value]).toEqual(['sent', 'sent', 'sent'])
    expect(socket.of(PRESENCE)).toEqual([{ op: PRESENCE, d: { status: 'newer' } }])
    expect(socket.sent.at(-1)?.d).toEqual({ number: 'last' })
  })
})

describe('what cannot be sent', () => {
  test('a payload of 4,096 bytes goes out, one more does not', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const text = (bytes: number): string => 'x'.repeat(bytes - JSON.stringify({ op: MEMBERS, d: '' }).length)
    await harness.link.send(MEMBERS, text(4096))
    expect(socket.of(MEMBERS)).toHaveLength(1)
    await expect(harness.link.send(MEMBERS, text(4097))).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    // Bytes count, not characters.
    await expect(harness.link.send(MEMBERS, 'ä'.repeat(3000))).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    expect(socket.of(MEMBERS)).toHaveLength(1)
  })

  test('nothing goes out before the session began', async () => {
    const harness = new Harness()
    await expect(harness.link.send(MEMBERS, {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const socket = await harness.greeted()
    await expect(harness.link.send(MEMBERS, {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(socket.of(MEMBERS)).toEqual([])
  })

  test('what waits when the connection ends is refused, and never sent over the next', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const sendings = many(harness, 150)
    socket.closed(1006)
    await settled()
    expect(sendings.at(-1)?.value).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const next = await harness.nextSocket()
    next.say(10, { heartbeat_interval: INTERVAL_MS })
    next.dispatch('RESUMED', 2)
    await harness.pass(MINUTE_MS)
    expect(next.of(MEMBERS)).toEqual([])
  })
})
