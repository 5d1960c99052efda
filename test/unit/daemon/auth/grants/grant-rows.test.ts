/** Grants are found without a walk over all of them. The tests count how many fields are read. */
import { describe, expect, test } from 'vitest'
import type { Grant } from '#daemon/src/auth/grants/grant.ts'
import { Grants } from '#daemon/src/auth/grants/grants.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { FakeGrantStore } from '#test/support/fakes.ts'

const DAY = 86_400_000
const MANY = 1_000
/** Fields, of one or two rows. */
const FEW = 20

const programAt = (at: number): Program => ({ kind: 'native', uid: 1000, executable: `/games/${at}`, file: `1:${at}:3:4:5` })

/** Many grants, each of its own program and application, or of the application `shared`. */
function startWithMany(shared?: string) {
  const clock = new FakeClock()
  const store = new FakeGrantStore()
  let reads = 0
  for (let at = 0; at < MANY; at++) {
    const row: Grant = {
      id: `g${at}`,
      platform: 'test',
      applicationId: shared ?? `app${at}`,
      applicationName: `Name ${at}`,
      userId: 'ada',
      username: 'ada',
      program: programAt(at),
      basis: 'token',
      scopes: ['identify'],
      deniedScopes: [],
      presence: 'shown',
      lasts: 'kept',
      grantedAt: clock.now() + at,
      lastUsedAt: clock.now() + at,
    }
    store.put(
      new Proxy(row, {
        get: (grant, name) => {
          reads++
          return Reflect.get(grant, name) as unknown
        },
      }),
    )
  }
  const grants = new Grants({ platform: 'test', store, clock, newId: () => 'new' })
  const readsOf = (work: () => unknown): number => {
    reads = 0
    work()
    return reads
  }
  return { clock, grants, readsOf }
}

describe('the name of an application', () => {
  test('reads few fields when it is asked often, however many grants there are', () => {
    const { grants, readsOf } = startWithMany()
    expect(grants.applicationName('app7')).toBe('Name 7')
    expect(readsOf(() => grants.applicationName('app7'))).toBeLessThan(FEW)
    expect(readsOf(() => grants.applicationName('unheard of'))).toBe(0)
  })

  test('reads few fields also when all grants are of this application, and when none has a name', () => {
    const { clock, grants, readsOf } = startWithMany('shared')
    expect(grants.applicationName('shared')).toBe('Name 999')
    expect(readsOf(() => grants.applicationName('shared'))).toBeLessThan(FEW)
    clock.advance(31 * DAY)
    expect(grants.applicationName('shared')).toBeUndefined()
    expect(readsOf(() => grants.applicationName('shared'))).toBe(0)
  })

  test('follows a new, a changed, a removed and an ended grant', () => {
    const { clock, grants } = startWithMany('shared')
    expect(grants.applicationName('shared')).toBe('Name 999')
    clock.advance(DAY)
    grants.recordOwnToken({ program: programAt(1_000), applicationId: 'shared', userId: 'bob' }, ['identify'], { applicationName: 'Newer' })
    expect(grants.applicationName('shared')).toBe('Newer')
    grants.touch({ program: programAt(1_000), applicationId: 'shared', userId: 'bob' }, { applicationName: 'Renamed' })
    expect(grants.applicationName('shared')).toBe('Renamed')
    grants.remove('new')
    expect(grants.applicationName('shared')).toBe('Name 999')
    clock.advance(30 * DAY)
    expect(grants.applicationName('shared')).toBeUndefined()
  })
})

test('whether a program has a grant reads the grants of its path only', () => {
  const { grants, readsOf } = startWithMany()
  expect([grants.has(programAt(3)), grants.has(programAt(3), 'app4'), grants.has(programAt(MANY))]).toEqual([true, false, false])
  expect(readsOf(() => grants.has(programAt(3)))).toBeLessThan(FEW)
})

test('a handshake and a sign-in read the grants of their program or application only', () => {
  const { grants, readsOf } = startWithMany()
  const key = { program: programAt(3), applicationId: 'app3', userId: 'ada' }
  const all = () => [
    grants.wasAllowed(key.program, 'app3'),
    grants.isInUse(key),
    grants.ofAccount(key).length,
    grants.allowed(key.program, 'app3'),
  ]
  expect(all()).toEqual([false, true, 1, []])
  expect(readsOf(all)).toBeLessThan(4 * FEW)
})
