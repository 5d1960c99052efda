import { BUDGETS } from '@sallyport/core/budgets'
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  ANN,
  APPLICATION,
  GatewayWorld,
  GUILD_SCOPES,
  HARBOUR,
  IDLE_MS,
  LIGHTHOUSE,
  type Listener,
  turns,
} from '#test/support/gateway-world.ts'

const { GUILDS, GUILD_MEMBERS, GUILD_MESSAGES, MESSAGE_CONTENT } = GATEWAY_INTENTS

let world: GatewayWorld
beforeEach(() => {
  world = new GatewayWorld()
})

describe('a connection', () => {
  test('is opened only for sessions that subscribed to its events', async () => {
    const without = [world.session({ scopes: ['identify', 'rpc'] }), world.session()]
    await world.subscribe(without[0] as Listener, 'GUILD_CREATE')
    await world.subscribe(without[1] as Listener, 'OVERLAY_UPDATE', { pid: 1 })
    expect([world.connections, world.provider.health()]).toEqual([[], { state: 'idle' }])
    await world.subscribe(without[1] as Listener, 'GUILD_CREATE')
    expect(world.connection).toMatchObject({ identity: `user:${APPLICATION}:${ANN}`, isStarted: true })
    expect((await world.connection.options.token()).reveal()).toBe(`Bearer token-of-${ANN}`)
    expect(world.connection.options).toMatchObject({ capabilities: 0, compress: 'none' })
  })

  test('serves every session of its user, and needs no new gateway session for a later subscription', async () => {
    const ann = world.session()
    await world.subscribe(ann, 'GUILD_CREATE')
    await world.subscribe(world.session(), 'CHANNEL_CREATE')
    await world.subscribe(world.session({ userId: '5' }), 'GUILD_CREATE')
    await world.subscribe(ann, 'GAME_DIRECT_MESSAGE_CREATE')
    expect(world.open).toHaveLength(2)
  })

  test('stays open for a while after the last subscription, and closes then', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    world.leave(game)
    await turns()
    world.clock.advance(IDLE_MS - 1)
    await world.subscribe(world.session(), 'GUILD_CREATE')
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.connections.length, world.open.length]).toEqual([1, 1])
    world.hub.removeSubscriber(world.registry.all()[0] as never)
    await turns()
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.open, world.provider.health(), world.clock.pending]).toEqual([[], { state: 'idle' }, 0])
  })

  const ENDS: readonly (readonly [string, (game: Listener) => unknown])[] = [
    ['the user is signed out', ({ session }) => session.signOut()],
    ['another user signs in instead', (game) => world.signIn(game, '5', ['identify'])],
    ['the account is in use no more', () => world.provider.closeAccount({ applicationId: APPLICATION, userId: ANN })],
    ['the bridge stops', () => world.providers.stop()],
  ]
  test.each(ENDS)('closes at once, and nothing is published, when %s', async (_, end) => {
    const game = await world.subscribed('GUILD_CREATE')
    const { connection: link } = world
    await end(game)
    await turns()
    expect(link.isStopped).toBe(true)
    link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect(game.received()).toEqual([])
  })

  test('that is not open yet when the user signs out never opens', async () => {
    const game = world.session()
    world.hub.subscribe(game.session, { name: 'GUILD_CREATE', args: {} })
    world.provider.reconcile()
    game.session.signOut()
    await turns()
    expect(world.open).toEqual([])

    world.signIn(game, ANN)
    await turns()
    const { connection: link } = world
    game.session.signOut()
    await turns()
    link.ready(HARBOUR)
    link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect([world.open, world.provider.health(), game.received()]).toEqual([[], { state: 'idle' }, []])
  })

  test('stays open while another session of the user is signed in', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    const other = world.session()
    await world.subscribe(other, 'GUILD_CREATE')
    game.session.signOut()
    await turns()
    world.connection.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect([world.open.length, game.received(), other.received().length]).toEqual([1, [], 1])
  })

  test('that lost its session publishes only the guilds that the user joined and left meanwhile', async () => {
    const game = await world.subscribed('GUILD_CREATE', 'GUILD_DELETE')
    world.connection.setState({ name: 'waiting' })
    world.connection.ready(LIGHTHOUSE, { id: '9', name: 'Dry Dock' })
    expect(game.received()).toEqual([
      { name: 'GUILD_DELETE', data: { id: '7' } },
      { name: 'GUILD_CREATE', data: { id: '9', name: 'Dry Dock' } },
    ])
  })

  test('that the platform ended is reopened only by a new sign-in', async () => {
    const game = world.session()
    await world.subscribe(game, 'GUILD_CREATE')
    world.connection.setState({ name: 'ended', reason: 'The token is not valid.', closeCode: 4004 })
    await turns()
    expect(world.provider.health()).toEqual({
      state: 'failing',
      reason: `User ${ANN} of application ${APPLICATION}: The token is not valid.`,
    })
    await world.subscribe(game, 'CHANNEL_CREATE')
    expect(world.connections).toHaveLength(1)
    world.signIn(game, ANN)
    await turns()
    expect([world.connections.length, world.connection.isStarted]).toEqual([2, true])
  })

  test('sends the opt-in to obfuscated channels', { tags: ['5-32'] }, async () => {
    world = new GatewayWorld(true)
    await world.subscribe(world.session(), 'GUILD_CREATE')
    expect(world.connection.options.capabilities).toBe(1 << 15)
  })

  test('counts towards a limit: another opens when one closes, and an idle one is evicted', async () => {
    const most = BUDGETS.gatewayConnections.value
    const games = Array.from({ length: most + 2 }, (_, user) => world.session({ userId: `${100 + user}` }))
    for (const game of games.slice(0, -1)) await world.subscribe(game, 'GUILD_CREATE')
    const [first, second] = games
    await world.subscribe(games[1] as Listener, 'CHANNEL_CREATE')
    expect([world.connections.length, world.log.lines.filter(({ event }) => event === 'gateway-connections-full').length]).toEqual([
      most,
      1,
    ])
    first?.session.signOut()
    await turns()
    expect([world.open.length, world.connection.identity]).toEqual([most, `user:${APPLICATION}:${100 + most}`])
    world.leave(second as Listener)
    await turns()
    await world.subscribe(games.at(-1) as Listener, 'GUILD_CREATE')
    expect([world.open.length, world.connection.identity]).toEqual([most, `user:${APPLICATION}:${101 + most}`])
  })
})

