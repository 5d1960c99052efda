import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { botDemand, computeDemand, type SessionSubscription } from '#daemon/src/events/providers/gateway/demand.ts'
import { ANN, APPLICATION, GatewayWorld, type Listener } from '#test/support/gateway-world.ts'

const { GUILDS, GUILD_MEMBERS } = GATEWAY_INTENTS
const USER = `user:${APPLICATION}:${ANN}`
const BOT = `bot:${APPLICATION}`

const world = new GatewayWorld()
const subscription = ({ session }: Listener, name: string, args: object = {}): SessionSubscription => ({ session, event: { name, args } })
const keysOf = (subscriptions: readonly SessionSubscription[], bot: 'usable' | 'unusable' | 'none' | undefined) => [
  ...computeDemand(subscriptions, () => bot, []).keys(),
]

describe('the connections in demand', () => {
  const game = world.session()
  const other = world.session()

  test('of one user are one, with one token provider per session, for any number of subscriptions', () => {
    const crowd = Array.from({ length: 1000 }, (_, id) =>
      [game, other].map((one) => subscription(one, 'GUILD_STATUS', { guild_id: `${id + 1}` })),
    )
    const demand = computeDemand(crowd.flat(), () => 'none', [])
    expect([...demand.keys()]).toEqual([USER])
    expect(demand.get(USER)?.tokenSources.map(({ signedIn }) => signedIn)).toEqual([game.session.signedIn, other.session.signedIn])
  })

  test.each([
    ['usable', [BOT]],
    // It stays in demand, so that it is not opened again and again.
    ['unusable', [BOT, USER]],
    ['none', [USER]],
    [undefined, []],
  ] as const)('for what a bot knows too, where it is %s', (bot, keys) => {
    expect(keysOf([subscription(game, 'GUILD_CREATE')], bot)).toEqual(keys)
  })

  test('for events that only the user provides are the user’s, with or without a bot', () => {
    for (const bot of ['usable', 'unusable', 'none', undefined] as const)
      expect(keysOf([subscription(game, 'LOBBY_CREATE')], bot)).toEqual([])
    const scoped = world.session({ scopes: ['identify', 'gateway.connect', 'lobbies.write'] })
    for (const bot of ['usable', 'unusable', 'none', undefined] as const)
      expect(keysOf([subscription(scoped, 'LOBBY_CREATE')], bot)).toEqual([USER])
  })

  test('have all required intents, for events and for other purposes', () => {
    const demand = computeDemand([subscription(game, 'GUILD_CREATE')], () => 'usable', [botDemand(APPLICATION, GUILD_MEMBERS)])
    expect(demand.get(BOT)).toMatchObject({ intents: GUILDS | GUILD_MEMBERS, tokenSources: [] })
  })

  test('are none without sign-in, without the scopes of the event, or without the right to connect', () => {
    const signedOut = world.session()
    signedOut.session.signOut()
    const withoutConnect = world.session({ scopes: ['identify', 'rpc'] })
    const withoutRpc = world.session({ scopes: ['identify', 'gateway.connect'] })
    for (const one of [signedOut, withoutConnect, withoutRpc]) expect(keysOf([subscription(one, 'GUILD_CREATE')], 'none')).toEqual([])
    expect(keysOf([subscription(game, 'OVERLAY_UPDATE')], 'none')).toEqual([])
  })
})
