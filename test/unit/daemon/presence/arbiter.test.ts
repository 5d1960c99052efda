import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PresenceArbiter } from '#daemon/src/presence/arbiter.ts'
import { OwnerMap } from '#daemon/src/presence/owner-map.ts'
import { Signal } from '@sallyport/core/signal'
import type { Presence, PresenceOwner, PresenceSink } from '#daemon/src/presence/sink.ts'
import { createPresenceStore } from '#daemon/src/presence/presence-store.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { heldBytes } from '#test/support/memory.ts'

const WINDOW_MS = 20_000

let clock: FakeClock
/** Each by its user, or by the application without a user. */
let shown: [whose: string, details: string | undefined][]
let arbiter: PresenceArbiter
/** The users of sessions. */
let users: Map<number, string>

const arbiterOf = (...sinks: readonly PresenceSink[]): PresenceArbiter =>
  new PresenceArbiter({ clock, sinks, userOf: (sessionId) => users.get(sessionId) })

beforeEach(() => {
  clock = new FakeClock()
  shown = []
  users = new Map()
  arbiter = arbiterOf({
    show: ({ applicationId, userId }, presence) =>
      shown.push([userId === undefined ? applicationId : userId, presence?.stored.activity.details ?? undefined]),
  })
})

const presence = (sessionId: number, details: string, applicationId = 'app'): Omit<Presence, 'userId'> => ({
  applicationId,
  sessionId,
  claimedPid: undefined,
  stored: { activity: { name: '', type: 0, details }, secrets: undefined },
  since: clock.now(),
})
const set = (sessionId: number, details: string, applicationId?: string): void =>
  void arbiter.set(presence(sessionId, details, applicationId))
const texts = (): (string | undefined)[] => shown.map(([, details]) => details)
const current = (): (string | null | undefined)[] => arbiter.current().map(({ stored }) => stored.activity.details)

describe('of several sessions of one application', () => {
  test('the latest is shown', { tags: ['1-5'] }, () => {
    set(1, 'old')
    set(2, 'new')
    expect(texts()).toEqual(['old', 'new'])
    expect(current()).toEqual(['new'])
  })
  test('the previous one is shown again when the latest is cleared', () => {
    set(1, 'old')
    set(2, 'new')
    arbiter.clear('app', 2)
    expect(texts()).toEqual(['old', 'new', 'old'])
    arbiter.clear('app', 1)
    expect(texts().at(-1)).toBeUndefined()
    expect(current()).toEqual([])
  })
  test('one that is not shown is cleared without an update', () => {
    set(1, 'old')
    set(2, 'new')
    arbiter.clear('app', 1)
    expect(texts()).toEqual(['old', 'new'])
    for (const details of ['3rd', '4th', '5th']) set(2, details)
    expect(texts()).toHaveLength(5)
  })
  test('an older one that sets again becomes the latest', () => {
    set(1, 'a')
    set(2, 'b')
    set(1, 'c')
    expect(current()).toEqual(['c'])
    arbiter.clear('app', 1)
    expect(current()).toEqual(['b'])
  })
  test('clearing without a presence sends no update', () => {
    arbiter.clear('app', 1)
    set(1, 'a')
    arbiter.clear('app', 2)
    arbiter.clear('other', 1)
    expect(texts()).toEqual(['a'])
  })
})

