import { beforeEach, expect, test } from 'vitest'
import type { Presence } from '#daemon/src/presence/sink.ts'
import { GatewayPresenceChannel } from '#daemon/src/events/providers/gateway/presence-channel.ts'
import { ANN, APPLICATION, GatewayWorld, IDLE_MS, turns } from '#test/support/gateway-world.ts'

const NOTHING = { op: 3, d: { since: null, activities: [], status: 'online', afk: false } }
const PLAYER = { applicationId: APPLICATION, userId: ANN }
const BOB = { applicationId: APPLICATION, userId: '5' }
const SCOPES = ['identify', 'gateway.connect']

let world: GatewayWorld
let carrier: GatewayPresenceChannel
beforeEach(() => {
  world = new GatewayWorld()
  carrier = new GatewayPresenceChannel({
    sessions: (applicationId) => world.registry.signedIn(applicationId),
    canServe: (identity) => world.provider.canServe(identity),
    acquire: (wanted) => world.provider.acquire(wanted),
    send: (identity, op, d) => world.provider.send(identity, op, d),
    desiredPresence: world.desiredPresence,
  })
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

test('keeps a connection open while there is presence, sends it in Identify, and sends changes', async () => {
  world.session({ scopes: SCOPES })
  carrier.show(PLAYER, presence('Fishing'))
  await turns()
  expect(world.connection.options.presence()).toMatchObject(shown('Fishing'))
  world.connection.ready()
  carrier.show(PLAYER, presence('Mending nets'))
  await turns()
  expect(world.connection.sent).toMatchObject([{ op: 3, d: shown('Mending nets') }])
  expect(world.connection.options.presence()).toMatchObject(shown('Mending nets'))
  world.clock.advance(IDLE_MS * 2)
  await turns()
  expect(world.open).toHaveLength(1)

  carrier.show(PLAYER, undefined)
  expect(world.connection.sent.at(-1)).toEqual(NOTHING)
  expect(world.connection.options.presence()).toBeUndefined()
  await turns()
  world.clock.advance(IDLE_MS)
  await turns()
  expect([world.open, world.clock.pending]).toEqual([[], 0])
})

test('drops optional fields of a payload that is too large, and none that others need for joining', async () => {
  world.session({ scopes: SCOPES })
  const text = '港'.repeat(128)
  const link = `https://example.test/${'x'.repeat(230)}`
  const small = { name: text, type: 0 as const, details: text, state: text, party: { id: text } }
  const large = { ...small, details_url: link, state_url: link, assets: { large_text: text, large_image: link, small_image: link } }
  const secrets = { join: text, spectate: text }
  carrier.show(PLAYER, { ...presence(''), stored: { activity: large, secrets } })
  expect(world.desiredPresence.of({ kind: 'user', ...PLAYER })).toMatchObject({
    activities: [{ ...small, secrets, application_id: APPLICATION }],
  })
  expect(Buffer.byteLength(JSON.stringify({ op: 3, d: world.desiredPresence.of({ kind: 'user', ...PLAYER }) }))).toBeLessThanOrEqual(4096)
  carrier.show(PLAYER, { ...presence(''), stored: { activity: { ...small, details_url: link }, secrets } })
  expect(world.desiredPresence.of({ kind: 'user', ...PLAYER })).toMatchObject({ activities: [{ details_url: link }] })
})

test('shows each user of an application via their own connection, independently', async () => {
  world.session({ scopes: SCOPES })
  world.session({ scopes: SCOPES, userId: '5' })
  carrier.show(PLAYER, presence('Fishing', 1))
  await turns()
  const [first] = world.connections
  first?.ready()
  carrier.show(BOB, presence('Singing', 2, BOB))
  await turns()
  expect([world.connections.length, world.connection.options.presence()]).toMatchObject([2, shown('Singing')])
  expect((await world.connection.options.token()).reveal()).toBe('Bearer token-of-5')
  expect([first?.sent, first?.options.presence()]).toMatchObject([[], shown('Fishing')])
  carrier.show(PLAYER, undefined)
  expect(first?.sent).toEqual([NOTHING])
  expect(world.connection.options.presence()).toMatchObject(shown('Singing'))
})

test('can show only for sessions that may open a connection and not use the HTTP API, unless the connection is refused', async () => {
  expect(carrier.canShow(PLAYER)).toBe(false)
  world.session({ scopes: ['identify'] })
  world.session({ scopes: ['gateway.connect', 'activities.write'] })
  expect(carrier.canShow(PLAYER)).toBe(false)
  world.session({ scopes: SCOPES })
  expect([carrier.canShow(PLAYER), carrier.canShow({ ...PLAYER, applicationId: '2' })]).toEqual([true, false])
  carrier.show(PLAYER, presence('Fishing'))
  await turns()
  world.connection.setState({ name: 'ended', closeCode: 4004 })
  expect(carrier.canShow(PLAYER)).toBe(false)
})

test('reports when that may have changed', () => {
  const heard: unknown[] = []
  carrier.changed.on(({ applicationId, userId }) => heard.push({ applicationId, userId }))
  carrier.identityChanged({ kind: 'user', ...PLAYER })
  carrier.identityChanged({ kind: 'bot', applicationId: APPLICATION })
  expect(heard).toEqual([{ applicationId: APPLICATION, userId: ANN }])
})

test('sessions that open and close are reported only if that matters for their user', () => {
  const changed: unknown[] = []
  carrier.changed.on(({ userId }) => changed.push(userId))
  const first = world.session({ scopes: SCOPES })
  carrier.sessionChanged(first.session)
  expect(changed).toEqual([ANN])

  carrier.show(PLAYER, presence('Fishing', 1))
  const second = world.session({ scopes: SCOPES })
  const without = world.session({ scopes: ['identify'], userId: '6' })
  for (const { session } of [second, without]) carrier.sessionChanged(session)
  expect(changed).toEqual([ANN])

  world.registry.remove(first.session)
  carrier.sessionChanged(first.session)
  expect(changed).toEqual([ANN])
  world.registry.remove(second.session)
  carrier.sessionChanged(second.session)
  expect(changed).toEqual([ANN, ANN])
})
