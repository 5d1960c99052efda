/** GUILD_STATUS via the gateway and via HTTP: at the subscription, at each change, and across every switch between the two. */
import { BUDGETS } from '@sallyport/core/budgets'
import { type UserGuild } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { GatewayWorld, GUILD_SCOPES, HARBOUR, IDLE_MS, LIGHTHOUSE, type Listener, turns } from '#test/support/gateway-world.ts'

const status = ({ id, name, icon }: typeof HARBOUR | typeof LIGHTHOUSE, online: number) => ({
  name: 'GUILD_STATUS',
  data: { guild: { id, name, icon_url: icon === null ? null : `https://cdn.example.test/icons/${id}/${icon}.png` }, online },
})
/** A guild of the HTTP API. */
const byHttp = (guild: typeof HARBOUR | typeof LIGHTHOUSE, online: number): UserGuild => ({
  id: guild.id,
  name: guild.name,
  icon: guild.icon,
  banner: null,
  owner: false,
  permissions: '0',
  features: [],
  approximate_presence_count: online,
})

const POLL_MS = BUDGETS.guildStatusPollMs.value

let world: GatewayWorld
beforeEach(() => {
  world = new GatewayWorld()
})

describe('GUILD_STATUS', () => {
  test('is published at the subscription and at each change, and not without a change', async () => {
    const game = world.session()
    const subscribed = world.subscribe(game, 'GUILD_STATUS', { guild_id: '7' })
    await turns()
    world.connection.ready(HARBOUR, LIGHTHOUSE)
    await subscribed
    await turns()
    expect(game.received()).toEqual([status(HARBOUR, 2)])
    world.connection.dispatch('GUILD_UPDATE', { ...HARBOUR, approximate_presence_count: 3 })
    world.connection.dispatch('GUILD_UPDATE', { ...HARBOUR, approximate_presence_count: 3, features: ['NEWS'] })
    expect(game.received()).toEqual([status(HARBOUR, 3)])
    await world.subscribe(game, 'GUILD_STATUS', { guild_id: '8' })
    expect(game.received()).toEqual([status(LIGHTHOUSE, 5)])
    expect(world.reads).toBe(0)
  })

  test('of a guild without the user is refused', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    await expect(world.subscribe(game, 'GUILD_STATUS', { guild_id: '9' })).rejects.toMatchObject({ error: 'INVALID_GUILD' })
  })

  test('is published again after a new session, and not after a resumed one', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    await world.subscribe(game, 'GUILD_STATUS', { guild_id: '7' })
    game.received()
    world.connection.setState({ name: 'waiting' })
    world.connection.resumed()
    expect(game.received()).toEqual([])
    world.connection.ready(HARBOUR)
    expect(game.received()).toEqual([status(HARBOUR, 2)])
  })

  test('is published when READY contains the whole guild', async () => {
    const game = world.session()
    const subscribed = world.subscribe(game, 'GUILD_STATUS', { guild_id: '7' })
    await turns()
    world.connection.dispatch('READY', { session_id: 's', guilds: [{ ...HARBOUR, unavailable: false }, LIGHTHOUSE] })
    world.connection.setState({ name: 'live' })
    await subscribed
    await turns()
    expect(game.received()).toEqual([status(HARBOUR, 2)])
    await world.subscribe(game, 'GUILD_STATUS', { guild_id: '8' })
    expect(game.received()).toEqual([status(LIGHTHOUSE, 5)])
    world.connection.dispatch('READY', { session_id: 's', guilds: [HARBOUR] })
    expect(game.received()).toEqual([status(HARBOUR, 2)])
  })

  test('is published only to sessions of the user, and again after the user rejoins the guild', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    const other = world.session({ userId: '5', scopes: ['identify', 'rpc'] })
    for (const one of [game, other]) await world.subscribe(one, 'GUILD_STATUS', { guild_id: '7' })
    world.connection.dispatch('GUILD_DELETE', { id: '7' })
    world.connection.dispatch('GUILD_CREATE', HARBOUR)
    expect(game.received().filter(({ name }) => name === 'GUILD_STATUS')).toEqual([status(HARBOUR, 2), status(HARBOUR, 2)])
    expect(other.received()).toEqual([])
  })

  test('is polled when the gateway has no guilds, does not respond, or ended', async () => {
    const game = world.session({ scopes: [...GUILD_SCOPES, 'guilds'] })
    const route = (): unknown => (['user', 'poll'] as const).find((name) => world.routing.isAssigned(name, game.session, 'GUILD_STATUS'))
    world.guilds = [byHttp(HARBOUR, 2)]
    const first = world.subscribe(game, 'GUILD_STATUS', { guild_id: '7' })
    await turns()
    expect(route()).toBe('user')
    world.connection.setState({ name: 'waiting', reason: 'It cannot be reached.' })
    await first
    await turns()
    expect([route(), world.reads]).toEqual(['poll', 1])
    world.connection.ready()
    expect(route()).toBe('poll')
    world.connection.ready(HARBOUR)
    expect(route()).toBe('user')
    world.connection.setState({ name: 'waiting' })
    expect(route()).toBe('user')
    world.connection.setState({ name: 'ended', closeCode: 4004 })
    expect(route()).toBe('poll')
  })

  test('comes by the connection that another session of the user opened, and by HTTP when that closes', async () => {
    world.guilds = [byHttp(HARBOUR, 2)]
    const opener = await world.subscribed('GUILD_CREATE')
    const game = world.session({ scopes: ['identify', 'rpc', 'guilds'] })
    await world.subscribe(game, 'GUILD_STATUS', { guild_id: '7' })
    expect([game.received(), world.reads]).toEqual([[status(HARBOUR, 2)], 0])
    world.leave(opener)
    await turns()
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.open, world.reads]).toEqual([[], 1])
    world.guilds = [byHttp(HARBOUR, 6)]
    world.clock.advance(POLL_MS)
    await turns()
    expect(game.received()).toEqual([status(HARBOUR, 6)])
  })

  test('does not wait for a slow gateway', async () => {
    const game = world.session()
    world.hub.subscribe(game.session, { name: 'GUILD_STATUS', args: { guild_id: '7' } })
    const welcomed = world.providers.confirm(game.session, { name: 'GUILD_STATUS', args: { guild_id: '7' } })
    await turns()
    world.clock.advance(5000)
    await welcomed
    await turns()
    world.connection.ready(HARBOUR)
    expect(game.received()).toEqual([status(HARBOUR, 2)])
  })
})

