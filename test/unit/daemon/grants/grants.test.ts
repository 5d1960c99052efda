import { describe, expect, test } from 'vitest'
import { Grants } from '../../../../daemon/src/grants/grants.ts'
import type { Program } from '../../../../daemon/src/identity/program.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { FakeGrantStore } from '../../../support/fakes.ts'

const DAY = 86_400_000
const GAME: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4' }
const CHANGED = { ...GAME, file: '1:2:3:5' }
const ADA = { program: GAME, applicationId: '7', userId: 'ada' }

function start(store = new FakeGrantStore(), clock = new FakeClock()) {
  let count = 0
  const make = () => new Grants({ platform: 'test', store, clock, newId: () => `id${++count}` })
  return { store, clock, make, grants: make() }
}

test('what is allowed is stored, and known after a restart, on its platform only', () => {
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
      grantedAt: clock.now(),
      lastUsedAt: clock.now(),
    },
  ])
  expect(new Grants({ platform: 'other', store, clock, newId: () => 'x' }).live()).toEqual([])
})

test('what could not be stored does not count', () => {
  const { grants, store } = start()
  store.put = () => {
    throw new Error('disk full')
  }
  expect(() => grants.allow(ADA, ['identify'], {})).toThrow('disk full')
  expect(grants.live()).toEqual([])
})

describe('scopes', () => {
  test('grow as the user allows more, and begin anew with another file', () => {
    const { grants } = start()
    grants.allow(ADA, ['identify'], {})
    expect(grants.allow(ADA, ['identify', 'guilds'], {}).scopes).toEqual(['identify', 'guilds'])
    expect(grants.allow({ ...ADA, program: CHANGED }, ['email'], {})).toMatchObject({ id: 'id1', scopes: ['email'], program: CHANGED })
    expect(grants.allowed(GAME, '7')).toEqual([])
    expect(grants.live()).toHaveLength(1)
  })
  test('are found at their place, whatever became of it, and elsewhere not', () => {
    const { grants, clock } = start()
    grants.allow(ADA, ['identify'], {})
    grants.allow({ ...ADA, userId: 'bob' }, ['email'], {})
    clock.advance(30 * DAY)
    for (const program of [GAME, CHANGED]) expect(grants.atPlace(program, '7').map(({ userId }) => userId)).toEqual(['ada', 'bob'])
    expect(grants.atPlace({ ...GAME, executable: '/tmp/one' }, '7')).toEqual([])
    expect(grants.atPlace(GAME, '8')).toEqual([])
  })
  test('of a token that a program brought allow nothing, and change nothing that is allowed', () => {
    const { grants } = start()
    grants.broughtToken(ADA, ['identify'], {})
    expect(grants.live()).toMatchObject([{ basis: 'token', scopes: ['identify'] }])
    expect(grants.allowed(GAME, '7')).toEqual([])
    grants.broughtToken(ADA, ['guilds'], {})
    expect(grants.live()).toMatchObject([{ basis: 'token', scopes: ['guilds'] }])
    grants.allow(ADA, ['identify'], {})
    grants.broughtToken(ADA, ['email'], {})
    expect(grants.live()).toMatchObject([{ basis: 'allowed', scopes: ['identify'] }])
  })
})

test('uses are written at most daily, names as soon as they are known', () => {
  const { grants, store, clock } = start()
  grants.allow(ADA, ['identify'], {})
  clock.advance(DAY - 1)
  grants.used(ADA, {})
  expect(store.writes).toBe(1)
  grants.used(ADA, { username: 'ada' })
  expect(store.writes).toBe(2)
  grants.used(ADA, { username: 'ada' })
  expect(store.writes).toBe(2)
  clock.advance(DAY)
  grants.used(ADA, {})
  expect(grants.live()).toMatchObject([{ lastUsedAt: clock.now(), username: 'ada' }])
})

test('a use by an earlier file is none of the file that lies there now', () => {
  const { grants, store, clock } = start()
  grants.allow(ADA, ['identify'], {})
  clock.advance(2 * DAY)
  grants.used({ ...ADA, program: CHANGED }, {})
  expect(store.writes).toBe(1)
})

test('what nobody used for thirty days is not live, and is swept away', () => {
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

test('the end of an account takes the grants of all its programs, and nobody else’s', () => {
  const { grants, store } = start()
  grants.allow(ADA, ['identify'], {})
  grants.broughtToken({ ...ADA, program: { ...GAME, executable: '/games/two' } }, ['identify'], {})
  grants.allow({ ...ADA, userId: 'bob' }, ['identify'], {})
  grants.allow({ ...ADA, applicationId: '8' }, ['identify'], {})
  grants.endAccount('7', 'ada')
  expect([...store.rows.values()].map((row) => `${row.applicationId} ${row.userId}`)).toEqual(['7 bob', '8 ada'])
  expect(grants.remove('id1')).toBeUndefined()
  expect(grants.remove('id3')).toMatchObject({ userId: 'bob' })
  expect(grants.live()).toHaveLength(1)
})

test('an id that is taken is not given again', () => {
  const store = new FakeGrantStore()
  const ids = ['same', 'same', 'other']
  const grants = new Grants({ platform: 'test', store, clock: new FakeClock(), newId: () => ids.shift() ?? 'none' })
  grants.allow(ADA, [], {})
  expect(grants.allow({ ...ADA, userId: 'bob' }, [], {}).id).toBe('other')
})
