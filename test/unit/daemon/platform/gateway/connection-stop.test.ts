/** Stopping a connection in every phase: nothing remains, no callback runs, and it can start again. */
import { describe, expect, test } from 'vitest'
import { settled } from '#test/support/fake-clock.ts'
import { Harness, INTERVAL_MS } from './harness.ts'

const hello = { heartbeat_interval: INTERVAL_MS }

describe('stop', () => {
  test('ends the session with 1000, resolves when the socket is closed, and calls nothing afterwards', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const before = [harness.states.length, harness.dispatches.length]
    let isStopped = false
    const stopped = harness.connection.stop().then(() => {
      isStopped = true
    })
    expect(socket.closedWith).toBe(1000)
    await settled()
    expect(isStopped).toBe(false)
    socket.dispatch('GUILD_CREATE', 2)
    socket.closed(1000)
    await stopped
    expect(harness.clock.pending).toBe(0)
    expect([harness.states.length, harness.dispatches.length]).toEqual(before)
  })

  test('does not wait long for a close frame', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    const stopped = harness.connection.stop()
    await harness.pass(1000)
    await stopped
    expect(socket.isDestroyed).toBe(true)
    expect(harness.clock.pending).toBe(0)
  })

  test.each([
    ['before it was started', async () => {}],
    ['while it asks', async (harness: Harness) => harness.connection.start()],
    [
      'while it waits',
      async (harness: Harness) => {
        const socket = await harness.started()
        socket.closed()
        await settled()
      },
    ],
    [
      'when it has ended',
      async (harness: Harness) => {
        const socket = await harness.live()
        socket.closed(4004)
      },
    ],
  ])('%s leaves nothing behind', async (_when, before) => {
    const harness = new Harness()
    await before(harness)
    const { length } = harness.sockets
    await harness.connection.stop()
    await settled()
    expect(harness.clock.pending).toBe(0)
    expect(harness.sockets).toHaveLength(length)
  })

  test('while it connects', async () => {
    const harness = new Harness()
    const socket = await harness.started()
    const stopped = harness.connection.stop()
    expect(socket.closedWith).toBe(1000)
    socket.closed()
    await stopped
    expect(harness.clock.pending).toBe(0)
  })

  test('while it closes for another reason', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.say(7)
    const stopped = harness.connection.stop()
    socket.closed(4000)
    await stopped
    expect(harness.clock.pending).toBe(0)
    expect(harness.sockets).toHaveLength(1)
  })

  test('can be followed by a start, even before the socket is gone: a new session begins', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    await harness.pass(5000)
    const stopped = harness.connection.stop()
    harness.connection.start()
    socket.closed(1000)
    await stopped
    const next = await harness.nextSocket()
    next.say(10, hello)
    expect(next.sent[0]?.op).toBe(2)
  })

  test('an ended connection can be started again', async () => {
    const harness = new Harness()
    const socket = await harness.live()
    socket.closed(4004)
    await harness.pass(5000)
    harness.connection.start()
    const next = await harness.nextSocket()
    next.say(10, hello)
    expect(next.sent[0]?.op).toBe(2)
  })
})
