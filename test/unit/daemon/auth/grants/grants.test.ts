import { describe, expect, test } from 'vitest'
import { Grants } from '#daemon/src/auth/grants/grants.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { FakeGrantStore } from '#test/support/fakes.ts'

const DAY = 86_400_000
const GAME: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4' }
const CHANGED = { ...GAME, file: '1:2:3:5' }
const ADA = { program: GAME, applicationId: '7', userId: 'ada' }

function start(store = new FakeGrantStore(), clock = new FakeClock()) {
  let count = 0
  const make = () => new Grants({ platform: 'test', store, clock, newId: () => `id${++count}` })
  return { store, clock, make, grants: make() }
}

test('an allowed grant is stored and loaded after a restart, on its platform only', () => {
  const { grants, store, clock, make } = start()
  grants.allow(ADA, ['identify'], { applicationName: 'Game', username: 'ada' })
  expect(make().live()).toEqual([
    {
      id: 'id1',
      platform: 'test',
      applicationId: '7',
      applicationName: 'Game',
      userId: 'ada',
      username: 'ada',
      program: GAME,
      basis: 'allowed',
      scopes: ['identify'],
      deniedScopes: [],
      presence: 'shown',
      lasts: 'kept',
      grantedAt: clock.now(),
      lastUsedAt: clock.now(),
    },
  ])
  expect(new Grants({ platform: 'other', store, clock, newId: () => 'x' }).live()).toEqual([])
})

test('a grant that could not be stored does not count', () => {
  const { grants, store } = start()
  store.put = () => {
    throw new Error('disk full')
  }
  expect(() => grants.allow(ADA, ['identify'], {})).toThrow('disk full')
  expect(grants.live()).toEqual([])
})

describe('scopes', () => {
  test('accumulate as the user allows more, and start again with another file', () => {
    const { grants } = start()
    grants.allow(ADA, ['identify'], {})
    expect(grants.allow(ADA, ['identify', 'guilds'], {})?.scopes).toEqual(['identify', 'guilds'])
    expect(grants.allow({ ...ADA, program: CHANGED }, ['email'], {})).toMatchObject({ id: 'id1', scopes: ['email'], program: CHANGED })
    expect(grants.allowed(GAME, '7')).toEqual([])
    expect(grants.live()).toHaveLength(1)
  })
  test('are found for their path, even after a change of the file, and not for other paths', () => {
    const { grants, clock } = start()
    grants.allow(ADA, ['identify'], {})
    grants.allow({ ...ADA, userId: 'bob' }, ['email'], {})
    clock.advance(30 * DAY)
    for (const program of [GAME, CHANGED]) expect(grants.forPath(program, '7').map(({ userId }) => userId)).toEqual(['ada', 'bob'])
    expect(grants.forPath({ ...GAME, executable: '/tmp/one' }, '7')).toEqual([])
    expect(grants.forPath(GAME, '8')).toEqual([])
  })
  test('of an own token allow nothing and change no allowed scopes', () => {
    const { grants } = start()
    grants.recordOwnToken(ADA, ['identify'], {})
    expect(grants.live()).toMatchObject([{ basis: 'token', scopes: ['identify'] }])
    expect(grants.allowed(GAME, '7')).toEqual([])
    grants.recordOwnToken(ADA, ['guilds'], {})
    expect(grants.live()).toMatchObject([{ basis: 'token', scopes: ['guilds'] }])
    grants.allow(ADA, ['identify'], {})
    grants.recordOwnToken(ADA, ['email'], {})
    expect(grants.live()).toMatchObject([{ basis: 'allowed', scopes: ['identify'] }])
  })
})

test('uses are stored at most daily, display names at once', () => {
  const { grants, store, clock } = start()
  grants.allow(ADA, ['identify'], {})
  clock.advance(DAY - 1)
  grants.touch(ADA, {})
  expect(store.writes).toBe(1)
  grants.touch(ADA, { username: 'ada' })
  expect(store.writes).toBe(2)
  grants.touch(ADA, { username: 'ada' })
  expect(store.writes).toBe(2)
  clock.advance(DAY)
  grants.touch(ADA, {})
  expect(grants.live()).toMatchObject([{ lastUsedAt: clock.now(), username: 'ada' }])
})

test('a use by an earlier file does not touch the grant of the current file', () => {
  const { grants, store, clock } = start()
  grants.allow(ADA, ['identify'], {})
  clock.advance(2 * DAY)
  grants.touch({ ...ADA, program: CHANGED }, {})
  expect(store.writes).toBe(1)
})

test('a grant without a use for thirty days is not live, and is swept', () => {
  const { grants, store, clock } = start()
  grants.allow(ADA, ['identify'], {})
  clock.advance(29 * DAY)
  grants.allow({ ...ADA, userId: 'bob' }, ['identify'], {})
  clock.advance(DAY)
  expect(grants.live().map(({ userId }) => userId)).toEqual(['bob'])
  expect(grants.sweep().map(({ userId }) => userId)).toEqual(['ada'])
  expect(store.rows.size).toBe(1)
  expect(grants.sweep()).toEqual([])
})