describe('the response to a subscription', () => {
  const event = { name: 'LOBBY_MESSAGE_CREATE', args: {} }
  async function subscribing(): Promise<void> {
    const { session } = world.session({ scopes: ['sdk.social_layer'] })
    world.hub.subscribe(session, event)
    await world.providers.confirm(session, event)
  }
  const isSettled = async (response: Promise<void>): Promise<boolean> => {
    await turns()
    return Promise.race([response.then(() => true), turns().then(() => false)])
  }

  const ENDS: readonly (readonly [string, () => void])[] = [
    ['is open', () => world.connection.ready()],
    ['fails', () => world.connection.setState({ name: 'waiting' })],
    ['ends', () => world.connection.setState({ name: 'ended', closeCode: 4004 })],
    ['takes a second', () => world.clock.advance(1000)],
  ]
  test.each(ENDS)('waits until the connection %s', async (_, end) => {
    const response = subscribing()
    expect(await isSettled(response)).toBe(false)
    end()
    expect(await isSettled(response)).toBe(true)
    expect(world.clock.pending).toBe(0)
  })

  test('does not wait for a connection that is open, or did not open in time', async () => {
    const slow = subscribing()
    await turns()
    world.clock.advance(1000)
    await slow
    expect(await isSettled(subscribing())).toBe(true)
    world.connection.ready()
    expect(await isSettled(subscribing())).toBe(true)
  })
})

