import { GATEWAY_CAPABILITIES, GATEWAY_INTENTS, LIMITS } from '@sallyport/protocol'
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
} from '../../../../../support/gateway-world.ts'

const { GUILDS, GUILD_MEMBERS, GUILD_MESSAGES, MESSAGE_CONTENT } = GATEWAY_INTENTS

let world: GatewayWorld
beforeEach(() => {
  world = new GatewayWorld()
})

describe('a connection', () => {
  test('is opened for whoever wants something that it tells, and for nobody else', async () => {
    const without = [world.session({ scopes: ['identify', 'rpc'] }), world.session()]
    await world.want(without[0] as Listener, 'GUILD_CREATE')
    await world.want(without[1] as Listener, 'OVERLAY_UPDATE', { pid: 1 })
    expect([world.links, world.source.health()]).toEqual([[], { state: 'idle' }])
    await world.want(without[1] as Listener, 'GUILD_CREATE')
    expect(world.link).toMatchObject({ party: `user:${APPLICATION}:${ANN}`, isStarted: true })
    expect((await world.link.options.token()).reveal()).toBe(`Bearer token-of-${ANN}`)
    expect(world.link.options).toMatchObject({ capabilities: 0, compress: 'none' })
  })

  test('serves every session of its user, each user has one, and a later wish costs no new session', async () => {
    const ann = world.session()
    await world.want(ann, 'GUILD_CREATE')
    await world.want(world.session(), 'CHANNEL_CREATE')
    await world.want(world.session({ userId: '5' }), 'GUILD_CREATE')
    await world.want(ann, 'GAME_DIRECT_MESSAGE_CREATE')
    expect(world.open).toHaveLength(2)
  })

  test('is kept for a while after the last wish, and ends then', async () => {
    const game = await world.listening('GUILD_CREATE')
    world.leave(game)
    await turns()
    world.clock.advance(IDLE_MS - 1)
    await world.want(world.session(), 'GUILD_CREATE')
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.links.length, world.open.length]).toEqual([1, 1])
    world.hub.drop(world.registry.all()[0] as never)
    await turns()
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.open, world.source.health(), world.clock.pending]).toEqual([[], { state: 'idle' }, 0])
  })

  const ENDS: readonly (readonly [string, (game: Listener) => unknown])[] = [
    ['the user is signed out', ({ caller }) => caller.signOut()],
    ['another user signs in instead', (game) => world.signIn(game, '5', ['identify'])],
    ['the account is in use no more', () => world.source.forget(APPLICATION, ANN)],
    ['the bridge stops', () => world.sources.stop()],
  ]
  test.each(ENDS)('ends at once, and nothing is told, when %s', async (_, end) => {
    const game = await world.listening('GUILD_CREATE')
    const { link } = world
    await end(game)
    await turns()
    expect(link.isStopped).toBe(true)
    link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect(game.heard()).toEqual([])
  })

  test('that is not there yet when the user signs out never is', async () => {
    const game = world.session()
    world.hub.subscribe(game.caller, { name: 'GUILD_CREATE', args: {} })
    world.source.apply()
    game.caller.signOut()
    await turns()
    expect(world.open).toEqual([])

    world.signIn(game, ANN)
    await turns()
    const { link } = world
    game.caller.signOut()
    await turns()
    link.ready(HARBOUR)
    link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect([world.open, world.source.health(), game.heard()]).toEqual([[], { state: 'idle' }, []])
  })

  test('goes on while another session of the user is signed in', async () => {
    const game = await world.listening('GUILD_CREATE')
    const other = world.session()
    await world.want(other, 'GUILD_CREATE')
    game.caller.signOut()
    await turns()
    world.link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect([world.open.length, game.heard(), other.heard().length]).toEqual([1, [], 1])
  })

  test('that lost its session tells which guilds the user joined and left meanwhile, and of the others nothing', async () => {
    const game = await world.listening('GUILD_CREATE', 'GUILD_DELETE')
    world.link.become({ name: 'waiting' })
    world.link.ready(LIGHTHOUSE, { id: '9', name: 'Dry Dock' })
    expect(game.heard()).toEqual([
      { name: 'GUILD_DELETE', data: { id: '7' } },
      { name: 'GUILD_CREATE', data: { id: '9', name: 'Dry Dock' } },
    ])
  })

  test('that the platform ended is tried again with a new sign-in, and by nothing else', async () => {
    const game = world.session()
    await world.want(game, 'GUILD_CREATE')
    world.link.become({ name: 'ended', reason: 'The token is not valid.', closeCode: 4004 })
    await turns()
    expect(world.source.health()).toEqual({
      state: 'failing',
      reason: `User ${ANN} of application ${APPLICATION}: The token is not valid.`,
    })
    await world.want(game, 'CHANNEL_CREATE')
    expect(world.links).toHaveLength(1)
    world.signIn(game, ANN)
    await turns()
    expect([world.links.length, world.link.isStarted]).toEqual([2, true])
  })

  test('tells the platform of the opt-in to obfuscated channels', async () => {
    world = new GatewayWorld(true)
    await world.want(world.session(), 'GUILD_CREATE')
    expect(world.link.options.capabilities).toBe(GATEWAY_CAPABILITIES.CHANNEL_OBFUSCATION)
  })

  test('is one of so many: one more begins when another ends, and one that is only kept for a while gives way', async () => {
    const most = LIMITS.gatewayParties.value
    const games = Array.from({ length: most + 2 }, (_, user) => world.session({ userId: `${100 + user}` }))
    for (const game of games.slice(0, -1)) await world.want(game, 'GUILD_CREATE')
    const [first, second] = games
    await world.want(games[1] as Listener, 'CHANNEL_CREATE')
    expect([world.links.length, world.log.lines.filter(({ event }) => event === 'gateway-connections-full').length]).toEqual([most, 1])
    first?.caller.signOut()
    await turns()
    expect([world.open.length, world.link.party]).toEqual([most, `user:${APPLICATION}:${100 + most}`])
    world.leave(second as Listener)
    await turns()
    await world.want(games.at(-1) as Listener, 'GUILD_CREATE')
    expect([world.open.length, world.link.party]).toEqual([most, `user:${APPLICATION}:${101 + most}`])
  })
})

