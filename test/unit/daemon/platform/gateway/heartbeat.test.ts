/** Heartbeats: the first one, the interval, missing acknowledgements, and machines that slept. */
import { describe, expect, test } from 'vitest'
import { settled } from '#test/support/fake-clock.ts'
import { Harness, INTERVAL_MS } from './harness.ts'

const HEARTBEAT = 1
const HELLO = 10
const ACK = 11

describe('the heartbeat', () => {
  test.each([0, 0.25, 1])('starts after the interval times %d, then follows every interval', async (chance) => {
    const harness = new Harness()
    harness.chance = chance
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS * chance - 1)
    expect(socket.of(HEARTBEAT)).toEqual([])
    harness.clock.advance(1)
    expect(socket.of(HEARTBEAT)).toEqual([{ op: HEARTBEAT, d: 1 }])
    for (let count = 2; count < 5; count++) {
      socket.say(ACK)
      socket.dispatch('TYPING_START', count)
      harness.clock.advance(INTERVAL_MS - 1)
      expect(socket.of(HEARTBEAT)).toHaveLength(count - 1)
      harness.clock.advance(1)
      expect(socket.of(HEARTBEAT).at(-1)).toEqual({ op: HEARTBEAT, d: count })
    }
  })

  test('continues before the session starts, with a null sequence number', async () => {
    const harness = new Harness()
    const socket = await harness.afterHello()
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.of(HEARTBEAT)).toEqual([{ op: HEARTBEAT, d: null }])
  })

  test('is sent immediately on request, without moving the next one', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.say(HEARTBEAT)
    expect(socket.of(HEARTBEAT)).toHaveLength(1)
    // Its acknowledgement is not required.
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
    expect(socket.closedWith).toBeUndefined()
  })

  test('a flood of requests does not exceed the send limit', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    for (let count = 0; count < 500; count++) socket.say(HEARTBEAT)
    expect(socket.sent).toHaveLength(120)
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.sent).toHaveLength(121)
  })

  test.each([[null], [0], [-5], ['41250'], [undefined], [Number.NaN]])('a Hello with the interval %j is invalid', async (interval) => {
    const harness = new Harness()
    const socket = await harness.started()
    socket.say(HELLO, interval === null ? null : { heartbeat_interval: interval })
    expect(socket.closedWith).toBe(4002)
    expect(socket.sent).toEqual([])
  })

  test('an interval that is too short causes no flood', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    const { send } = socket
    socket.send = (text) => {
      send(text)
      socket.say(ACK)
    }
    socket.say(HELLO, { heartbeat_interval: 0.01 })
    harness.clock.advance(1000)
    expect(socket.of(HEARTBEAT)).toHaveLength(4)
  })
})

describe('an unacknowledged heartbeat', () => {
  test('closes the connection when the next is due, and the session is resumed', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS / 2)
    harness.clock.advance(INTERVAL_MS - 1)
    expect(socket.closedWith).toBeUndefined()
    harness.clock.advance(1)
    expect(socket.closedWith).toBe(4000)
    expect(socket.of(HEARTBEAT)).toHaveLength(1)
    // A dead peer sends no close frame.
    await harness.pass(1000)
    expect(socket.isDestroyed).toBe(true)
    expect(harness.socket).not.toBe(socket)
    expect(harness.socket.url).toContain('resume.example')
  })

  test('is not replaced by events', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS / 2)
    harness.clock.advance(INTERVAL_MS / 2)
    socket.dispatch('TYPING_START', 2)
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.closedWith).toBe(4000)
  })

  test('may be acknowledged just before the next is due', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS / 2)
    harness.clock.advance(INTERVAL_MS - 1)
    socket.say(ACK)
    harness.clock.advance(1)
    expect(socket.closedWith).toBeUndefined()
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
  })
})

/** A clock whose time jumps without running due timers. */
function jump(harness: Harness, ms: number): void {
  const { clock } = harness
  const now = clock.now.bind(clock)
  clock.now = () => now() + ms
}

describe.each([
  ['slept for an hour', 3_600_000],
  ['had its clock set back by an hour', -3_600_000],
])('a machine that %s', (_what, ms) => {
  const live = async () => {
    const harness = new Harness()
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS / 2)
    socket.say(ACK)
    expect(socket.of(HEARTBEAT)).toHaveLength(1)
    jump(harness, ms)
    return { harness, socket }
  }

  test('checks the connection at the first event', async () => {
    const { socket } = await live()
    socket.dispatch('TYPING_START', 2)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
    socket.dispatch('TYPING_START', 3)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
  })

  test('checks the connection before a send', async () => {
    const { harness, socket } = await live()
    await harness.connection.send(8, { guild_id: '1' })
    expect(socket.sent.slice(-2).map(({ op }) => op)).toEqual([HEARTBEAT, 8])
  })

  test('detects a dead connection long before the next heartbeat', async () => {
    const { harness, socket } = await live()
    socket.dispatch('TYPING_START', 2)
    harness.clock.advance(9999)
    expect(socket.closedWith).toBeUndefined()
    harness.clock.advance(1)
    expect(socket.closedWith).toBe(4000)
  })

  test('continues normally if the connection is alive', async () => {
    const { harness, socket } = await live()
    socket.dispatch('TYPING_START', 2)
    socket.say(ACK)
    harness.clock.advance(INTERVAL_MS - 1)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
    harness.clock.advance(1)
    expect(socket.of(HEARTBEAT)).toHaveLength(3)
    expect(socket.closedWith).toBeUndefined()
  })
})

test('a very late timer counts as a sleep: the acknowledgement may be unread, so another heartbeat is sent', async () => {
  const harness = new Harness()
  const socket = await harness.live()
  harness.clock.advance(INTERVAL_MS / 2)
  expect(socket.of(HEARTBEAT)).toHaveLength(1)
  jump(harness, 3_600_000)
  harness.clock.advance(INTERVAL_MS)
  expect(socket.of(HEARTBEAT)).toHaveLength(2)
  expect(socket.closedWith).toBeUndefined()
  harness.clock.advance(10_000)
  expect(socket.closedWith).toBe(4000)
  socket.closed(4000)
  await settled()
  expect(harness.socket.url).toContain('resume.example')
})
