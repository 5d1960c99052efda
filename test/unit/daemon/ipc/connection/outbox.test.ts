import { describe, expect, test } from 'vitest'
import { Outbox } from '../../../../../daemon/src/ipc/connection/outbox.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { MemoryLink } from '../../../../support/memory-link.ts'

const PACE_MS = 3

function outbox() {
  const clock = new FakeClock()
  const link = new MemoryLink()
  const paced = { times: 0 }
  const box = new Outbox(link, clock, () => paced.times++)
  /** Frames, named by one letter each, as one turn of the daemon gives them. */
  const send = (letters: string): void => {
    for (const letter of letters) box.push(Buffer.from(letter))
    box.flush()
  }
  const writes = (): string[] => link.writes.map(String)
  return { box, clock, link, send, writes, paced }
}

describe('a peer that takes one read for one frame', () => {
  test('is answered at once when it goes in lock-step', () => {
    const { box, send, writes, clock } = outbox()
    for (const letter of 'abcdef') {
      box.heard()
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
    box.heard()
    box.flush()
    expect(writes()).toEqual(['a', 'b'])
    expect(clock.pending).toBe(0)
  })

  test('gets a short burst frame by frame, each in a write of its own', () => {
    const { send, writes, clock } = outbox()
    send('abcdefg')
    for (let count = 1; count <= 7; count++) {
      expect(writes()).toEqual(Array.from('abcdefg').slice(0, count))
      clock.advance(PACE_MS)
    }
    expect(clock.pending).toBe(0)
  })

  test('gets frames that come while others wait in their order', () => {
    const { box, send, writes, clock } = outbox()
    send('ab')
    send('c')
    box.heard()
    send('d')
    expect(writes()).toEqual(['a', 'b'])
    clock.advance(PACE_MS)
    clock.advance(PACE_MS)
    expect(writes()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('is not asked again and again to be patient: a flush does not put off the next frame', () => {
    const { box, send, writes, clock } = outbox()
    send('ab')
    clock.advance(2)
    box.flush()
    clock.advance(1)
    expect(writes()).toEqual(['a', 'b'])
  })

  test('lets its owner know that less waits', () => {
    const { send, clock, paced } = outbox()
    send('abc')
    clock.advance(PACE_MS)
    expect(paced.times).toBe(1)
  })
})

describe('a peer that parses streams', () => {
  test('by its own word gets everything in one write', () => {
    const { box, send, writes } = outbox()
    box.allowStreams()
    send('abc')
    send('d')
    expect(writes()).toEqual(['abc', 'd'])
  })

  test('is known by eight answers waiting at once, from then on', () => {
    const { send, writes, clock } = outbox()
    send('abcdefgh')
    send('i')
    send('jk')
    expect(writes()).toEqual(['abcdefgh', 'i', 'jk'])
    expect(clock.pending).toBe(0)
  })
})

describe('events', () => {
  test('are no sign that a peer parses streams, however many wait', () => {
    const { box, send, writes, clock } = outbox()
    for (const letter of 'abcdefghij') box.pushEvent(Buffer.from(letter))
    box.flush()
    expect(writes()).toEqual(['a'])
    send('k')
    clock.advance(100)
    expect(writes()).toEqual(Array.from('abcdefghijk'))
  })
  test('between answers do not hide eight of these', () => {
    const { box, send, writes } = outbox()
    for (const letter of 'xyz') box.pushEvent(Buffer.from(letter))
    send('abcdefgh')
    expect(writes()).toEqual(['xyzabcdefgh'])
  })
})

describe('the last words', () => {
  test('go out at once with all that waits, and no timer stays', () => {
    const { box, send, writes, clock } = outbox()
    send('abc')
    box.push(Buffer.from('z'))
    box.flushAll()
    expect(writes()).toEqual(['a', 'bcz'])
    expect(clock.pending).toBe(0)
  })
  test('of nothing are nothing', () => {
    const { box, link } = outbox()
    box.flushAll()
    box.flush()
    expect(link.writes).toEqual([])
  })
})

test('what is forgotten never goes out', () => {
  const { box, send, writes, clock } = outbox()
  send('ab')
  box.clear()
  clock.advance(1000)
  expect(writes()).toEqual(['a'])
  expect(clock.pending).toBe(0)
})

describe('the state counts what waits here and what the system has not taken', () => {
  const HIGH = 256 * 1024
  const LIMIT = 4 * 1024 * 1024
  test.each([
    [0, 0, 'flowing'],
    [HIGH, 0, 'flowing'],
    [HIGH + 1, 0, 'congested'],
    [0, HIGH + 1, 'congested'],
    [HIGH, 1, 'congested'],
    [LIMIT / 2, LIMIT / 2, 'congested'],
    [LIMIT / 2, LIMIT / 2 + 1, 'overflowing'],
  ] as const)('%d here and %d there: %s', (here, there, state) => {
    const { box, link } = outbox()
    box.push(Buffer.alloc(here))
    link.pendingBytes = there
    expect(box.state).toBe(state)
  })
  test('what was sent no longer counts', () => {
    const { box } = outbox()
    box.push(Buffer.alloc(HIGH + 1))
    box.flush()
    expect(box.state).toBe('flowing')
  })
})
