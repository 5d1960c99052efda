import { beforeEach, expect, test } from 'vitest'
import type { Presence } from '../../../../../daemon/src/presence/sink.ts'
import type { GatewayParty } from '../../../../../daemon/src/sources/gateway/gateway.ts'
import { GatewayPresence } from '../../../../../daemon/src/sources/gateway/presence-carrier.ts'
import { APPLICATION, GatewayWorld, IDLE_MS, turns } from '../../../../support/gateway-world.ts'

const NOTHING = { op: 3, d: { since: null, activities: [], status: 'online', afk: false } }
const SCOPES = ['identify', 'gateway.connect']

let world: GatewayWorld
let carrier: GatewayPresence
beforeEach(() => {
  world = new GatewayWorld()
  carrier = new GatewayPresence({
    sessions: (applicationId) => world.registry.signedIn(applicationId),
    canServe: (party) => world.source.canServe(party),
    hold: (wanted) => world.source.hold(wanted),
    send: (party, op, d) => world.source.send(party, op, d),
  })
  world.presence = (party: GatewayParty) => carrier.of(party)
})

const presence = (details: string, sessionId = 1): Presence => ({
  applicationId: APPLICATION,
  sessionId,
  claimedPid: undefined,
  stored: { activity: { name: 'Harbour', type: 0, details }, secrets: { join: 'the-secret' } },
  since: 0,
})
const shown = (details: string) => ({
  activities: [{ name: 'Harbour', type: 0, details, application_id: APPLICATION, secrets: { join: 'the-secret' } }],
  status: 'online',
})

test('keeps a connection while something is shown, names it in Identify, and sends what changes', async () => {
  world.session({ scopes: SCOPES })
  carrier.show(APPLICATION, presence('Fishing'))
  await turns()
  expect(world.link.options.presence()).toMatchObject(shown('Fishing'))
  world.link.ready()
  carrier.show(APPLICATION, presence('Mending nets'))
  await turns()
  expect(world.link.sent).toMatchObject([{ op: 3, d: shown('Mending nets') }])
  expect(world.link.options.presence()).toMatchObject(shown('Mending nets'))
  world.clock.advance(IDLE_MS * 2)
  await turns()
  expect(world.open).toHaveLength(1)

  carrier.show(APPLICATION, undefined)
  expect(world.link.sent.at(-1)).toEqual(NOTHING)
  expect(world.link.options.presence()).toBeUndefined()
  await turns()
  world.clock.advance(IDLE_MS)
  await turns()
  expect([world.open, world.clock.pending]).toEqual([[], 0])
})

test('follows the session that shows it to its own user', async () => {
  world.session({ scopes: SCOPES })
  world.session({ scopes: SCOPES, userId: '5' })
  carrier.show(APPLICATION, presence('Fishing', 1))
  await turns()
  const [first] = world.links
  first?.ready()
  carrier.show(APPLICATION, presence('Singing', 2))
  await turns()
  expect(first?.sent).toEqual([NOTHING])
  expect([world.links.length, world.link.options.presence()]).toMatchObject([2, shown('Singing')])
  expect((await world.link.options.token()).reveal()).toBe('Bearer token-of-5')
})

test('can show only for who may open a connection and show nothing by the HTTP API, while the connection is not refused', async () => {
  expect(carrier.canShow(APPLICATION)).toBe(false)
  world.session({ scopes: ['identify'] })
  world.session({ scopes: ['gateway.connect', 'activities.write'] })
  expect(carrier.canShow(APPLICATION)).toBe(false)
  world.session({ scopes: SCOPES })
  expect([carrier.canShow(APPLICATION), carrier.canShow('2')]).toEqual([true, false])
  carrier.show(APPLICATION, presence('Fishing'))
  await turns()
  world.link.become({ name: 'ended', closeCode: 4004 })
  expect(carrier.canShow(APPLICATION)).toBe(false)
})

test('says when that may be another matter', () => {
  const heard: string[] = []
  carrier.onChange((applicationId) => heard.push(applicationId))
  carrier.changed(APPLICATION)
  expect(heard).toEqual([APPLICATION])
})

test('sessions that come and go are told of only when somebody else would show it', () => {
  const told: string[] = []
  carrier.onChange((applicationId) => told.push(applicationId))
  carrier.sessionChanged(APPLICATION)
  expect(told).toEqual([])
  const first = world.session({ scopes: SCOPES })
  carrier.sessionChanged(APPLICATION)
  expect(told).toEqual([APPLICATION])

  carrier.show(APPLICATION, presence('Fishing', 1))
  world.session({ scopes: SCOPES, userId: '5' })
  world.session({})
  carrier.sessionChanged(APPLICATION)
  expect(told).toEqual([APPLICATION])

  world.registry.remove(first.caller)
  carrier.sessionChanged(APPLICATION)
  expect(told).toEqual([APPLICATION, APPLICATION])
})
