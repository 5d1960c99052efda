import { describe, expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

describe('SUBSCRIBE', () => {
  test.each([[undefined], [null], [{}]])('accepts args %j for an event without arguments, and returns the event', (args) => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    expect(game.call('SUBSCRIBE', args, 'ACTIVITY_JOIN')).toMatchObject({ cmd: 'SUBSCRIBE', evt: null, data: { evt: 'ACTIVITY_JOIN' } })
    expect(bridge.hub.publish({ name: 'ACTIVITY_JOIN', args: {} }, { secret: 's' })).toBe(1)
  })
  test('twice delivers once', { tags: ['9.1-25'] }, () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, { streams: true })
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    bridge.hub.publish({ name: 'ACTIVITY_JOIN', args: {} }, { secret: 's' })
    expect(game.received()).toEqual([{ cmd: 'DISPATCH', data: { secret: 's' }, evt: 'ACTIVITY_JOIN', nonce: null }])
  })
  test('ACTIVITY_INVITE is open to every local game', { tags: ['4.3-30'] }, () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, { streams: true })
    game.call('SUBSCRIBE', {}, 'ACTIVITY_INVITE')
    bridge.hub.publish({ name: 'ACTIVITY_INVITE', args: {} }, { type: 1 })
    expect(game.received()).toEqual([{ cmd: 'DISPATCH', data: { type: 1 }, evt: 'ACTIVITY_INVITE', nonce: null }])
  })
  test('checks the arguments of the event', () => {
    const game = Game.connected(testBridge())
    expect(game.call('SUBSCRIBE', {}, 'OVERLAY_UPDATE')).toMatchObject({ data: { code: 4000, path: 'pid' } })
    expect(game.call('SUBSCRIBE', { pid: 1 }, 'OVERLAY_UPDATE')).toMatchObject({ data: { evt: 'OVERLAY_UPDATE' } })
    expect(game.call('SUBSCRIBE', { more: 1 }, 'ACTIVITY_JOIN')).toMatchObject({ data: { code: 4000, path: 'more' } })
  })
  test('checks the scopes of the event, and passes with a token that has them', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    expect(game.call('SUBSCRIBE', { guild_id: '1' }, 'GUILD_STATUS')).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('rpc') },
    })
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'rpc']) })
    expect(game.call('SUBSCRIBE', { guild_id: '1' }, 'GUILD_STATUS')).toMatchObject({ evt: null })
    expect(bridge.hub.selectors()).toEqual([{ name: 'GUILD_STATUS', args: { guild_id: '1' } }])
  })
  test.each([[undefined], [null], [5], [{}], ['NOPE'], ['toString'], ['__proto__'], ['READY'], ['ERROR'], ['TOKEN_REVOKED']])(
    'to %j is INVALID_EVENT',
    (evt) => {
      const game = Game.connected(testBridge())
      for (const cmd of ['SUBSCRIBE', 'UNSUBSCRIBE'])
        expect(game.call(cmd, {}, evt)).toMatchObject({ evt: 'ERROR', data: { code: 4004, path: 'evt' } })
    },
  )
})

describe('an event of which the scopes bring a part', () => {
  test.each(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'])('%s says which part, and nothing with the scope', async (name) => {
    const bridge = testBridge()
    const subscribed = async (...scopes: readonly string[]) => {
      const game = Game.connected(bridge)
      await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'rpc', 'gateway.connect', ...scopes]) })
      const [session] = bridge.registry.signedIn('1234567890').slice(-1)
      if (session !== undefined) bridge.onGateway.add(session)
      return (await game.ask('SUBSCRIBE', { channel_id: '5' }, name)).data
    }
    expect(await subscribed()).toEqual({
      evt: name,
      unserved: `Without the scope messages.read, ${name} comes only from channels that the application created. The subscription stays.`,
    })
    expect(await subscribed('messages.read')).toEqual({ evt: name })
  })
})

