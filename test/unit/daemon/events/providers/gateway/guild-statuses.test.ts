/** How guilds stand, by the gateway and by HTTP: at the subscription, at each change, and across every hand-over between the two. */
import { LIMITS, type UserGuild } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { GatewayWorld, GUILD_SCOPES, HARBOUR, LIGHTHOUSE, type Listener, turns } from '../../../../../support/gateway-world.ts'

const status = ({ id, name, icon }: typeof HARBOUR | typeof LIGHTHOUSE, online: number) => ({
  name: 'GUILD_STATUS',
  data: { guild: { id, name, icon_url: icon === null ? null : `https://cdn.example.test/icons/${id}/${icon}.png` }, online },
})
/** As the HTTP API shows a guild. */
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

let world: GatewayWorld
beforeEach(() => {
  world = new GatewayWorld()
})

describe('GUILD_STATUS', () => {
  test('is told when it is subscribed, at each change, and not when nothing changed', async () => {
    const game = world.session()
    const subscribed = world.want(game, 'GUILD_STATUS', { guild_id: '7' })
    await turns()
    world.link.ready(HARBOUR, LIGHTHOUSE)
    await subscribed
    await turns()
    expect(game.heard()).toEqual([status(HARBOUR, 2)])
    world.link.dispatch('GUILD_UPDATE', { ...HARBOUR, approximate_presence_count: 3 })
    world.link.dispatch('GUILD_UPDATE', { ...HARBOUR, approximate_presence_count: 3, features: ['NEWS'] })
    expect(game.heard()).toEqual([status(HARBOUR, 3)])
    await world.want(game, 'GUILD_STATUS', { guild_id: '8' })
    expect(game.heard()).toEqual([status(LIGHTHOUSE, 5)])
    expect(world.otherwise).toEqual([])
  })

  test('of a guild that the user is not in is refused', async () => {
    const game = await world.listening('GUILD_CREATE')
    await expect(world.want(game, 'GUILD_STATUS', { guild_id: '9' })).rejects.toMatchObject({ error: 'INVALID_GUILD' })
  })

  test('is told again after a new session, and not after one that goes on', async () => {
    const game = await world.listening('GUILD_CREATE')
    await world.want(game, 'GUILD_STATUS', { guild_id: '7' })
    game.heard()
    world.link.become({ name: 'waiting' })
    world.link.resumed()
    expect(game.heard()).toEqual([])
    world.link.ready(HARBOUR)
    expect(game.heard()).toEqual([status(HARBOUR, 2)])
  })

  test('is told when the list of a new session has the guild whole', async () => {
    const game = world.session()
    const subscribed = world.want(game, 'GUILD_STATUS', { guild_id: '7' })
    await turns()
    world.link.dispatch('READY', { session_id: 's', guilds: [{ ...HARBOUR, unavailable: false }, LIGHTHOUSE] })
    world.link.become({ name: 'live' })
    await subscribed
    await turns()
    expect(game.heard()).toEqual([status(HARBOUR, 2)])
    await world.want(game, 'GUILD_STATUS', { guild_id: '8' })
    expect(game.heard()).toEqual([status(LIGHTHOUSE, 5)])
    world.link.dispatch('READY', { session_id: 's', guilds: [HARBOUR] })
    expect(game.heard()).toEqual([status(HARBOUR, 2)])
  })

  test('is told to the sessions of the user alone, and anew to who comes back to the guild', async () => {
    const game = await world.listening('GUILD_CREATE')
    const other = world.session({ userId: '5', scopes: ['identify', 'rpc'] })
    for (const one of [game, other]) await world.want(one, 'GUILD_STATUS', { guild_id: '7' })
    world.link.dispatch('GUILD_DELETE', { id: '7' })
    world.link.dispatch('GUILD_CREATE', HARBOUR)
    expect(game.heard().filter(({ name }) => name === 'GUILD_STATUS')).toEqual([status(HARBOUR, 2), status(HARBOUR, 2)])
    expect(other.heard()).toEqual([])
  })

  test('is left to others where the gateway tells of no guild, does not answer, or ended', async () => {
    const game = world.session()
    const first = world.want(game, 'GUILD_STATUS', { guild_id: '7' })
    await turns()
    expect(world.source.tellsGuildsTo(game.caller)).toBe(true)
    world.link.become({ name: 'waiting', reason: 'It cannot be reached.' })
    await first
    await turns()
    expect([world.source.tellsGuildsTo(game.caller), world.otherwise]).toEqual([false, ['1 GUILD_STATUS']])
    world.link.ready()
    expect(world.source.tellsGuildsTo(game.caller)).toBe(false)
    world.link.ready(HARBOUR)
    expect(world.source.tellsGuildsTo(game.caller)).toBe(true)
    world.link.become({ name: 'waiting' })
    expect(world.source.tellsGuildsTo(game.caller)).toBe(true)
    world.link.become({ name: 'ended', closeCode: 4004 })
    expect(world.source.tellsGuildsTo(game.caller)).toBe(false)
  })

  test('keeps nobody waiting for a gateway that takes long', async () => {
    const game = world.session()
    world.hub.subscribe(game.caller, { name: 'GUILD_STATUS', args: { guild_id: '7' } })
    const welcomed = world.sources.welcome(game.caller, { name: 'GUILD_STATUS', args: { guild_id: '7' } })
    await turns()
    world.clock.advance(5000)
    await welcomed
    await turns()
    world.link.ready(HARBOUR)
    expect(game.heard()).toEqual([status(HARBOUR, 2)])
  })
})