test('deleting an account deletes the grants of all its programs, and no others', () => {
  const { grants, store } = start()
  grants.allow(ADA, ['identify'], {})
  grants.recordOwnToken({ ...ADA, program: { ...GAME, executable: '/games/two' } }, ['identify'], {})
  grants.allow({ ...ADA, userId: 'bob' }, ['identify'], {})
  grants.allow({ ...ADA, applicationId: '8' }, ['identify'], {})
  grants.deleteAccount(ADA)
  expect([...store.rows.values()].map((row) => `${row.applicationId} ${row.userId}`)).toEqual(['7 bob', '8 ada'])
  expect(grants.remove('id1')).toBeUndefined()
  expect(grants.remove('id3')).toMatchObject({ userId: 'bob' })
  expect(grants.live()).toHaveLength(1)
})

test('an id in use is not assigned again', () => {
  const store = new FakeGrantStore()
  const ids = ['same', 'same', 'other']
  const grants = new Grants({ platform: 'test', store, clock: new FakeClock(), newId: () => ids.shift() ?? 'none' })
  grants.allow(ADA, [], {})
  expect(grants.allow({ ...ADA, userId: 'bob' }, [], {})?.id).toBe('other')
})

describe('the command line', () => {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE
  const inTerminal = (session: string) => ({ ...ADA, program: { ...GAME, session: `tty:${session}` } })
  const A = inTerminal('1:1')

  test('has a separate grant in each terminal', () => {
    const { grants, store, make } = start()
    grants.allow(A, ['identify'], {})
    expect(grants.allowed(A.program, '7')).toHaveLength(1)
    for (const program of [inTerminal('1:2').program, inTerminal('2:1').program, GAME]) expect(grants.allowed(program, '7')).toEqual([])
    expect(make().allowed(A.program, '7')).toHaveLength(1)
    expect(store.rows.size).toBe(1)
  })
  test('ends after ten minutes without a use, and no late use renews it', () => {
    const { grants, clock } = start()
    grants.allow(A, ['identify'], {})
    for (let uses = 0; uses < 3; uses++) {
      clock.advance(10 * MINUTE - 1)
      expect(grants.allowed(A.program, '7')).toHaveLength(1)
      grants.touch(A, {})
    }
    clock.advance(10 * MINUTE)
    grants.touch(A, {})
    expect(grants.allowed(A.program, '7')).toEqual([])
    expect(grants.live()).toEqual([])
  })
  test('is stored with each use, at most once a second', () => {
    const { grants, store, clock } = start()
    grants.allow(A, ['identify'], {})
    clock.advance(999)
    grants.touch(A, {})
    expect(store.writes).toBe(1)
    clock.advance(1)
    grants.touch(A, {})
    expect(store.writes).toBe(2)
  })
  test('lasts twelve hours even with uses and repeated sign-ins; more scopes start a new period', () => {
    const { grants, clock } = start()
    const begun = grants.allow(A, ['identify'], {})?.grantedAt
    for (let minutes = 0; minutes < 12 * 60 - 5; minutes += 5) {
      clock.advance(5 * MINUTE)
      expect(grants.allow(A, ['identify'], {})?.grantedAt).toBe(begun)
    }
    expect(grants.allowed(A.program, '7')).toHaveLength(1)
    clock.advance(5 * MINUTE)
    expect(grants.allowed(A.program, '7')).toEqual([])
    expect(grants.allow(A, ['identify'], {})?.grantedAt).toBe(clock.now())
    clock.advance(HOUR / 12)
    expect(grants.allow(A, ['guilds'], {})?.grantedAt).toBe(clock.now())
  })
  test('leaves one row per account when its terminals are closed, until that is stale', () => {
    const { grants, store, clock } = start()
    for (const session of ['1:1', '2:2', '3:3']) {
      grants.allow(inTerminal(session), ['identify'], {})
      clock.advance(11 * MINUTE)
    }
    expect(store.rows.size).toBe(2)
    expect(grants.sweep()).toHaveLength(1)
    expect(grants.sweep()).toEqual([])
    expect([grants.live(), grants.isInUse(ADA)]).toEqual([[], true])
    clock.advance(30 * DAY)
    expect(grants.isInUse(ADA)).toBe(false)
    expect(grants.sweep()).toHaveLength(1)
    expect(store.rows.size).toBe(0)
  })
  test('leaves no row when a game has a grant of the same account', () => {
    const { grants, clock } = start()
    grants.allow(A, ['identify'], {})
    clock.advance(MINUTE)
    grants.allow(ADA, ['identify'], {})
    clock.advance(HOUR)
    expect(grants.sweep()).toMatchObject([{ program: A.program }])
    expect(grants.live()).toMatchObject([{ program: GAME }])
  })
})
