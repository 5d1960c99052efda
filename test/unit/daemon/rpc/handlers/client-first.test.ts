/** Commands that the desktop client answers where it runs, and the bridge elsewhere. */
import { BridgeError } from '@sallyport/core/errors'
import { beforeEach, describe, expect, test } from 'vitest'
import { Game, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

const APPLICATION = '1234567890'
const ANN = '80351110224678912'
const BOB = { id: '6', username: 'bob', discriminator: '0', avatar: null }
const FRIEND = { type: 1, user: BOB, presence: { status: 'online', activity: null } }
const CHANNEL = { id: '51', guild_id: '5', name: 'general', type: 0, position: 0 }

let bridge: TestBridge
const game = async (...scopes: readonly string[]): Promise<Game> => {
  const made = Game.connected(bridge)
  await made.ask('AUTHENTICATE', { access_token: tokenOf(['identify', ...scopes]) })
  return made
}
beforeEach(() => {
  bridge = testBridge()
  bridge.userRequests.friends.push(FRIEND)
  bridge.userRequests.users.push(BOB)
  bridge.userRequests.guilds = new Map([['5', [CHANNEL]]])
})
const failing = (failure: BridgeError) => async (): Promise<never> => {
  throw failure
}
const link = (answer: () => Promise<unknown>): void => {
  bridge.desktopClient.linked.add(APPLICATION)
  bridge.desktopClient.answer = answer
}

describe('without a client', () => {
  test('relationships come from the gateway', { tags: ['5-7'] }, async () => {
    const one = await game('relationships.read', 'gateway.connect')
    expect(await one.ask('GET_RELATIONSHIPS')).toMatchObject({ evt: null, data: { relationships: [FRIEND] } })
    bridge.userRequests.leftOut = 95_000
    expect((await one.ask('GET_RELATIONSHIPS')).data).toEqual({ relationships: [FRIEND], left_out: 95_000 })
    bridge.userRequests.leftOut = 0
  })

  test('a user is the own one, one that the gateway named, or null', async () => {
    bridge.platform.replies.set('GET_CURRENT_USER', () => ({
      id: ANN,
      username: 'ann',
      discriminator: '0',
      avatar: null,
      email: 'a@b.test',
    }))
    const one = await game()
    const own = await one.ask('GET_USER', { id: ANN })
    expect(own.data).toMatchObject({ id: ANN, username: 'ann' })
    expect(own.data).not.toHaveProperty('email')
    expect((await one.ask('GET_USER', { id: BOB.id })).data).toEqual(BOB)
    expect((await one.ask('GET_USER', { id: '7' })).data).toBeNull()
    expect((await Game.connected(bridge).ask('GET_USER', { id: bridge.account.user.id })).data).toMatchObject({
      id: bridge.account.user.id,
    })
  })

  test('channels come from the gateway where the token does not allow the API', async () => {
    const one = await game('guilds', 'gateway.connect')
    expect((await one.ask('GET_CHANNELS', { guild_id: '5' })).data).toEqual({ channels: [{ id: '51', name: 'general', type: 0 }] })
    expect(await one.ask('GET_CHANNELS', { guild_id: '6' })).toMatchObject({ data: { code: 4003, path: 'guild_id' } })
    expect((await one.ask('GET_CHANNEL', { channel_id: '51' })).data).toEqual(CHANNEL)
    expect(await one.ask('GET_CHANNEL', { channel_id: '52' })).toMatchObject({ data: { code: 4005, path: 'channel_id' } })
  })

  test('a gateway that cannot be reached is named', async () => {
    bridge.userRequests.guilds = undefined
    const one = await game('relationships.read', 'gateway.connect')
    expect(await one.ask('GET_RELATIONSHIPS')).toMatchObject({ data: { code: 1001 } })
  })
})

describe('with a client', () => {
  test('its answer is preferred', async () => {
    link(async () => ({ relationships: [] }))
    const one = await game('relationships.read', 'gateway.connect')
    expect((await one.ask('GET_RELATIONSHIPS')).data).toEqual({ relationships: [] })
  })

  test('its error is returned', async () => {
    link(failing(new BridgeError('INVALID_CHANNEL', 'no such channel')))
    const one = await game('guilds', 'gateway.connect')
    expect(await one.ask('GET_CHANNEL', { channel_id: '51' })).toMatchObject({ data: { code: 4005, message: 'no such channel' } })
  })

  test.each(['SERVICE_UNAVAILABLE', 'INVALID_TOKEN'] as const)('that answers %s is replaced by the bridge', async (error) => {
    link(failing(new BridgeError(error, 'not now, or not this user')))
    const one = await game('relationships.read', 'gateway.connect')
    expect((await one.ask('GET_RELATIONSHIPS')).data).toEqual({ relationships: [FRIEND] })
  })

  test('it is not asked for what it refuses to the scopes of the session', async () => {
    link(async () => ({ guilds: [] }))
    bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', () => [{ id: '5', name: 'Harbour', icon: null }])
    const one = await game('guilds')
    expect((await one.ask('GET_GUILDS')).data).toEqual({ guilds: [{ id: '5', name: 'Harbour', icon_url: null }] })
    expect(bridge.desktopClient.calls).toEqual([])
  })
})