describe('of several users of one application', () => {
  beforeEach(() => {
    users = new Map([
      [1, 'ada'],
      [2, 'grace'],
    ])
  })
  test('each shows their own presence, and is cleared alone', { tags: ['1-5'] }, () => {
    set(1, 'of ada')
    set(2, 'of grace')
    expect(current()).toEqual(['of ada', 'of grace'])
    arbiter.clear('app', 2)
    expect(shown).toEqual([
      ['ada', 'of ada'],
      ['grace', 'of grace'],
      ['grace', undefined],
    ])
    expect(arbiter.of({ applicationId: 'app', userId: 'ada' })?.stored.activity.details).toBe('of ada')
    expect(arbiter.of({ applicationId: 'app', userId: 'grace' })).toBeUndefined()
  })
  test('each has their own limit', () => {
    for (let count = 1; count <= 6; count++) set(1, `${count}`)
    set(2, 'of grace')
    expect(shown.at(-1)).toEqual(['grace', 'of grace'])
  })
  test('a presence set before sign-in moves to the user, and is cleared for the machine only after that', () => {
    set(3, 'of no user yet')
    users.set(3, 'linus')
    arbiter.usersChanged('app')
    expect(shown).toEqual([
      ['app', 'of no user yet'],
      ['linus', 'of no user yet'],
      ['app', undefined],
    ])
    users.delete(3)
    arbiter.usersChanged('app')
    expect(shown.slice(3)).toEqual([
      ['app', 'of no user yet'],
      ['linus', undefined],
    ])
  })
  test('a session that changes its user neither replaces the newer one of that user, nor shows the presence of another', () => {
    set(1, 'older')
    set(2, 'newer')
    users.set(1, 'grace')
    arbiter.usersChanged('app')
    expect(current()).toEqual(['newer'])
    expect(shown.slice(2)).toEqual([['ada', undefined]])
    arbiter.clear('app', 2)
    expect(shown.at(-1)).toEqual(['grace', 'older'])
  })
  test('two sessions that change their users at once are both updated', () => {
    users.clear()
    for (const sessionId of [3, 4]) set(sessionId, `by ${sessionId}`)
    users.set(3, 'linus').set(4, 'mary')
    arbiter.usersChanged('app')
    for (const sessionId of [3, 4]) arbiter.clear('app', sessionId)
    expect(arbiter.current()).toEqual([])
    expect(shown.slice(-2)).toEqual([
      ['linus', undefined],
      ['mary', undefined],
    ])
  })
  test('a change of other users sends no update', () => {
    set(1, 'of ada')
    arbiter.usersChanged('app')
    arbiter.usersChanged('other')
    expect(shown).toHaveLength(1)
  })
})

