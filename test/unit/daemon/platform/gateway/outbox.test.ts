/** The send limit: 120 per minute, reserved capacity, order, and the newest presence. */
import { describe, expect, test } from 'vitest'
import { settled } from '#test/support/fake-clock.ts'
import { type FakeSocket, Harness, INTERVAL_MS } from './harness.ts'

const PRESENCE = 3
const MEMBERS = 8
const MINUTE_MS = 60_000

/** The outcome of a send. */
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
  Array.from({ length: count }, (_, index) => outcome(harness.connection.send(MEMBERS, { number: from + index })))

/** Acknowledges heartbeats, and records when payloads arrive. */
function answering(socket: FakeSocket, onSent = (): void => {}): void {
  const { send } = socket
  socket.send = (text) => {
    send(text)
    onSent()
    if (socket.sent.at(-1)?.op === 1) socket.say(11)
  }
}

describe('the send limit', () => {
  test('at most 120 payloads are sent per minute, including heartbeats and Identify, and none is lost', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const times: number[] = [harness.clock.now()]
    answering(socket, () => void times.push(harness.clock.now()))
    const sends = many(harness, 200)
    for (let seconds = 0; seconds < 180; seconds++) await harness.pass(1000)
    expect(sends.map(({ value }) => value)).toEqual(Array.from({ length: 200 }, () => 'sent'))
    expect(socket.of(MEMBERS).map(({ d }) => (d as { number: number }).number)).toEqual(Array.from({ length: 200 }, (_, index) => index))
    for (const start of times) expect(times.filter((at) => at >= start && at < start + MINUTE_MS).length).toBeLessThanOrEqual(120)
    expect(socket.of(1).length).toBeGreaterThanOrEqual(3)
  })

  test('heartbeats are sent while others wait', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    many(harness, 150)
    const used = socket.sent.length
    expect(used).toBeLessThan(120)
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.sent.at(-1)?.op).toBe(1)
    expect(socket.sent).toHaveLength(used + 1)
  })

  test('a full queue rejects with the time to wait', async () => {
    const harness = new Harness()
    await harness.live()
    await harness.pass(1000)
    many(harness, 120)
    const presence = outcome(harness.connection.send(PRESENCE, { status: 'older' }))
    const sends = many(harness, 200)
    await settled()
    // Identify was sent a second before the others, so its slot is free first.
    expect(sends.at(-1)?.value).toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 59 } })
    const waiting = sends.filter(({ value }) => value === 'waits').length
    expect(waiting).toBeLessThan(120)
    // A queued presence is still replaced.
    const newer = outcome(harness.connection.send(PRESENCE, { status: 'newer' }))
    await settled()
    expect([presence.value, newer.value]).toEqual(['waits', 'waits'])
  })

  test('a clock that is set back does not block it for long', async () => {
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
  test('the newest replaces a queued one; both resolve when it is sent', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    many(harness, 130)
    const older = outcome(harness.connection.send(PRESENCE, { status: 'older' }))
    const other = outcome(harness.connection.send(MEMBERS, { number: 'last' }))
    const newer = outcome(harness.connection.send(PRESENCE, { status: 'newer' }))
    await settled()
    expect([older.value, newer.value]).toEqual(['waits', 'waits'])
    await harness.pass(MINUTE_MS)
    expect([older.value, newer.value, other.value]).toEqual(['sent', 'sent', 'sent'])
    expect(socket.of(PRESENCE)).toEqual([{ op: PRESENCE, d: { status: 'newer' } }])
    expect(socket.sent.at(-1)?.d).toEqual({ number: 'last' })
  })
})

describe('unsendable payloads', () => {
  test('a payload of 4,096 bytes is sent, a larger one is not', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const text = (bytes: number): string => 'x'.repeat(bytes - JSON.stringify({ op: MEMBERS, d: '' }).length)
    await harness.connection.send(MEMBERS, text(4096))
    expect(socket.of(MEMBERS)).toHaveLength(1)
    await expect(harness.connection.send(MEMBERS, text(4097))).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    // Bytes count, not characters.
    await expect(harness.connection.send(MEMBERS, 'ä'.repeat(3000))).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    expect(socket.of(MEMBERS)).toHaveLength(1)
  })

  test('nothing is sent before the session starts', async () => {
    const harness = new Harness()
    await expect(harness.connection.send(MEMBERS, {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const socket = await harness.afterHello()
    await expect(harness.connection.send(MEMBERS, {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(socket.of(MEMBERS)).toEqual([])
  })

  test('queued payloads are rejected when the connection ends, and never sent on the next one', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const sends = many(harness, 150)
    socket.closed(1006)
    await settled()
    expect(sends.at(-1)?.value).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const next = await harness.nextSocket()
    next.say(10, { heartbeat_interval: INTERVAL_MS })
    next.dispatch('RESUMED', 2)
    await harness.pass(MINUTE_MS)
    expect(next.of(MEMBERS)).toEqual([])
  })
})