describe('the bot of an application', () => {
  beforeEach(() => {
    world.bots.add(APPLICATION)
  })

  test('tells what it knows too, to every signed-in session, and no user tells it again', async () => {
    const scopes = [...GUILD_SCOPES, 'lobbies.write']
    const [ann, bob] = [world.session({ scopes }), world.session({ userId: '5', scopes })]
    for (const game of [ann, bob]) for (const name of ['GUILD_CREATE', 'LOBBY_CREATE']) await world.want(game, name)
    const [bot, ofAnn] = world.links
    expect([(await bot?.options.token())?.reveal(), world.links.length]).toEqual(['bot-token', 3])
    for (const link of world.links) {
      link.ready(HARBOUR)
      link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    }
    ofAnn?.dispatch('LOBBY_CREATE', { id: '20', application_id: APPLICATION, metadata: null, members: [] })
    expect(ann.heard().map(({ name }) => name)).toEqual(['GUILD_CREATE', 'LOBBY_CREATE'])
    expect(bob.heard().map(({ name }) => name)).toEqual(['GUILD_CREATE'])
  })

  test('is asked for the intents that are wanted, privileged ones only when the application has them', async () => {
    const game = world.session({ scopes: ['rpc', 'identify'] })
    await world.want(game, 'GUILD_CREATE')
    expect(world.link.options.intents).toBe(GUILDS)
    await world.want(game, 'MESSAGE_CREATE', { channel_id: '1' })
    expect([world.open.length, world.link.options.intents]).toEqual([1, GUILDS | GUILD_MESSAGES])
    expect(world.source.health().reason).toContain('MESSAGE_CONTENT')
    world.flags = (1 << 14) | (1 << 19)
    await world.want(game, 'GUILD_MEMBER_ADD', { guild_id: '7' })
    expect(world.link.options.intents).toBe(GUILDS | GUILD_MESSAGES | GUILD_MEMBERS | MESSAGE_CONTENT)
  })

  test('goes on without privileged intents that the gateway refuses all the same, and says so', async () => {
    world.flags = 1 << 18
    await world.want(world.session(), 'MESSAGE_CREATE', { channel_id: '1' })
    expect(world.link.options.intents & MESSAGE_CONTENT).not.toBe(0)
    world.link.become({ name: 'ended', reason: 'Disallowed intents.', closeCode: 4014 })
    await turns()
    world.link.ready(HARBOUR)
    expect([world.links.length, world.link.options.intents]).toEqual([2, GUILDS | GUILD_MESSAGES])
    expect(world.source.health()).toEqual({ state: 'live', reason: expect.stringContaining('MESSAGE_CONTENT') })
  })

  test('that is gone for so long that its session is over leaves it to users until it is back', async () => {
    const game = world.session()
    await world.want(game, 'GUILD_CREATE')
    const { link: bot } = world
    bot.ready(HARBOUR)
    await turns()
    const retry = async (afterMs: number): Promise<void> => {
      world.clock.advance(afterMs)
      bot.become({ name: 'connecting' })
      bot.become({ name: 'waiting', reason: 'So many sessions were begun that none may be for now.' })
      await turns()
    }
    await retry(0)
    await retry(LIMITS.gatewayResumableMs.value - 1)
    expect(world.open).toEqual([bot])
    await retry(1)
    expect(world.open.map(({ party }) => party)).toEqual([`bot:${APPLICATION}`, `user:${APPLICATION}:${ANN}`])
    world.link.ready(HARBOUR)
    world.link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect(game.heard()).toMatchObject([{ data: { id: '9' } }])
    bot.ready(HARBOUR)
    await turns()
    world.link.dispatch('GUILD_CREATE', { id: '10', name: 'Slipway' })
    expect(game.heard()).toEqual([])
    bot.dispatch('GUILD_CREATE', { id: '10', name: 'Slipway' })
    expect(game.heard()).toMatchObject([{ data: { id: '10' } }])
    world.clock.advance(IDLE_MS)
    await turns()
    expect(world.open).toEqual([bot])
  })

  test('whose token is refused leaves it to users; a token that is stored anew is tried', async () => {
    const game = world.session()
    await world.want(game, 'GUILD_CREATE')
    world.link.become({ name: 'ended', reason: 'The token is not valid.', closeCode: 4004 })
    await turns()
    world.link.ready(HARBOUR)
    world.link.dispatch('GUILD_CREATE', { id: '9', name: 'Dry Dock' })
    expect(game.heard()).toMatchObject([{ data: { id: '9' } }])
    world.source.botChanged(APPLICATION)
    await turns()
    expect((await world.link.options.token()).reveal()).toBe('bot-token')
  })
})

