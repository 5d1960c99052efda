import { describe, expect, test } from 'vitest'
import { FrameJoiner } from '#daemon/src/ipc/framing/encoder.ts'
import { Outbox } from '#daemon/src/ipc/framing/outbox.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { MemoryChannel } from '#test/support/memory-channel.ts'

const PACE_MS = 3

function outbox() {
  const clock = new FakeClock()
  const channel = new MemoryChannel()
  const paced = { times: 0 }
  const box = new Outbox(channel, clock, new FrameJoiner(), { onDrain: () => paced.times++ })
  /** Frames of one event-loop turn, each named by one letter. */
  const send = (letters: string): void => {
    for (const letter of letters) box.push(Buffer.from(letter))
    box.flush()
  }
  const writes = (): string[] => channel.writes.map(String)
  return { box, clock, channel, send, writes, paced }
}

describe('a peer that expects one frame per read', () => {
  test('gets each response immediately in lock-step', () => {
    const { box, send, writes, clock } = outbox()
    for (const letter of 'abcdef') {
      box.onPeerActivity()
      send(letter)
      expect(writes().at(-1)).toBe(letter)
    }
    expect(clock.pending).toBe(0)
  })

  test('gets a second frame after 3 ms and not before', () => {
    const { send, writes, clock } = outbox()
    send('a')
    send('b')
    clock.advance(PACE_MS - 1)
    expect(writes()).toEqual(['a'])
    clock.advance(1)
    expect(writes()).toEqual(['a', 'b'])
    expect(clock.pending).toBe(0)
  })

  test('gets a second frame as soon as it sends a byte', () => {
    const { box, send, writes, clock } = outbox()
    send('ab')
    expect(writes()).toEqual(['a'])
    box.onPeerActivity()
    box.flush()
    expect(writes()).toEqual(['a', 'b'])
    expect(clock.pending).toBe(0)
  })

  test('gets a short burst frame by frame, each in a separate write', () => {
    const { send, writes, clock } = outbox()
    send('abcdefg')
    for (let count = 1; count <= 7; count++) {
      expect(writes()).toEqual(Array.from('abcdefg').slice(0, count))
      clock.advance(PACE_MS)
    }
    expect(clock.pending).toBe(0)
  })

  test('gets frames in order, also those added while others wait', () => {
    const { box, send, writes, clock } = outbox()
    send('ab')
    send('c')
    box.onPeerActivity()
    send('d')
    expect(writes()).toEqual(['a', 'b'])
    clock.advance(PACE_MS)
    clock.advance(PACE_MS)
    expect(writes()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('does not wait longer because of a flush', () => {
    const { box, send, writes, clock } = outbox()
    send('ab')
    clock.advance(2)
    box.flush()
    clock.advance(1)
    expect(writes()).toEqual(['a', 'b'])
  })

  test('notifies its owner when the queue shrinks', () => {
    const { send, clock, paced } = outbox()
    send('abc')
    clock.advance(PACE_MS)
    expect(paced.times).toBe(1)
  })
})

describe('a peer that parses streams', () => {
  test('gets everything in one write if it declared streams', () => {
    const { box, send, writes } = outbox()
    box.enableBatching()
    send('abc')
    send('d')
    expect(writes()).toEqual(['abc', 'd'])
  })

  test('is recognized from eight queued responses on', () => {
    const { send, writes, clock } = outbox()
    send('abcdefgh')
    send('i')
    send('jk')
    expect(writes()).toEqual(['abcdefgh', 'i', 'jk'])
    expect(clock.pending).toBe(0)
  })
})

describe('events', () => {
  test('do not count as a sign of stream parsing in any number', () => {
    const { box, send, writes, clock } = outbox()
    for (const letter of 'abcdefghij') box.pushEvent(Buffer.from(letter))
    box.flush()
    expect(writes()).toEqual(['a'])
    send('k')
    clock.advance(100)
    expect(writes()).toEqual(Array.from('abcdefghijk'))
  })
  test('between responses do not hide eight of them', () => {
    const { box, send, writes } = outbox()
    for (const letter of 'xyz') box.pushEvent(Buffer.from(letter))
    send('abcdefgh')
    expect(writes()).toEqual(['xyzabcdefgh'])
  })
})

describe('the final flush', () => {
  test('sends everything in one write, and no timer remains', () => {
    const { box, send, writes, clock } = outbox()
    send('abc')
    box.push(Buffer.from('z'))
    box.flushAll()
    expect(writes()).toEqual(['a', 'bcz'])
    expect(clock.pending).toBe(0)
  })
  test('of an empty queue sends nothing', () => {
    const { box, channel } = outbox()
    box.flushAll()
    box.flush()
    expect(channel.writes).toEqual([])
  })
})

test('discarded frames are never sent', () => {
  const { box, send, writes, clock } = outbox()
  send('ab')
  box.clear()
  clock.advance(1000)
  expect(writes()).toEqual(['a'])
  expect(clock.pending).toBe(0)
})

describe('the queued bytes', () => {
  test('count frames until they are sent', () => {
    const { box, send, clock } = outbox()
    expect(box.queuedBytes).toBe(0)
    send('abc')
    expect(box.queuedBytes).toBe(2)
    clock.advance(PACE_MS)
    expect(box.queuedBytes).toBe(1)
    box.flushAll()
    expect(box.queuedBytes).toBe(0)
  })
  test('do not count discarded frames', () => {
    const { box } = outbox()
    box.push(Buffer.from('a'))
    box.clear()
    expect(box.queuedBytes).toBe(0)
  })
})
