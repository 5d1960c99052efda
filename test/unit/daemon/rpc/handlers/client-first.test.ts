/** Commands that the desktop client answers where it runs, and the bridge elsewhere. */
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
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

  test('a user is the own one, or one that the gateway names, else there is an error', async () => {
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
    expect(await one.ask('GET_USER', { id: '7' })).toMatchObject({ evt: 'ERROR', data: { code: 4010, path: 'id' } })
    bridge.userRequests.mayOpen = false
    for (const id of [BOB.id, '7'])
      expect(await one.ask('GET_USER', { id })).toMatchObject({
        evt: 'ERROR',
        data: { code: 1001, message: expect.stringMatching(/gateway\.connect.*bot token/) },
      })
    expect((await Game.connected(bridge).ask('GET_USER', { id: bridge.account.user.id })).data).toMatchObject({
      id: bridge.account.user.id,
    })
  })

  test('the bot of the application finds every user', async () => {
    bridge = testBridge({ botToken: new Secret('bot-token') })
    bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: APPLICATION }))
    bridge.platform.replies.set('GET_USER_BY_BOT', ({ args }) => {
      if (args['user_id'] === '7') return { id: '7', username: 'cyd', discriminator: '0', avatar: null, email: 'c@b.test' }
      throw new BridgeError('INVALID_USER', 'Unknown user', { platform_code: 10_013 })
    })
    bridge.userRequests.mayOpen = false
    const one = await game()
    expect((await one.ask('GET_USER', { id: '7' })).data).toMatchObject({ id: '7', username: 'cyd', avatar: null })
    expect(await one.ask('GET_USER', { id: '8' })).toMatchObject({ evt: 'ERROR', data: { code: 4010, path: 'id' } })
  })

  test('the avatar of a user is a picture of the host of images', async () => {
    const one = await game()
    bridge.pictures.set('https://cdn.example.test/avatars/6/abc.webp?size=64', { type: 'image/webp', bytes: Buffer.from('picture') })
    bridge.pictures.set('https://cdn.example.test/embed/avatars/0.png', { type: 'image/png', bytes: Buffer.from('default') })
    const image = () => one.ask('GET_IMAGE', { type: 'user', id: BOB.id, format: 'webp', size: 64 })
    expect((await image()).data).toEqual({ data_url: `data:image/png;base64,${Buffer.from('default').toString('base64')}` })
    bridge.userRequests.users[0] = { ...BOB, avatar: 'abc' }
    expect((await image()).data).toEqual({ data_url: `data:image/webp;base64,${Buffer.from('picture').toString('base64')}` })
    bridge.pictures.clear()
    expect(await image()).toMatchObject({ evt: 'ERROR', data: { code: 1001 } })
  })

  test('the locale is that of the account', async () => {
    const one = await game()
    bridge.platform.replies.set('GET_CURRENT_USER', () => ({ id: ANN, username: 'ann', discriminator: '0', avatar: null, locale: 'de' }))
    expect((await one.ask('USER_SETTINGS_GET_LOCALE')).data).toEqual({ locale: 'de' })
  })

  test('SKUs come by the bot, entitlements from the account', async () => {
    bridge = testBridge({ botToken: new Secret('bot-token') })
    bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: APPLICATION }))
    bridge.platform.replies.set('LIST_SKUS', ({ args }) => [{ id: '1', of: args['application_id'] }])
    bridge.platform.replies.set('GET_CURRENT_USER_APPLICATION_ENTITLEMENTS', ({ args }) => [{ id: '2', of: args['application_id'] }])
    const one = await game()
    expect((await one.ask('GET_SKUS')).data).toEqual([{ id: '1', of: APPLICATION }])
    expect((await one.ask('GET_SKUS_EMBEDDED')).data).toEqual({ skus: [{ id: '1', of: APPLICATION }] })
    expect((await one.ask('GET_ENTITLEMENTS')).data).toEqual([{ id: '2', of: APPLICATION }])
    expect((await one.ask('GET_ENTITLEMENTS_EMBEDDED')).data).toEqual({ entitlements: [{ id: '2', of: APPLICATION }] })
    expect(await Game.connected(bridge).ask('GET_ENTITLEMENTS')).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
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

  test('null, for what it does not know, is replaced by the bridge', async () => {
    link(async () => null)
    expect((await (await game()).ask('GET_USER', { id: BOB.id })).data).toEqual(BOB)
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
