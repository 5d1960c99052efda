import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { wantedOfBot, wantedParties, type Wish } from '../../../../../../daemon/src/events/providers/gateway/parties.ts'
import { ANN, APPLICATION, GatewayWorld, type Listener } from '../../../../../support/gateway-world.ts'

const { GUILDS, GUILD_MEMBERS } = GATEWAY_INTENTS
const USER = `user:${APPLICATION}:${ANN}`
const BOT = `bot:${APPLICATION}`

const world = new GatewayWorld()
const wish = ({ caller }: Listener, name: string, args: object = {}): Wish => ({ caller, event: { name, args } })
const keysOf = (wishes: readonly Wish[], bot: 'usable' | 'unusable' | 'none' | undefined) => [
  ...wantedParties(wishes, () => bot, []).keys(),
]

describe('the connections that are wanted', () => {
  const game = world.session()
  const other = world.session()

  test('of one user are one, with one holder for each session, however much it wishes for', () => {
    const crowd = Array.from({ length: 1000 }, (_, id) => [game, other].map((one) => wish(one, 'GUILD_STATUS', { guild_id: `${id + 1}` })))
    const wanted = wantedParties(crowd.flat(), () => 'none', [])
    expect([...wanted.keys()]).toEqual([USER])
    expect(wanted.get(USER)?.holders.map(({ signedIn }) => signedIn)).toEqual([game.caller.signedIn, other.caller.signedIn])
  })

  test.each([
    ['usable', [BOT]],
    // It stays wanted, so that it is not tried all the time.
    ['unusable', [BOT, USER]],
    ['none', [USER]],
    [undefined, []],
  ] as const)('for what a bot knows too, where it is %s', (bot, keys) => {
    expect(keysOf([wish(game, 'GUILD_CREATE')], bot)).toEqual(keys)
  })

  test('for what only the user knows are the user’s, whatever the bot', () => {
    for (const bot of ['usable', 'unusable', 'none', undefined] as const) expect(keysOf([wish(game, 'LOBBY_CREATE')], bot)).toEqual([])
    const scoped = world.session({ scopes: ['identify', 'gateway.connect', 'lobbies.write'] })
    for (const bot of ['usable', 'unusable', 'none', undefined] as const)
      expect(keysOf([wish(scoped, 'LOBBY_CREATE')], bot)).toEqual([USER])
  })

  test('have all intents that are wanted of them, for events and for other things', () => {
    const wanted = wantedParties([wish(game, 'GUILD_CREATE')], () => 'usable', [wantedOfBot(APPLICATION, GUILD_MEMBERS)])
    expect(wanted.get(BOT)).toMatchObject({ intents: GUILDS | GUILD_MEMBERS, holders: [] })
  })

  test('are none for who is not signed in, may not have the event, or may open none', () => {
    const nobody = world.session()
    nobody.caller.signOut()
    const withoutConnect = world.session({ scopes: ['identify', 'rpc'] })
    const withoutRpc = world.session({ scopes: ['identify', 'gateway.connect'] })
    for (const one of [nobody, withoutConnect, withoutRpc]) expect(keysOf([wish(one, 'GUILD_CREATE')], 'none')).toEqual([])
    expect(keysOf([wish(game, 'OVERLAY_UPDATE')], 'none')).toEqual([])
  })
})