describe('outward', () => {
  test('five updates are sent at once, and of the rest the latest when the window allows', () => {
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
    const counted = arbiterOf({ show: () => times.push(clock.now()) })
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
  test.each([3_600_000, -3_600_000])('a clock that is set back by %i ms neither delays updates nor lets more pass', (ms) => {
    for (let count = 1; count <= 5; count++) set(1, `${count}`)
    clock.setBack(ms)
    for (let count = 6; count <= 11; count++) set(1, `${count}`)
    expect(texts()).toHaveLength(5)
    clock.advance(WINDOW_MS)
    expect(texts().at(-1)).toBe('11')
  })
  test('a clear that waits is not lost', () => {
    for (let count = 1; count <= 5; count++) set(1, `${count}`)
    arbiter.clear('app', 1)
    clock.advance(WINDOW_MS)
    expect(texts()).toEqual(['1', '2', '3', '4', '5', undefined])
  })
  test('returning to the shown presence sends no update', () => {
    for (let count = 1; count <= 5; count++) set(1, `${count}`)
    set(2, 'passing')
    arbiter.clear('app', 2)
    clock.advance(WINDOW_MS * 2)
    expect(texts()).toEqual(['1', '2', '3', '4', '5'])
  })
  test('applications do not share a limit', () => {
    for (let count = 1; count <= 6; count++) set(1, `${count}`, 'one')
    set(2, 'x', 'two')
    expect(shown.at(-1)).toEqual(['two', 'x'])
  })
  test('no timer is left after stop', () => {
    for (let count = 1; count <= 6; count++) set(1, `${count}`)
    arbiter.stop()
    expect(clock.pending).toBe(0)
  })
  test('every sink is updated', () => {
    const latest = [createPresenceStore(), createPresenceStore()]
    const several = arbiterOf(...latest)
    several.set(presence(1, 'a'))
    several.set(presence(2, 'b', 'other'))
    for (const sink of latest) expect(sink.all().map(({ stored }) => stored.activity.details)).toEqual(['a', 'b'])
    several.clear('app', 1)
    for (const sink of latest) expect(sink.all()).toHaveLength(1)
  })
})

test('thousands of cleared applications use almost no memory', () => {
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

test.each([1_000, 10_000])('among %d applications a new one looks at two others on average', (count) => {
  const all = vi.spyOn(OwnerMap.prototype, 'all')
  try {
    for (let index = 0; index < count; index++) set(index, 'x', `app-${index}`)
    const visited = all.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0)
    expect(visited).toBeGreaterThan(0)
    expect(visited).toBeLessThanOrEqual(2 * count)
  } finally {
    all.mockRestore()
  }
})

test('each owner shows their latest presence after random changes of sessions and users', () => {
  let seed = 7
  const below = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * most)
  }
  const out = new Map<string | undefined, string | undefined>()
  const followed = arbiterOf({ show: ({ userId }, one) => out.set(userId, one?.stored.activity.details ?? undefined) })
  /** By session; the latest is last. */
  const wanted = new Map<number, string>()
  for (let step = 0; step < 3_000; step++) {
    const sessionId = below(6)
    const act = below(4)
    if (act < 2) {
      wanted.delete(sessionId)
      wanted.set(sessionId, `step ${step}`)
      followed.set(presence(sessionId, `step ${step}`))
    } else if (act === 2) {
      wanted.delete(sessionId)
      followed.clear('app', sessionId)
    } else {
      // Several at once, as when the user of a process signs out.
      for (let count = below(3); count >= 0; count--) {
        if (below(3) === 0) users.delete(below(6))
        else users.set(below(6), `user ${below(4)}`)
      }
      followed.usersChanged('app')
    }
    clock.advance(WINDOW_MS)
    const expected = new Map([...wanted].map(([id, details]) => [users.get(id), details]))
    expect(new Map([...out].filter(([, details]) => details !== undefined)), `step ${step}`).toEqual(expected)
    expect(new Map(followed.current().map(({ userId, stored }) => [userId, stored.activity.details]))).toEqual(expected)
  }
  expect(clock.pending).toBe(0)
})

describe('while the user pauses presence', () => {
  test('sinks show nothing, games go on, and afterwards the latest of each owner is shown', () => {
    users.set(3, 'mary')
    set(1, 'before')
    set(3, 'of mary', 'other')
    arbiter.pause(true)
    expect(arbiter.isPaused).toBe(true)
    expect(shown.slice(2)).toEqual([
      ['app', undefined],
      ['mary', undefined],
    ])
    set(1, 'meanwhile')
    set(2, 'another game', 'new')
    expect(shown).toHaveLength(4)
    expect(current()).toEqual(['meanwhile', 'of mary', 'another game'])
    arbiter.pause(false)
    expect(shown.slice(4)).toEqual([
      ['app', 'meanwhile'],
      ['mary', 'of mary'],
      ['new', 'another game'],
    ])
  })
  test('a game that ends then is not shown afterwards', () => {
    set(1, 'before')
    arbiter.pause(true)
    arbiter.clear('app', 1)
    arbiter.pause(false)
    expect(texts()).toEqual(['before', undefined])
  })
  test('a channel that reconnects gets nothing again', () => {
    const resend = new Signal<PresenceOwner>()
    const sent: unknown[] = []
    arbiter = arbiterOf({
      show: (_, one) => sent.push(one?.stored.activity.details),
      resend,
    })
    set(1, 'before')
    arbiter.pause(true)
    resend.emit({ applicationId: 'app', userId: undefined })
    expect(sent).toEqual(['before', undefined])
  })
  test('the pause counts as an update, so within the window it is at most twenty seconds late', () => {
    for (const details of ['1', '2', '3', '4', '5']) set(1, details)
    arbiter.pause(true)
    expect(texts()).toHaveLength(5)
    clock.advance(WINDOW_MS)
    expect(texts().at(-1)).toBeUndefined()
    arbiter.pause(false)
    expect(texts().at(-1)).toBe('5')
  })
  test('a bridge that starts paused shows nothing until it is resumed', () => {
    arbiter = new PresenceArbiter({
      clock,
      sinks: [{ show: (_, one) => shown.push(['app', one?.stored.activity.details ?? undefined]) }],
      userOf: () => undefined,
      isPaused: true,
    })
    set(1, 'hidden')
    expect(shown).toEqual([])
    arbiter.pause(false)
    expect(texts()).toEqual(['hidden'])
  })
})