describe('the bot of an application', () => {
  beforeEach(() => {
    world.bots.add(APPLICATION)
  })

  test('provides its events to every signed-in session, and no user connection repeats them', async () => {
    const scopes = [...GUILD_SCOPES, 'lobbies.write']
    const [ann, bob] = [world.session({ scopes }), world.session({ userId: '5', scopes })]
    for (const game of [ann, bob]) for (const name of ['GUILD_CREATE', 'LOBBY_CREATE']) await world.subscribe(game, name)
    const [bot, ofAnn] = world.connections
    expect([(await bot?.options.token())?.reveal(), world.connections.length]).toEqual(['bot-token', 3])
    for (const link of world.connections) {
      link.ready(HARBOUR)
      link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    }
    ofAnn?.dispatch('LOBBY_CREATE', { id: '20', application_id: APPLICATION, metadata: null, members: [] })
    expect(ann.received().map(({ name }) => name)).toEqual(['GUILD_CREATE', 'LOBBY_CREATE'])
    expect(bob.received().map(({ name }) => name)).toEqual(['GUILD_CREATE'])
  })

  test('requests the required intents, privileged ones only if the application has them', async () => {
    const game = world.session({ scopes: ['rpc', 'identify'] })
    await world.subscribe(game, 'GUILD_CREATE')
    expect(world.connection.options.intents).toBe(GUILDS)
    await world.subscribe(game, 'MESSAGE_CREATE', { channel_id: '1' })
    expect([world.open.length, world.connection.options.intents]).toEqual([1, GUILDS | GUILD_MESSAGES])
    expect(world.provider.health().reason).toContain('MESSAGE_CONTENT')
    world.flags = (1 << 14) | (1 << 19)
    world.clock.advance(60_000)
    await world.subscribe(game, 'GUILD_MEMBER_ADD', { guild_id: '7' })
    expect(world.connection.options.intents).toBe(GUILDS | GUILD_MESSAGES | GUILD_MEMBERS | MESSAGE_CONTENT)
  })

  test('continues without privileged intents that the gateway refuses, and reports that', async () => {
    world.flags = 1 << 18
    await world.subscribe(world.session(), 'MESSAGE_CREATE', { channel_id: '1' })
    expect(world.connection.options.intents & MESSAGE_CONTENT).not.toBe(0)
    world.connection.setState({ name: 'ended', reason: 'Disallowed intents.', closeCode: 4014 })
    await turns()
    world.connection.ready(HARBOUR)
    expect([world.connections.length, world.connection.options.intents]).toEqual([2, GUILDS | GUILD_MESSAGES])
    expect(world.provider.health()).toEqual({ state: 'active', reason: expect.stringContaining('MESSAGE_CONTENT') })
  })

  test('that is offline for so long that its session expired leaves its events to users until it is back', async () => {
    const game = world.session()
    await world.subscribe(game, 'GUILD_CREATE')
    const { connection: bot } = world
    bot.ready(HARBOUR)
    await turns()
    const retry = async (afterMs: number): Promise<void> => {
      world.clock.advance(afterMs)
      bot.setState({ name: 'connecting' })
      bot.setState({ name: 'waiting', reason: 'So many sessions were begun that none may be for now.' })
      await turns()
    }
    await retry(0)
    await retry(BUDGETS.gatewayResumableMs.value - 1)
    expect(world.open).toEqual([bot])
    await retry(1)
    expect(world.open.map(({ identity }) => identity)).toEqual([`bot:${APPLICATION}`, `user:${APPLICATION}:${ANN}`])
    world.connection.ready(HARBOUR)
    world.connection.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect(game.received()).toMatchObject([{ data: { id: '9' } }])
    bot.ready(HARBOUR)
    await turns()
    world.connection.dispatch('GUILD_CREATE', { id: '10', name: 'Slipway' })
    expect(game.received()).toEqual([])
    bot.dispatch('GUILD_CREATE', { id: '10', name: 'Slipway' })
    expect(game.received()).toMatchObject([{ data: { id: '10' } }])
    world.clock.advance(IDLE_MS)
    await turns()
    expect(world.open).toEqual([bot])
  })

  test('whose token is refused leaves its events to users; a new stored token is tried', async () => {
    const game = world.session()
    await world.subscribe(game, 'GUILD_CREATE')
    world.connection.setState({ name: 'ended', reason: 'The token is not valid.', closeCode: 4004 })
    await turns()
    world.connection.ready(HARBOUR)
    world.connection.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect(game.received()).toMatchObject([{ data: { id: '9' } }])
    world.provider.botChanged(APPLICATION)
    await turns()
    expect((await world.connection.options.token()).reveal()).toBe('bot-token')
  })
})

