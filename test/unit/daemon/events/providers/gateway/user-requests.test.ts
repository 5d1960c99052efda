/** What games ask of the gateway connection of their user. */
import { Canceller } from '@sallyport/core/cancel'
import { beforeEach, describe, expect, test } from 'vitest'
import { createUserRequests, noUserRequests, type UserRequests } from '#daemon/src/events/providers/gateway/user-requests.ts'
import { APPLICATION, GatewayWorld, HARBOUR, IDLE_MS, turns } from '#test/support/gateway-world.ts'

const BOB = { id: '6', username: 'bob', discriminator: '0', avatar: null }
const CHESS = { type: 0, name: 'Chess', application_id: APPLICATION }
const READY = {
  session_id: 's',
  guilds: [],
  relationships: [
    { id: '6', type: 1, user: BOB },
    { id: '8', type: 3, user: { ...BOB, id: '8', username: 'cid' } },
  ],
  presences: [{ user: { id: '6' }, status: 'dnd', activities: [{ type: 0, name: 'Other' }, CHESS] }],
}
const SCOPES = ['identify', 'relationships.read', 'gateway.connect']

let world: GatewayWorld
let ask: UserRequests
let stop: Canceller
beforeEach(() => {
  world = new GatewayWorld()
  ask = createUserRequests(world.provider)
  stop = new Canceller()
})

describe('relationships', () => {
  const asked = async (scopes = SCOPES) => {
    const { session } = world.session({ scopes })
    const answer = ask.relationships(session, stop)
    answer.catch(() => {})
    await turns()
    return { session, answer }
  }
  const live = async (): Promise<void> => {
    world.connection.dispatch('READY', READY)
    world.connection.setState({ name: 'live' })
    await turns()
  }

  test('are those of READY, with the presence of friends and the activity of this application', { tags: ['5-7'] }, async () => {
    const { answer } = await asked()
    await live()
    expect(await answer).toMatchObject({
      leftOut: 0,
      relationships: [
        { type: 1, user: { id: '6', username: 'bob' }, presence: { status: 'dnd', activity: CHESS } },
        { type: 3, user: { id: '8', username: 'cid' } },
      ],
    })
  })

  test('follow the dispatches, on the connection that is open, which closes afterwards', async () => {
    const { session, answer } = await asked()
    await live()
    await answer
    world.connection.dispatch('RELATIONSHIP_REMOVE', { id: '8', type: 3 })
    world.connection.dispatch('PRESENCE_UPDATE', { user: { id: '6' }, status: 'offline', activities: [] })
    expect((await ask.relationships(session, stop)).relationships).toMatchObject([
      { user: { id: '6' }, presence: { status: 'offline', activity: null } },
    ])
    expect(ask.mayAsk(session)).toBe(true)
    expect(await ask.user(session, '6', stop)).toMatchObject({ username: 'bob' })
    expect(await ask.user(session, '9', stop)).toBeUndefined()
    expect(world.connections).toHaveLength(1)
    await turns()
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.open, world.clock.pending]).toEqual([[], 0])
  })

  test('need the scope to connect, which the error names', async () => {
    const { answer } = await asked(['identify', 'relationships.read'])
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS', message: expect.stringContaining('gateway.connect') })
    expect(world.connections).toEqual([])
  })

  test('reach a subscriber when a friend comes online', async () => {
    const game = world.session({ scopes: SCOPES })
    await world.subscribe(game, 'RELATIONSHIP_UPDATE')
    await live()
    game.received()
    const online = { user: { id: '6' }, status: 'online', activities: [] }
    world.connection.dispatch('PRESENCE_UPDATE', { ...online, guild_id: '7' })
    world.connection.dispatch('PRESENCE_UPDATE', { ...online, user: { id: '99' } })
    world.connection.dispatch('PRESENCE_UPDATE', online)
    expect(game.received()).toMatchObject([
      { name: 'RELATIONSHIP_UPDATE', data: { type: 1, user: { id: '6' }, presence: { status: 'online' } } },
    ])
  })
})

describe('channels', () => {
  const WITH_CHANNELS = { ...HARBOUR, channels: [{ id: '70', type: 2, name: 'Pier', position: 3, bitrate: 64_000, user_limit: 0 }] }
  const CHANNEL = { command: 'GET_CHANNEL', orElse: [['guilds', 'guilds.channels.read']] } as const
  const PIER = { id: '70', guild_id: '7', name: 'Pier', type: 2, topic: null, bitrate: 64_000, user_limit: 0, position: 3 }

  test('of guilds are read when the guilds have arrived', async () => {
    const { session } = world.session({ scopes: ['guilds', 'gateway.connect'] })
    const answer = ask.channel(CHANNEL, session, '70', stop)
    await turns()
    world.connection.ready(WITH_CHANNELS)
    expect(await answer).toEqual(PIER)
    expect(await ask.channels(CHANNEL, session, '7', stop)).toEqual([PIER])
    expect(await ask.channels(CHANNEL, session, '9', stop)).toBeUndefined()
    expect(await ask.channel(CHANNEL, session, '71', stop)).toBeUndefined()
  })

  test('come from the bot where the session may open no connection', async () => {
    world.bots.add(APPLICATION)
    const { session } = world.session({ scopes: ['guilds'] })
    const answer = ask.channel(CHANNEL, session, '70', stop)
    await turns()
    world.connection.ready(WITH_CHANNELS)
    expect(await answer).toEqual(PIER)
    expect(world.connection.identity).toContain('bot')
  })

  test('are not awaited for ever when a guild stays unavailable', async () => {
    const { session } = world.session({ scopes: ['guilds', 'gateway.connect'] })
    const answer = ask.channel(CHANNEL, session, '70', stop)
    await turns()
    world.connection.dispatch('READY', { session_id: 's', guilds: [{ id: '7', unavailable: true }] })
    world.connection.setState({ name: 'live' })
    await turns()
    world.clock.advance(3000)
    expect(await answer).toBeUndefined()
  })

  test('need a connection or a bot', async () => {
    const { session } = world.session({ scopes: ['guilds'] })
    await expect(ask.channel(CHANNEL, session, '70', stop)).rejects.toMatchObject({
      error: 'INVALID_PERMISSIONS',
      message: expect.stringContaining('the scope guilds + guilds.channels.read or gateway.connect'),
    })
    await expect(noUserRequests.channel(CHANNEL, session, '70', stop)).rejects.toThrow('--gateway off')
  })
})