describe('an event that nothing brings', () => {
  test('is subscribed, and the response says what could bring it', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'rpc']) })
    const { data } = await game.ask('SUBSCRIBE', {}, 'VOICE_CHANNEL_SELECT')
    expect(data).toEqual({ evt: 'VOICE_CHANNEL_SELECT', unserved: expect.stringMatching(/desktop client\. The subscription stays\.$/) })
    expect(bridge.hub.selectors()).toHaveLength(1)
    const installed = await game.ask('SUBSCRIBE', {}, 'APPLICATION_AUTHORIZED')
    expect(installed.data).toMatchObject({ unserved: expect.stringContaining('webhooks') })
  })
  test('is not one that the bridge, or a route of the session, brings', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'relationships.read', 'gateway.connect']) })
    for (const session of bridge.registry.all()) bridge.onGateway.add(session)
    for (const name of ['AUTHORIZE_REQUEST', 'CURRENT_USER_UPDATE', 'ACTIVITY_JOIN', 'RELATIONSHIP_UPDATE'])
      expect((await game.ask('SUBSCRIBE', {}, name)).data).toEqual({ evt: name })
  })
})

describe('events of joining', () => {
  const EVENTS = ['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_SPECTATE']
  const isUnserved = async (game: Game): Promise<readonly boolean[]> => {
    const answers = []
    for (const name of EVENTS) answers.push((await game.ask('SUBSCRIBE', {}, name)).data)
    return answers.map(({ unserved }) => typeof unserved === 'string')
  }

  test('are unserved until the user signs in for the gateway, then only what no invite brings', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    expect(await isUnserved(game), 'no user signed in').toEqual([true, true, true])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'rpc', 'rpc.activities.write']) })
    expect(await isUnserved(game), 'no gateway for these scopes').toEqual([true, true, true])
    for (const session of bridge.registry.all()) bridge.onGateway.add(session)
    expect(await isUnserved(game)).toEqual([false, false, true])
  })
})

describe('relationships, for a client without a contract', () => {
  const asked = async (hello: object) => {
    const game = Game.connected(testBridge(), hello)
    return [(await game.ask('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')).data, (await game.ask('GET_RELATIONSHIPS')).data]
  }

  test('are an empty list before the sign-in, and the subscription awaits it', async () => {
    expect(await asked({})).toEqual([
      { evt: 'RELATIONSHIP_UPDATE', unserved: expect.stringContaining('relationships.read') },
      { relationships: [], unserved: expect.stringContaining('AUTHENTICATE') },
    ])
  })
  test('are refused to a client with a contract, which asks again', async () => {
    expect(await asked({ contract: '1.0' })).toMatchObject([{ code: 4006 }, { code: 4006 }])
  })
  test('are refused after a sign-in without the scope', async () => {
    const game = Game.connected(testBridge(), {})
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'rpc']) })
    expect((await game.ask('GET_RELATIONSHIPS')).data).toMatchObject({ code: 4006, message: expect.stringContaining('relationships.read') })
    expect((await game.ask('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')).data).toMatchObject({ code: 4006 })
  })
})

describe('UNSUBSCRIBE', () => {
  test('ends the subscription', { tags: ['4.3-12'] }, () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    expect(game.call('UNSUBSCRIBE', undefined, 'ACTIVITY_JOIN')).toMatchObject({ evt: null, data: { evt: 'ACTIVITY_JOIN' } })
    expect(bridge.hub.selectors()).toEqual([])
  })
  test('without a subscription, or without the scope, succeeds', () => {
    const game = Game.connected(testBridge())
    expect(game.call('UNSUBSCRIBE', {}, 'ACTIVITY_JOIN')).toMatchObject({ evt: null })
    expect(game.call('UNSUBSCRIBE', { guild_id: '1' }, 'GUILD_STATUS')).toMatchObject({ evt: null })
  })
})