describe('the hand-over between HTTP and the gateway', () => {
  const event = { name: 'GUILD_STATUS', args: { guild_id: '7' } }
  const POLL_MS = LIMITS.guildStatusPollMs.value
  beforeEach(() => {
    world.guilds = [byHttp(HARBOUR, 2)]
  })

  /** A session that subscribes while its user's connection is not there yet. */
  async function subscribing(): Promise<{ readonly game: Listener; readonly answer: Promise<void> | undefined }> {
    const game = world.session({ scopes: [...GUILD_SCOPES, 'guilds'] })
    world.hub.subscribe(game.caller, event)
    const answer = world.sources.welcome(game.caller, event)
    answer?.catch(() => world.hub.unsubscribe(game.caller, event))
    await turns()
    return { game, answer }
  }

  test('tells by HTTP at once while no session may be begun, and by the gateway only what is new since', async () => {
    const { game, answer } = await subscribing()
    expect([game.heard(), world.reads]).toEqual([[], 0])
    world.link.become({ name: 'waiting' })
    await answer
    await turns()
    expect([game.heard(), world.reads]).toEqual([[status(HARBOUR, 2)], 1])
    world.link.ready(HARBOUR)
    await turns()
    expect(game.heard()).toEqual([])
    world.link.dispatch('GUILD_UPDATE', { ...HARBOUR, approximate_presence_count: 3 })
    world.clock.advance(POLL_MS * 2)
    await turns()
    expect([game.heard(), world.reads]).toEqual([[status(HARBOUR, 3)], 1])
  })

  test('tells by HTTP when the gateway takes long, to all sessions of the user', async () => {
    const first = await subscribing()
    const second = await subscribing()
    world.clock.advance(1000)
    for (const { answer } of [first, second]) await answer
    await turns()
    expect([first.game.heard(), second.game.heard(), world.reads]).toEqual([[status(HARBOUR, 2)], [status(HARBOUR, 2)], 1])
  })

  test('tells nothing before the answer, and what came meanwhile right behind it', async () => {
    const { game, answer } = await subscribing()
    let isAnswered = false
    void answer?.then(() => {
      isAnswered = true
      expect(game.heard()).toEqual([])
    })
    world.link.become({ name: 'waiting' })
    world.link.ready({ ...HARBOUR, approximate_presence_count: 4 })
    await turns()
    expect([isAnswered, game.heard()]).toEqual([true, [status(HARBOUR, 4)]])
  })

  test('is no news where the gateway does not tell how many are online', async () => {
    const { game } = await subscribing()
    world.link.become({ name: 'waiting' })
    await turns()
    game.heard()
    const { approximate_presence_count: _, ...silent } = HARBOUR
    world.link.ready(silent)
    await turns()
    expect(game.heard()).toEqual([])
    world.link.dispatch('GUILD_UPDATE', { ...silent, name: 'Haven' })
    expect(game.heard()).toMatchObject([{ data: { guild: { name: 'Haven' } } }])
  })

  test('asks no more often because the gateway is tried again and again', async () => {
    const { game } = await subscribing()
    for (let tries = 0; tries < 20; tries++) {
      world.link.become({ name: 'waiting', reason: 'It cannot be reached.' })
      await turns()
      world.link.become({ name: 'connecting' })
      await turns()
    }
    expect([game.heard(), world.reads]).toEqual([[status(HARBOUR, 2)], 1])
    world.guilds = [byHttp(HARBOUR, 6)]
    world.clock.advance(POLL_MS)
    await turns()
    expect([game.heard(), world.reads]).toEqual([[status(HARBOUR, 6)], 2])
  })

  test('asks by HTTP when a gateway that was there is gone for long, and no more when it is back', async () => {
    const { game } = await subscribing()
    world.link.ready(HARBOUR)
    await turns()
    game.heard()
    const retry = async (): Promise<void> => {
      world.link.become({ name: 'connecting' })
      world.link.become({ name: 'waiting', reason: 'It cannot be reached.' })
      await turns()
    }
    world.guilds = [byHttp(HARBOUR, 9)]
    await retry()
    world.clock.advance(LIMITS.gatewayOutageMs.value - 1)
    await retry()
    expect([game.heard(), world.reads]).toEqual([[], 0])
    world.clock.advance(1)
    await retry()
    expect([game.heard(), world.reads]).toEqual([[status(HARBOUR, 9)], 1])
    world.link.resumed()
    await turns()
    world.clock.advance(POLL_MS * 2)
    await turns()
    expect(world.reads).toBe(1)
  })

  test('refuses no guild of which only a break kept us from hearing', async () => {
    const game = await world.listening('GUILD_CREATE')
    world.link.become({ name: 'waiting' })
    await world.want(game, 'GUILD_STATUS', { guild_id: '9' })
    world.link.dispatch('GUILD_CREATE', { ...HARBOUR, id: '9' })
    expect(game.heard().map(({ name }) => name)).toEqual(['GUILD_STATUS', 'GUILD_CREATE'])
  })

  test('refuses by HTTP a guild that the user is not in', async () => {
    world.guilds = [byHttp(LIGHTHOUSE, 1)]
    const { answer } = await subscribing()
    world.link.become({ name: 'waiting' })
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_GUILD' })
    expect(world.hub.desired()).toEqual([])
  })
})