describe('whatever the gateway sends', () => {
  test('that nothing is known of is ignored and counted', async () => {
    const game = await world.listening('GUILD_CREATE')
    for (const t of ['MOON_LANDING', 'constructor', '__proto__']) world.link.dispatch(t, { id: '1' })
    // Known, and for nobody here.
    for (const t of ['VOICE_STATE_UPDATE', 'CHANNEL_PINS_UPDATE', 'SESSIONS_REPLACE']) world.link.dispatch(t, { id: '1' })
    expect([game.heard(), world.source.health()]).toEqual([[], { state: 'live', ignored: 3 }])
  })

  test.each([null, undefined, 5, 'text', [], [[]], {}, { id: 5 }, { id: {} }, { guild_id: 'x', user: 5, member: [] }])(
    'in any form, here %j, harms nothing',
    async (d) => {
      const { TELLINGS } = await import('../../../../../../daemon/src/events/providers/gateway/tellings/tellings.ts')
      const game = await world.listening(
        'GUILD_CREATE',
        'RELATIONSHIP_UPDATE',
        'LOBBY_MEMBER_ADD',
        'GAME_DIRECT_MESSAGE_CREATE',
        'ENTITLEMENT_CREATE',
      )
      for (const t of new Set(TELLINGS.flatMap(({ from }) => Object.keys(from)))) world.link.dispatch(t, d)
      for (const t of ['GUILD_MEMBERS_CHUNK', 'CHANNEL_INFO', 'RATE_LIMITED', 'READY']) world.link.dispatch(t, d)
      expect(game.heard()).toEqual([])
    },
  )
})

test('invites in direct messages are handed on; what was said is kept', async () => {
  const game = world.session({ scopes: [...GUILD_SCOPES] })
  await world.want(game, 'ACTIVITY_INVITE')
  world.link.ready()
  const message = { id: '30', channel_id: '31', content: '', author: { id: '5', username: 'bob' }, activity: { type: 1, party_id: 'p' } }
  world.link.dispatch('MESSAGE_CREATE', message)
  world.link.dispatch('MESSAGE_CREATE', { ...message, id: '32', guild_id: '7' })
  world.link.dispatch('MESSAGE_CREATE', { ...message, id: '33', lobby_id: '20', activity: null })
  world.link.dispatch('MESSAGE_DELETE', { id: '30', channel_id: '31' })
  const account = { applicationId: APPLICATION, userId: ANN }
  expect(world.activityMessages).toMatchObject([{ message, account }])
  expect(world.kept).toMatchObject([
    [{ ...account, peerId: '5' }, message],
    [APPLICATION, '30'],
  ])
})

test('a message that is pinned, let go and pinned again changed three times', async () => {
  const game = world.session({ scopes: [...GUILD_SCOPES, 'messages.read'] })
  await world.want(game, 'MESSAGE_UPDATE', { channel_id: '71' })
  world.link.ready(HARBOUR)
  const message = { id: '30', channel_id: '71', guild_id: '7', content: 'Ahoy', edited_timestamp: null }
  for (const pinned of [true, false, true]) world.link.dispatch('MESSAGE_UPDATE', { ...message, pinned })
  expect(game.heard()).toMatchObject([true, false, true].map((pinned) => ({ data: { message: { id: '30', pinned } } })))
})
