import { beforeEach, expect, test } from 'vitest'
import type { Presence } from '../../../../../../daemon/src/presence/sink.ts'
import type { GatewayParty } from '../../../../../../daemon/src/platform/gateway/gateway.ts'
import { GatewayPresence } from '../../../../../../daemon/src/events/providers/gateway/presence-carrier.ts'
import { ANN, APPLICATION, GatewayWorld, IDLE_MS, turns } from '../../../../../support/gateway-world.ts'

const NOTHING = { op: 3, d: { since: null, activities: [], status: 'online', afk: false } }
const PLAYER = { applicationId: APPLICATION, userId: ANN }
const BOB = { applicationId: APPLICATION, userId: '5' }
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

const presence = (details: string, sessionId = 1, player = PLAYER): Presence => ({
  ...player,
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
  carrier.show(PLAYER, presence('Fishing'))
  await turns()
  expect(world.link.options.presence()).toMatchObject(shown('Fishing'))
  world.link.ready()
  carrier.show(PLAYER, presence('Mending nets'))
  await turns()
  expect(world.link.sent).toMatchObject([{ op: 3, d: shown('Mending nets') }])
  expect(world.link.options.presence()).toMatchObject(shown('Mending nets'))
  world.clock.advance(IDLE_MS * 2)
  await turns()
  expect(world.open).toHaveLength(1)

  carrier.show(PLAYER, undefined)
  expect(world.link.sent.at(-1)).toEqual(NOTHING)
  expect(world.link.options.presence()).toBeUndefined()
  await turns()
  world.clock.advance(IDLE_MS)
  await turns()
  expect([world.open, world.clock.pending]).toEqual([[], 0])
})

test('of what is larger than the gateway takes adornments are left out, and nothing that others join by', async () => {
  world.session({ scopes: SCOPES })
  const text = '港'.repeat(128)
  const link = `https://example.test/${'x'.repeat(230)}`
  const small = { name: text, type: 0 as const, details: text, state: text, party: { id: text } }
  const large = { ...small, details_url: link, state_url: link, assets: { large_text: text, large_image: link, small_image: link } }
  const secrets = { join: text, spectate: text }
  carrier.show(PLAYER, { ...presence(''), stored: { activity: large, secrets } })
  expect(carrier.of({ kind: 'user', ...PLAYER })).toMatchObject({ activities: [{ ...small, secrets, application_id: APPLICATION }] })
  expect(Buffer.byteLength(JSON.stringify({ op: 3, d: carrier.of({ kind: 'user', ...PLAYER }) }))).toBeLessThanOrEqual(4096)
  carrier.show(PLAYER, { ...presence(''), stored: { activity: { ...small, details_url: link }, secrets } })
  expect(carrier.of({ kind: 'user', ...PLAYER })).toMatchObject({ activities: [{ details_url: link }] })
})

test('shows each user of an application over their own connection, and one goes without the other', async () => {
  world.session({ scopes: SCOPES })
  world.session({ scopes: SCOPES, userId: '5' })
  carrier.show(PLAYER, presence('Fishing', 1))
  await turns()
  const [first] = world.links
  first?.ready()
  carrier.show(BOB, presence('Singing', 2, BOB))
  await turns()
  expect([world.links.length, world.link.options.presence()]).toMatchObject([2, shown('Singing')])
  expect((await world.link.options.token()).reveal()).toBe('Bearer token-of-5')
  expect([first?.sent, first?.options.presence()]).toMatchObject([[], shown('Fishing')])
  carrier.show(PLAYER, undefined)
  expect(first?.sent).toEqual([NOTHING])
  expect(world.link.options.presence()).toMatchObject(shown('Singing'))
})

test('can show only for who may open a connection and show nothing by the HTTP API, while the connection is not refused', async () => {
  expect(carrier.canShow(PLAYER)).toBe(false)
  world.session({ scopes: ['identify'] })
  world.session({ scopes: ['gateway.connect', 'activities.write'] })
  expect(carrier.canShow(PLAYER)).toBe(false)
  world.session({ scopes: SCOPES })
  expect([carrier.canShow(PLAYER), carrier.canShow({ ...PLAYER, applicationId: '2' })]).toEqual([true, false])
  carrier.show(PLAYER, presence('Fishing'))
  await turns()
  world.link.become({ name: 'ended', closeCode: 4004 })
  expect(carrier.canShow(PLAYER)).toBe(false)
})

test('says when that may be another matter', () => {
  const heard: unknown[] = []
  carrier.onChange((...whose) => heard.push(whose))
  carrier.changed({ kind: 'user', ...PLAYER })
  carrier.changed({ kind: 'bot', applicationId: APPLICATION })
  expect(heard).toEqual([[APPLICATION, ANN]])
})

test('sessions that come and go are told of only when that makes a difference for their user', () => {
  const told: unknown[] = []
  carrier.onChange((_, userId) => told.push(userId))
  const first = world.session({ scopes: SCOPES })
  carrier.sessionChanged(first.caller)
  expect(told).toEqual([ANN])

  carrier.show(PLAYER, presence('Fishing', 1))
  const second = world.session({ scopes: SCOPES })
  const without = world.session({ scopes: ['identify'], userId: '6' })
  for (const { caller } of [second, without]) carrier.sessionChanged(caller)
  expect(told).toEqual([ANN])

  world.registry.remove(first.caller)
  carrier.sessionChanged(first.caller)
  expect(told).toEqual([ANN])
  world.registry.remove(second.caller)
  carrier.sessionChanged(second.caller)
  expect(told).toEqual([ANN, ANN])
})
