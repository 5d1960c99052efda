/** Heartbeats: the first one, the beat, answers that stay away, and machines that slept. */
import { describe, expect, test } from 'vitest'
import { settled } from '../../../../support/fake-clock.ts'
import { Harness, INTERVAL_MS } from './harness.ts'

const HEARTBEAT = 1
const HELLO = 10
const ACK = 11

describe('the beat', () => {
  test.each([0, 0.25, 1])('begins after the interval times %d, then comes every interval', async (chance) => {
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

  test('goes on while the session has not begun, with null for the number', async () => {
    const harness = new Harness()
    const socket = await harness.greeted()
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.of(HEARTBEAT)).toEqual([{ op: HEARTBEAT, d: null }])
  })

  test('one that the platform asks for is sent at once, and moves no other', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.say(HEARTBEAT)
    expect(socket.of(HEARTBEAT)).toHaveLength(1)
    // It was not one whose answer is waited for.
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
    expect(socket.closedWith).toBeUndefined()
  })

  test('a flood of such wishes takes no more than the budget', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    for (let count = 0; count < 500; count++) socket.say(HEARTBEAT)
    expect(socket.sent).toHaveLength(120)
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.sent).toHaveLength(121)
  })

  test.each([[null], [0], [-5], ['41250'], [undefined], [Number.NaN]])('a Hello with the interval %j cannot be used', async (interval) => {
    const harness = new Harness()
    const socket = await harness.started()
    socket.say(HELLO, interval === null ? null : { heartbeat_interval: interval })
    expect(socket.closedWith).toBe(4002)
    expect(socket.sent).toEqual([])
  })

  test('an interval that is too short makes no flood', async () => {
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

describe('a heartbeat that is not answered', () => {
  test('before the next is due: the connection is given up, and the session resumed', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS / 2)
    harness.clock.advance(INTERVAL_MS - 1)
    expect(socket.closedWith).toBeUndefined()
    harness.clock.advance(1)
    expect(socket.closedWith).toBe(4000)
    expect(socket.of(HEARTBEAT)).toHaveLength(1)
    // A peer that is gone says no goodbye.
    await harness.pass(1000)
    expect(socket.isDestroyed).toBe(true)
    expect(harness.socket).not.toBe(socket)
    expect(harness.socket.url).toContain('resume.example')
  })

  test('no events take its place', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    harness.clock.advance(INTERVAL_MS / 2)
    harness.clock.advance(INTERVAL_MS / 2)
    socket.dispatch('TYPING_START', 2)
    harness.clock.advance(INTERVAL_MS / 2)
    expect(socket.closedWith).toBe(4000)
  })

  test('an answer just before the next is due is in time', async () => {
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

/** A clock whose time jumps, without the timers that fall due meanwhile. */
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

  test('looks at the link with the first event', async () => {
    const { socket } = await live()
    socket.dispatch('TYPING_START', 2)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
    socket.dispatch('TYPING_START', 3)
    expect(socket.of(HEARTBEAT)).toHaveLength(2)
  })

  test('looks at the link before it uses it', async () => {
    const { harness, socket } = await live()
    await harness.link.send(8, { guild_id: '1' })
    expect(socket.sent.slice(-2).map(({ op }) => op)).toEqual([HEARTBEAT, 8])
  })

  test('finds a dead link long before the next heartbeat', async () => {
    const { harness, socket } = await live()
    socket.dispatch('TYPING_START', 2)
    harness.clock.advance(9999)
    expect(socket.closedWith).toBeUndefined()
    harness.clock.advance(1)
    expect(socket.closedWith).toBe(4000)
  })

  test('goes on as before with a link that answers', async () => {
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

test('a timer that comes far too late is a sleep too: the answer may lie unread, so one more is sent', async () => {
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