describe('the hand-over between HTTP and the gateway', () => {
  const event = { name: 'GUILD_STATUS', args: { guild_id: '7' } }
  beforeEach(() => {
    world.guilds = [byHttp(HARBOUR, 2)]
  })

  /** A session that subscribes before its user's connection is open. */
  async function subscribing(): Promise<{ readonly game: Listener; readonly answer: Promise<void> | undefined }> {
    const game = world.session({ scopes: [...GUILD_SCOPES, 'guilds'] })
    world.hub.subscribe(game.session, event)
    const answer = world.providers.confirm(game.session, event)
    answer?.catch(() => world.hub.unsubscribe(game.session, event))
    await turns()
    return { game, answer }
  }

  test('publishes via HTTP while no session may start, and via the gateway only later changes', async () => {
    const { game, answer } = await subscribing()
    expect([game.received(), world.reads]).toEqual([[], 0])
    world.connection.setState({ name: 'waiting' })
    await answer
    await turns()
    expect([game.received(), world.reads]).toEqual([[status(HARBOUR, 2)], 1])
    world.connection.ready(HARBOUR)
    await turns()
    expect(game.received()).toEqual([])
    world.connection.dispatch('GUILD_UPDATE', { ...HARBOUR, approximate_presence_count: 3 })
    world.clock.advance(POLL_MS * 2)
    await turns()
    expect([game.received(), world.reads]).toEqual([[status(HARBOUR, 3)], 1])
  })

  test('publishes via HTTP when the gateway is slow, to all sessions of the user', async () => {
    const first = await subscribing()
    const second = await subscribing()
    world.clock.advance(1000)
    for (const { answer } of [first, second]) await answer
    await turns()
    expect([first.game.received(), second.game.received(), world.reads]).toEqual([[status(HARBOUR, 2)], [status(HARBOUR, 2)], 1])
  })

  test('publishes nothing before the response, and pending changes right after it', async () => {
    const { game, answer } = await subscribing()
    let isAnswered = false
    void answer?.then(() => {
      isAnswered = true
      expect(game.received()).toEqual([])
    })
    world.connection.setState({ name: 'waiting' })
    world.connection.ready({ ...HARBOUR, approximate_presence_count: 4 })
    await turns()
    expect([isAnswered, game.received()]).toEqual([true, [status(HARBOUR, 4)]])
  })

  test('publishes nothing when the gateway does not send the number of online members', async () => {
    const { game } = await subscribing()
    world.connection.setState({ name: 'waiting' })
    await turns()
    game.received()
    const { approximate_presence_count: _, ...silent } = HARBOUR
    world.connection.ready(silent)
    await turns()
    expect(game.received()).toEqual([])
    world.connection.dispatch('GUILD_UPDATE', { ...silent, name: 'Haven' })
    expect(game.received()).toMatchObject([{ data: { guild: { name: 'Haven' } } }])
  })

  test('does not read more often because the gateway is retried', async () => {
    const { game } = await subscribing()
    for (let tries = 0; tries < 20; tries++) {
      world.connection.setState({ name: 'waiting', reason: 'It cannot be reached.' })
      await turns()
      world.connection.setState({ name: 'connecting' })
      await turns()
    }
    expect([game.received(), world.reads]).toEqual([[status(HARBOUR, 2)], 1])
    world.guilds = [byHttp(HARBOUR, 6)]
    world.clock.advance(POLL_MS)
    await turns()
    expect([game.received(), world.reads]).toEqual([[status(HARBOUR, 6)], 2])
  })

  test('reads via HTTP during a long outage of the gateway, and stops when it is back', async () => {
    const { game } = await subscribing()
    world.connection.ready(HARBOUR)
    await turns()
    game.received()
    const retry = async (): Promise<void> => {
      world.connection.setState({ name: 'connecting' })
      world.connection.setState({ name: 'waiting', reason: 'It cannot be reached.' })
      await turns()
    }
    world.guilds = [byHttp(HARBOUR, 9)]
    await retry()
    world.clock.advance(BUDGETS.gatewayOutageMs.value - 1)
    await retry()
    expect([game.received(), world.reads]).toEqual([[], 0])
    world.clock.advance(1)
    await retry()
    expect([game.received(), world.reads]).toEqual([[status(HARBOUR, 9)], 1])
    world.connection.resumed()
    await turns()
    world.clock.advance(POLL_MS * 2)
    await turns()
    expect(world.reads).toBe(1)
  })

  test('refuses no guild that is unknown only because of an outage', async () => {
    const game = await world.subscribed('GUILD_CREATE')
    world.connection.setState({ name: 'waiting' })
    await world.subscribe(game, 'GUILD_STATUS', { guild_id: '9' })
    world.connection.dispatch('GUILD_CREATE', { ...HARBOUR, id: '9' })
    expect(game.received().map(({ name }) => name)).toEqual(['GUILD_STATUS', 'GUILD_CREATE'])
  })

  test('refuses via HTTP a guild without the user', async () => {
    world.guilds = [byHttp(LIGHTHOUSE, 1)]
    const { answer } = await subscribing()
    world.connection.setState({ name: 'waiting' })
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_GUILD' })
    expect(world.hub.selectors()).toEqual([])
  })
})
