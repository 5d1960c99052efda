import { beforeEach, describe, expect, test } from 'vitest'
import { PresenceArbiter } from '../../../../daemon/src/presence/arbiter.ts'
import type { Presence } from '../../../../daemon/src/presence/sink.ts'
import { latestPresence } from '../../../../daemon/src/presence/sinks/latest.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { heldBytes } from '../../../support/memory.ts'

const WINDOW_MS = 20_000

let clock: FakeClock
let shown: [applicationId: string, details: string | undefined][]
let arbiter: PresenceArbiter

beforeEach(() => {
  clock = new FakeClock()
  shown = []
  arbiter = new PresenceArbiter(clock, [{ show: (id, presence) => shown.push([id, presence?.stored.activity.details ?? undefined]) }])
})

const presence = (sessionId: number, details: string, applicationId = 'app'): Presence => ({
  applicationId,
  sessionId,
  claimedPid: undefined,
  stored: { activity: { name: '', type: 0, details }, secrets: undefined },
  since: clock.now(),
})
const set = (sessionId: number, details: string, applicationId?: string): void => arbiter.set(presence(sessionId, details, applicationId))
const texts = (): (string | undefined)[] => shown.map(([, details]) => details)
const current = (): (string | null | undefined)[] => arbiter.current().map(({ stored }) => stored.activity.details)

describe('of several sessions of one application', () => {
  test('the newest is shown', () => {
    set(1, 'old')
    set(2, 'new')
    expect(texts()).toEqual(['old', 'new'])
    expect(current()).toEqual(['new'])
  })
  test('the one before shows again when the newest goes', () => {
    set(1, 'old')
    set(2, 'new')
    arbiter.clear('app', 2)
    expect(texts()).toEqual(['old', 'new', 'old'])
    arbiter.clear('app', 1)
    expect(texts().at(-1)).toBeUndefined()
    expect(current()).toEqual([])
  })
  test('one that is not shown goes without a word, and without a part of the budget', () => {
    set(1, 'old')
    set(2, 'new')
    arbiter.clear('app', 1)
    expect(texts()).toEqual(['old', 'new'])
    for (const details of ['3rd', '4th', '5th']) set(2, details)
    expect(texts()).toHaveLength(5)
  })
  test('an older one that sets again becomes the newest', () => {
    set(1, 'a')
    set(2, 'b')
    set(1, 'c')
    expect(current()).toEqual(['c'])
    arbiter.clear('app', 1)
    expect(current()).toEqual(['b'])
  })
  test('clearing what was never set says nothing', () => {
    arbiter.clear('app', 1)
    set(1, 'a')
    arbiter.clear('app', 2)
    arbiter.clear('other', 1)
    expect(texts()).toEqual(['a'])
  })
})

describe('outward', () => {
  test('five go at once, and of the rest the newest when the window allows', () => {
    for (let count = 1; count <= 9; count++) set(1, `${count}`)
    expect(texts()).toEqual(['1', '2', '3', '4', '5'])
    expect(current()).toEqual(['9'])
    clock.advance(WINDOW_MS - 1)
    expect(texts()).toHaveLength(5)
    clock.advance(1)
    expect(texts().slice(5)).toEqual(['9'])
    expect(clock.pending).toBe(0)
  })
  test('never more than five in any window', () => {
    const times: number[] = []
    const counted = new PresenceArbiter(clock, [{ show: () => times.push(clock.now()) }])
    for (let count = 0; count < 300; count++) {
      counted.set(presence(1, String(count)))
      clock.advance(777)
    }
    clock.advance(WINDOW_MS)
    for (const [index, at] of times.entries()) {
      const sixth = times[index + 5]
      if (sixth !== undefined) expect(sixth - at).toBeGreaterThanOrEqual(WINDOW_MS)
    }
    expect(times.length).toBeGreaterThan(50)
  })
  test('a clear that waits is not lost', () => {
    for (let count = 1; count <= 5; count++) set(1, `${count}`)
    arbiter.clear('app', 1)
    clock.advance(WINDOW_MS)
    expect(texts()).toEqual(['1', '2', '3', '4', '5', undefined])
  })
  test('what came back to what is shown needs no update', () => {
    for (let count = 1; count <= 5; count++) set(1, `${count}`)
    set(2, 'passing')
    arbiter.clear('app', 2)
    clock.advance(WINDOW_MS * 2)
    expect(texts()).toEqual(['1', '2', '3', '4', '5'])
  })
  test('applications do not share a budget', () => {
    for (let count = 1; count <= 6; count++) set(1, `${count}`, 'one')
    set(2, 'x', 'two')
    expect(shown.at(-1)).toEqual(['two', 'x'])
  })
  test('nothing waits any more after the stop', () => {
    for (let count = 1; count <= 6; count++) set(1, `${count}`)
    arbiter.stop()
    expect(clock.pending).toBe(0)
  })
  test('every sink is told', () => {
    const latest = [latestPresence(), latestPresence()]
    const several = new PresenceArbiter(clock, latest)
    several.set(presence(1, 'a'))
    several.set(presence(2, 'b', 'other'))
    for (const sink of latest) expect(sink.all().map(({ stored }) => stored.activity.details)).toEqual(['a', 'b'])
    several.clear('app', 1)
    for (const sink of latest) expect(sink.all()).toHaveLength(1)
  })
})

test('thousands of applications that came and went cost next to nothing', () => {
  const pass = (from: number): void => {
    for (let index = from; index < from + 2000; index++) {
      set(index, 'x', `app-${index}`)
      arbiter.clear(`app-${index}`, index)
      clock.advance(WINDOW_MS / 4)
    }
    shown = []
  }
  pass(0)
  const before = heldBytes()
  pass(2000)
  pass(4000)
  expect(arbiter.current()).toEqual([])
  expect(heldBytes() - before).toBeLessThan(512 * 1024)
})
