import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { Session } from '#daemon/src/sessions/session.ts'
import { SessionRegistry } from '#daemon/src/sessions/registry.ts'
import { SessionOwners } from '#daemon/src/presence/session-owners.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { unreadConnection } from '#test/support/session-connection.ts'

let registry: SessionRegistry
let users: SessionOwners
beforeEach(() => {
  const lifecycle = new LifecycleEvents()
  registry = new SessionRegistry(lifecycle)
  users = new SessionOwners(registry, lifecycle)
})

const userOf = (sessionId: number): string | undefined => users.of(sessionId)

const signIn = (caller: Session, userId: string): void =>
  caller.signIn(
    {
      userId,
      username: userId,
      applicationName: 'Harbour',
      accessToken: new Secret('t'),
      isManaged: false,
      expiresAt: Number.POSITIVE_INFINITY,
    },
    [],
  )

function connect(id: number, peer: Partial<PeerIdentity>, userId?: string, applicationId = '1'): Session {
  const caller = new Session(unreadConnection(id, { trust: 'kernel', ...peer }), { applicationId }, registry.signInChanged)
  registry.add(caller)
  if (userId !== undefined) signIn(caller, userId)
  return caller
}

describe('the owner of a session is', () => {
  test('the user who is signed in on it', () => {
    connect(1, { pid: 7 }, 'ada')
    connect(2, { pid: 7 }, 'grace')
    expect([1, 2, 3].map(userOf)).toEqual(['ada', 'grace', undefined])
  })
  test('unknown if its process is unknown, even if another such connection is signed in', () => {
    connect(1, {})
    connect(2, {}, 'ada')
    expect([1, 2].map(userOf)).toEqual([undefined, 'ada'])
    connect(3, { trust: 'origin', origin: 'https://page.example' })
    connect(4, { trust: 'origin', origin: 'https://page.example' }, 'grace')
    expect(userOf(3)).toBe('grace')
  })
  test('the only user of its process', () => {
    connect(1, { pid: 7 })
    expect(userOf(1)).toBeUndefined()
    connect(2, { pid: 7 }, 'ada')
    expect(userOf(1)).toBe('ada')
    const other = connect(3, { pid: 7 }, 'grace')
    expect(userOf(1)).toBeUndefined()
    registry.remove(other)
    expect(userOf(1)).toBe('ada')
  })
  test('not a user of another process, page or application', () => {
    connect(1, { pid: 7 })
    connect(2, { pid: 8 }, 'ada')
    connect(3, { pid: 7 }, 'ada', '2')
    connect(4, { trust: 'origin', origin: 'http://one.test' }, 'ada')
    connect(5, { trust: 'origin', origin: 'http://other.test' })
    expect([1, 5].map(userOf)).toEqual([undefined, undefined])
  })
})

test('the listener receives an application only when its users change', () => {
  const changed: string[] = []
  users.changed.on(({ applicationId }) => changed.push(applicationId))
  const game = connect(1, { pid: 7 })
  expect(changed).toEqual([])
  for (const userId of ['ada', 'ada', 'grace']) signIn(game, userId)
  expect(changed).toEqual(['1', '1'])
  game.signOut()
  game.signOut()
  expect(changed).toHaveLength(3)
  signIn(game, 'ada')
  registry.remove(game)
  expect(changed).toHaveLength(5)
  registry.remove(connect(2, { pid: 8 }))
  expect(changed).toHaveLength(5)
})
