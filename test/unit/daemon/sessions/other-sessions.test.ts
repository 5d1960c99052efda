/** A game that comes, signs in, signs out or leaves costs the same among any number of others. The test counts how often others are read. */
import { expect, test, vi } from 'vitest'
import { SessionOwners } from '#daemon/src/presence/session-owners.ts'
import { GatewayPresenceChannel } from '#daemon/src/events/providers/gateway/presence-channel.ts'
import { HeadlessSessions } from '#daemon/src/presence/channels/headless-sessions.ts'
import { Participants } from '#daemon/src/sessions/participants.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { GatewayWorld, turns } from '#test/support/gateway-world.ts'

const MANY = 200
/** What a walk over sessions would look at. */
const READ = ['signedIn', 'applicationId', 'connection'] as const

function counted(sessions: readonly Session[]) {
  const reads = { count: 0 }
  for (const session of sessions)
    for (const key of READ) {
      let value: unknown = session[key]
      Object.defineProperty(session, key, {
        get: () => {
          reads.count++
          return value
        },
        set: (next: unknown) => {
          value = next
        },
      })
    }
  return reads
}

test('a game among many reads none of the others', async () => {
  const world = new GatewayWorld()
  const { registry, lifecycle, clock, log, provider, desiredPresence } = world
  const participants = new Participants({ registry, lifecycle })
  const owners = new SessionOwners(registry, lifecycle)
  const headless = new HeadlessSessions({
    registry,
    lifecycle,
    clock,
    log,
    api: { asSession: () => Promise.reject(new Error('not called')) },
  })
  const presence = new GatewayPresenceChannel({
    sessions: (applicationId) => registry.signedIn(applicationId),
    canServe: (identity) => provider.canServe(identity),
    acquire: (demand) => provider.acquire(demand),
    send: (identity, op, d) => provider.send(identity, op, d),
    desiredPresence,
  })
  lifecycle.on('sessionChanged', (session) => presence.sessionChanged(session))
  const others = Array.from({ length: MANY }, (_, at) => world.session({ applicationId: `other${at}`, userId: `user${at}` }))
  await turns()
  const reads = counted(others.map(({ session }) => session))

  const all = vi.spyOn(registry, 'all')
  const game = world.session()
  const { session } = game
  await turns()
  expect(owners.of(session.connection.id)).toBe(session.signedIn?.userId)
  session.signOut()
  await turns()
  world.leave(game)
  await turns()
  expect([participants.of(session.applicationId), headless.health().state]).toEqual([[], 'idle'])
  expect([reads.count, all.mock.calls.length]).toEqual([0, 0])
  // The counter works.
  for (const one of registry.all()) expect(one.signedIn?.userId).toMatch(/^user/)
  expect(reads.count).toBe(MANY)
})
