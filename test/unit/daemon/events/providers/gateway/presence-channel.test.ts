import { beforeEach, expect, test } from 'vitest'
import type { Presence } from '#daemon/src/presence/sink.ts'
import { GatewayPresenceChannel } from '#daemon/src/events/providers/gateway/presence-channel.ts'
import { ANN, APPLICATION, GatewayWorld, IDLE_MS, turns } from '#test/support/gateway-world.ts'

const NOTHING = { op: 3, d: { since: null, activities: [], status: 'online', afk: false } }
const PLAYER = { applicationId: APPLICATION, userId: ANN }
const BOB = { applicationId: APPLICATION, userId: '5' }
const SCOPES = ['identify', 'gateway.connect']

let world: GatewayWorld
let channel: GatewayPresenceChannel
beforeEach(() => {
  world = new GatewayWorld()
  channel = new GatewayPresenceChannel({
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
  channel.show(PLAYER, presence('Fishing'))
  await turns()
  expect(world.connection.options.presence()).toMatchObject(shown('Fishing'))
  world.connection.ready()
  channel.show(PLAYER, presence('Mending nets'))
  await turns()
  expect(world.connection.sent).toMatchObject([{ op: 3, d: shown('Mending nets') }])
  expect(world.connection.options.presence()).toMatchObject(shown('Mending nets'))
  world.clock.advance(IDLE_MS * 2)
  await turns()
  expect(world.open).toHaveLength(1)

  channel.show(PLAYER, undefined)
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
  channel.show(PLAYER, { ...presence(''), stored: { activity: large, secrets } })
  expect(world.desiredPresence.of({ kind: 'user', ...PLAYER })).toMatchObject({
    activities: [{ ...small, secrets, application_id: APPLICATION }],
  })
  expect(Buffer.byteLength(JSON.stringify({ op: 3, d: world.desiredPresence.of({ kind: 'user', ...PLAYER }) }))).toBeLessThanOrEqual(4096)
  channel.show(PLAYER, { ...presence(''), stored: { activity: { ...small, details_url: link }, secrets } })
  expect(world.desiredPresence.of({ kind: 'user', ...PLAYER })).toMatchObject({ activities: [{ details_url: link }] })
})

test('shows each user of an application via their own connection, independently', async () => {
  world.session({ scopes: SCOPES })
  world.session({ scopes: SCOPES, userId: '5' })
  channel.show(PLAYER, presence('Fishing', 1))
  await turns()
  const [first] = world.connections
  first?.ready()
  channel.show(BOB, presence('Singing', 2, BOB))
  await turns()
  expect([world.connections.length, world.connection.options.presence()]).toMatchObject([2, shown('Singing')])
  expect((await world.connection.options.token()).reveal()).toBe('Bearer token-of-5')
  expect([first?.sent, first?.options.presence()]).toMatchObject([[], shown('Fishing')])
  channel.show(PLAYER, undefined)
  expect(first?.sent).toEqual([NOTHING])
  expect(world.connection.options.presence()).toMatchObject(shown('Singing'))
})

test('can show only for sessions that may open a connection and not use the HTTP API, unless the connection is refused', async () => {
  expect(channel.canShow(PLAYER)).toBe(false)
  world.session({ scopes: ['identify'] })
  world.session({ scopes: ['gateway.connect', 'activities.write'] })
  expect(channel.canShow(PLAYER)).toBe(false)
  world.session({ scopes: SCOPES })
  expect([channel.canShow(PLAYER), channel.canShow({ ...PLAYER, applicationId: '2' })]).toEqual([true, false])
  channel.show(PLAYER, presence('Fishing'))
  await turns()
  world.connection.setState({ name: 'ended', closeCode: 4004 })
  expect(channel.canShow(PLAYER)).toBe(false)
})

test('reports when that may have changed', () => {
  const received: unknown[] = []
  channel.changed.on(({ applicationId, userId }) => received.push({ applicationId, userId }))
  channel.identityChanged({ kind: 'user', ...PLAYER })
  channel.identityChanged({ kind: 'bot', applicationId: APPLICATION })
  expect(received).toEqual([{ applicationId: APPLICATION, userId: ANN }])
})

test('sessions that open and close are reported only if that matters for their user', () => {
  const changed: unknown[] = []
  channel.changed.on(({ userId }) => changed.push(userId))
  const first = world.session({ scopes: SCOPES })
  channel.sessionChanged(first.session)
  expect(changed).toEqual([ANN])

  channel.show(PLAYER, presence('Fishing', 1))
  const second = world.session({ scopes: SCOPES })
  const without = world.session({ scopes: ['identify'], userId: '6' })
  for (const { session } of [second, without]) channel.sessionChanged(session)
  expect(changed).toEqual([ANN])

  world.registry.remove(first.session)
  channel.sessionChanged(first.session)
  expect(changed).toEqual([ANN])
  world.registry.remove(second.session)
  channel.sessionChanged(second.session)
  expect(changed).toEqual([ANN, ANN])
})