describe('unexpected data of the gateway', () => {
  test('is ignored and counted if its name is unknown', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    for (const t of ['MOON_LANDING', 'constructor', '__proto__']) world.connection.dispatch(t, { id: '1' })
    // Known, without recipients here.
    for (const t of ['VOICE_STATE_UPDATE', 'CHANNEL_PINS_UPDATE', 'SESSIONS_REPLACE']) world.connection.dispatch(t, { id: '1' })
    expect([game.received(), world.provider.health()]).toEqual([[], { state: 'active', ignored: 3 }])
  })

  test.each([null, undefined, 5, 'text', [], [[]], {}, { id: 5 }, { id: {} }, { guild_id: 'x', user: 5, member: [] }])(
    'in any form, here %j, has no effect',
    async (d) => {
      const { DISPATCH_MAPPINGS } = await import('#daemon/src/events/providers/gateway/dispatch-mappings/dispatch-mappings.ts')
      const game = await world.subscribed(
        'GUILD_CREATE',
        'RELATIONSHIP_UPDATE',
        'LOBBY_MEMBER_ADD',
        'GAME_DIRECT_MESSAGE_CREATE',
        'ENTITLEMENT_CREATE',
      )
      for (const t of new Set(DISPATCH_MAPPINGS.flatMap(({ from }) => Object.keys(from)))) world.connection.dispatch(t, d)
      for (const t of ['GUILD_MEMBERS_CHUNK', 'CHANNEL_INFO', 'RATE_LIMITED', 'READY']) world.connection.dispatch(t, d)
      expect(game.received()).toEqual([])
    },
  )
})

test('a hundred friends who change at once are a hundred events, each with its own change', { tags: ['1-24'] }, async () => {
  const game = world.session({ scopes: [...GUILD_SCOPES, 'relationships.read'] })
  await world.subscribe(game, 'RELATIONSHIP_UPDATE')
  const ids = Array.from({ length: 1000 }, (_, index) => String(5_000 + index))
  const relationships = ids.map((id) => ({ id, type: 1, user: { id, username: `mate.${id}` } }))
  world.connection.dispatch('READY', { session_id: 's', guilds: [], relationships, presences: [] })
  const changed = ids.slice(0, 100)
  for (const id of changed) {
    const activities = [{ application_id: '1', details: `ship ${id}` }]
    world.connection.dispatch('PRESENCE_UPDATE', { user: { id }, status: 'online', activities })
  }
  await turns()
  const shown = game.received().map(({ data }) => {
    const { user, presence } = data as { user: { id: string }; presence: { activity: { details: string } } }
    return [user.id, presence.activity.details]
  })
  expect(shown).toEqual(changed.map((id) => [id, `ship ${id}`]))
})

test('invites in direct messages are passed on, and messages are recorded', async () => {
  const game = world.session({ scopes: [...GUILD_SCOPES] })
  await world.subscribe(game, 'ACTIVITY_INVITE')
  world.connection.ready()
  const message = { id: '30', channel_id: '31', content: '', author: { id: '5', username: 'bob' }, activity: { type: 1, party_id: 'p' } }
  world.connection.dispatch('MESSAGE_CREATE', message)
  world.connection.dispatch('MESSAGE_CREATE', { ...message, id: '32', guild_id: '7' })
  world.connection.dispatch('MESSAGE_CREATE', { ...message, id: '33', lobby_id: '20', activity: null })
  world.connection.dispatch('MESSAGE_DELETE', { id: '30', channel_id: '31' })
  const account = { applicationId: APPLICATION, userId: ANN }
  expect(world.activityMessages).toMatchObject([{ message, account }])
  expect(world.history).toMatchObject([
    [{ ...account, peerId: '5' }, message],
    [APPLICATION, '30'],
  ])
})

test('a message that is pinned, unpinned and pinned again has three updates', async () => {
  const game = world.session({ scopes: [...GUILD_SCOPES, 'messages.read'] })
  await world.subscribe(game, 'MESSAGE_UPDATE', { channel_id: '71' })
  world.connection.ready(HARBOUR)
  const message = { id: '30', channel_id: '71', guild_id: '7', content: 'Ahoy', edited_timestamp: null }
  for (const pinned of [true, false, true]) world.connection.dispatch('MESSAGE_UPDATE', { ...message, pinned })
  expect(game.received()).toMatchObject([true, false, true].map((pinned) => ({ data: { message: { id: '30', pinned } } })))
})
