import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { Game, KNOWN_PROGRAM, testBridge, type TestBridgeOptions } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const SCOPES = ['identify', 'guilds', 'lobbies.write']
const GUILD = { id: '197038439483310086', name: 'Harbour' }

async function signedIn(options: TestBridgeOptions = {}) {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, ...options })
  const game = Game.connected(bridge, { contract: '1.0' })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
  bridge.platform.calls.length = 0
  return { ...bridge, clock, game }
}

describe('a forwarded call', () => {
  test('sends its arguments with the token of the game, and returns the response', async () => {
    const { game, platform, clock } = await signedIn()
    platform.replies.set('GET_CURRENT_USER_GUILDS', () => [GUILD])
    expect(await game.ask('GET_CURRENT_USER_GUILDS', { limit: 5 })).toMatchObject({ evt: null, data: [GUILD] })
    expect(platform.calls).toMatchObject([
      {
        name: 'GET_CURRENT_USER_GUILDS',
        args: { limit: 5 },
        credential: { kind: 'user', applicationId: '1234567890', userId: '80351110224678912' },
        deadlineAt: clock.elapsed() + 30_000,
      },
    ])
    expect(platform.calls[0]?.credential?.token.reveal()).toBe(tokenOf(SCOPES))
  })
  test('is not sent before sign-in', { tags: ['4.3-22'] }, () => {
    const bridge = testBridge()
    expect(Game.connected(bridge).call('GET_CURRENT_USER_CONNECTIONS')).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('sign in') },
    })
    expect(bridge.platform.calls).toEqual([])
  })
  test('is not sent without the scope', async () => {
    const { game, platform } = await signedIn()
    expect(game.call('GET_CURRENT_USER_CONNECTIONS')).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('connections') },
    })
    expect(platform.calls).toEqual([])
  })
  test('is not sent with arguments over a limit', async () => {
    const { game, platform } = await signedIn()
    expect(game.call('GET_CURRENT_USER_GUILDS', { limit: 201 })).toMatchObject({ data: { code: 4000, path: 'limit' } })
    expect(platform.calls).toEqual([])
  })
  test('that the platform rejects returns its message', async () => {
    const { game, platform } = await signedIn()
    platform.replies.set('CREATE_OR_JOIN_LOBBY', () =>
      Promise.reject(new BridgeError('RATE_LIMITED', 'Later.', { http_status: 429, retry_after: 3 })),
    )
    expect(await game.ask('CREATE_OR_JOIN_LOBBY', { secret: 's' })).toMatchObject({
      data: { code: 5011, http_status: 429, retry_after: 3 },
    })
  })
  test('is cancelled at the deadline of the connection', async () => {
    const { game, platform, clock } = await signedIn()
    platform.replies.set(
      'GET_CURRENT_USER',
      (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', { handleEvent: () => reject(new Error('aborted')) })),
    )
    game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 1500 })
    const answer = game.ask('GET_CURRENT_USER')
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1500)
    expect(await answer).toMatchObject({
      data: { code: 1001, message: 'No response within 1500 ms; try again, or set a longer time with SET_HTTP_REQUEST_TIMEOUT.' },
    })
  })
})

describe('managed tokens', () => {
  async function managed() {
    const clock = new FakeClock()
    const bridge = testBridge({ clock })
    const game = Game.connected(bridge, { contract: '1.0' })
    await game.ask('GET_TOKEN', { code: 'code-for-the-game', code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1:9/' })
    await game.ask('AUTHENTICATE', {})
    bridge.platform.calls.length = 0
    bridge.platform.replies.set('GET_CURRENT_USER', () => ({ id: '1' }))
    return { ...bridge, game }
  }
  test('are read for each call, so that a refreshed token is used', async () => {
    const { game, platform, tokenStore } = await managed()
    const [kept] = await tokenStore.list()
    await tokenStore.store(kept!.account, { ...kept!.tokens, accessToken: new Secret('refreshed') })
    expect(await game.ask('GET_CURRENT_USER')).toMatchObject({ evt: null })
    expect(platform.calls[0]?.credential?.token.reveal()).toBe('refreshed')
  })
  test('that were deleted are INVALID_TOKEN', async () => {
    const { game, tokenStore, platform } = await managed()
    await tokenStore.deleteAccount({ applicationId: '1234567890', userId: '80351110224678912' })
    expect(await game.ask('GET_CURRENT_USER')).toMatchObject({ data: { code: 4009, message: expect.stringContaining('Sign in again') } })
    expect(platform.calls).toEqual([])
  })
})

describe('a command that only the bot may use', () => {
  const args = { channel_id: '5', status: 'Playing' }
  test('uses the token of the operator', { tags: ['5-13'] }, async () => {
    const { game, platform } = await signedIn({ botToken: new Secret('bot-token') })
    platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1234567890', name: 'Dockside' }))
    platform.replies.set('SET_VOICE_CHANNEL_STATUS', () => null)
    for (let time = 0; time < 2; time++) expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ evt: null, data: null })
    expect(
      platform.calls.map(({ name }) => name),
      'whose it is is asked once',
    ).toEqual(['GET_CURRENT_APPLICATION', 'SET_VOICE_CHANNEL_STATUS', 'SET_VOICE_CHANNEL_STATUS'])
    expect(platform.calls[1]?.credential).toMatchObject({ kind: 'bot', applicationId: '1234567890' })
    expect(platform.calls[1]?.credential?.token.reveal()).toBe('bot-token')
  })
  test('is rejected when the token belongs to the bot of another application', async () => {
    const { game, platform } = await signedIn({ botToken: new Secret('bot-token') })
    platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '999', name: 'Another' }))
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('sallyport login --bot') },
    })
    expect(platform.calls.map(({ name }) => name)).not.toContain('SET_VOICE_CHANNEL_STATUS')
  })
  test.each([
    ['stored', 'the bridge deleted it'],
    ['configured', "in the bridge's settings"],
  ])('with a %s token that the platform rejects returns advice for the operator', async (kind, words) => {
    const { game, platform, bots, log } = await signedIn(kind === 'configured' ? { botToken: new Secret('bot-token') } : {})
    const key = JSON.stringify(['test', '1234567890'])
    if (kind === 'stored') await bots.put(key, { applicationId: '1234567890', name: 'Dockside', token: new Secret('bot-token') })
    let isReset = false
    const refused = () => Promise.reject(new BridgeError('INVALID_TOKEN', 'No.', { http_status: 401 }))
    platform.replies.set('GET_CURRENT_APPLICATION', () => (isReset ? refused() : { id: '1234567890', name: 'Dockside' }))
    platform.replies.set('SET_VOICE_CHANNEL_STATUS', () => refused())
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args), 'the token is good all the same').toMatchObject({
      data: { code: 4009, message: 'No.' },
    })
    isReset = true
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({
      data: { code: 4009, http_status: 401, message: expect.stringMatching(`${words}.*sallyport login --bot`) },
    })
    expect(await bots.get(key)).toBeUndefined()
    expect(JSON.stringify(log)).toContain('bot-token-refused')
    expect(JSON.stringify(log)).not.toContain('"bot-token"')
  })
  test('is rejected without a token, with advice for the operator', async () => {
    const { game, platform } = await signedIn()
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('sallyport login --bot') },
    })
    expect(platform.calls).toEqual([])
  })
})

describe('the bot before any user is signed in', () => {
  const args = { channel_id: '5', status: 'Playing' }
  const USER = '80351110224678912'
  function start(peer?: PeerIdentity) {
    const bridge = testBridge({ botToken: new Secret('bot-token') })
    bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1234567890', name: 'Dockside' }))
    bridge.platform.replies.set('SET_VOICE_CHANNEL_STATUS', () => null)
    const sent = () => bridge.platform.calls.filter(({ name }) => name === 'SET_VOICE_CHANNEL_STATUS')
    return { bridge, sent, game: Game.connected(bridge, { contract: '1.0' }, peer) }
  }
  test('is not used by a program that the user does not allow, and the prompt names program and bot', async () => {
    const { bridge, game, sent } = start()
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('not allowed this program to use the bot') },
    })
    expect(bridge.consent.requests).toMatchObject([
      { applicationId: '1234567890', userId: 'bot', scopes: ['bot'], reason: 'new-program', program: { executable: '/games/game' } },
    ])
    expect(sent()).toEqual([])
  })
  test('is used once the user allows it; other connections of the program need no prompt, other programs do', async () => {
    const { bridge, game, sent } = start()
    bridge.consent.decide = async () => {}
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ evt: null })
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ evt: null })
    expect(await Game.connected(bridge, { contract: '1.0' }).ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ evt: null })
    expect(bridge.consent.requests).toHaveLength(1)
    expect(sent().map(({ credential }) => credential?.kind)).toEqual(['bot', 'bot', 'bot'])
    bridge.consent.decide = () => Promise.reject(new BridgeError('OAUTH2_ERROR', 'No.'))
    const other = Game.connected(bridge, { contract: '1.0' }, { ...KNOWN_PROGRAM, executable: '/games/other', file: '9:9:9:9:9' })
    expect(await other.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ data: { code: 4006 } })
    expect(sent()).toHaveLength(3)
  })
  test('is used by a program with a grant for the application, but not by one that only used its own token', async () => {
    for (const isAllowed of [true, false]) {
      const { bridge, game, sent } = start()
      const key = { program: { ...KNOWN_PROGRAM, uid: undefined }, applicationId: '1234567890', userId: USER } as never
      if (isAllowed) bridge.grants.allow(key, ['identify'], {})
      else bridge.grants.recordOwnToken(key, ['identify'], {})
      expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject(isAllowed ? { evt: null } : { data: { code: 4006 } })
      expect(sent()).toHaveLength(isAllowed ? 1 : 0)
    }
  })
  test('is refused again after the grant was revoked', async () => {
    const { bridge, game, sent } = start()
    bridge.consent.decide = async () => {}
    await game.ask('SET_VOICE_CHANNEL_STATUS', args)
    for (const { id } of bridge.grants.live()) bridge.grants.remove(id)
    bridge.consent.decide = () => Promise.reject(new BridgeError('OAUTH2_ERROR', 'No.'))
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ data: { code: 4006 } })
    expect(sent()).toHaveLength(1)
  })
  test('is not used by a page, which must sign in', async () => {
    const { bridge, game } = start({ trust: 'origin', origin: 'http://localhost:5173' } as never)
    bridge.consent.decide = async () => {}
    expect(game.call('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ data: { code: 4006 } })
    expect([bridge.consent.requests, bridge.platform.calls]).toEqual([[], []])
  })
  test('causes no prompt when there is no bot token', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, { contract: '1.0' })
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('sallyport login --bot') },
    })
    expect(bridge.consent.requests).toEqual([])
  })
})

describe('a command that the user and the bot may use', () => {
  const OTHER = '80351110224678913'
  const ME = '80351110224678912'
  async function start(scopes: readonly string[]) {
    const bridge = testBridge({ botToken: new Secret('bot-token') })
    bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1234567890', name: 'Dockside' }))
    for (const name of ['LIST_SKU_SUBSCRIPTIONS', 'LIST_ENTITLEMENTS', 'GET_GUILD_CHANNELS']) bridge.platform.replies.set(name, () => [])
    bridge.platform.replies.set('DELETE_TEST_ENTITLEMENT', () => null)
    const game = Game.connected(bridge, { contract: '1.0' })
    await game.ask('AUTHENTICATE', { access_token: tokenOf(scopes) })
    const kindOf = async (cmd: string, args: object) => {
      bridge.platform.calls.length = 0
      const { evt, data } = await game.ask(cmd, args)
      const call = bridge.platform.calls.find(({ name }) => name === cmd)
      return evt === null ? call?.credential?.kind : data.code
    }
    return { ...bridge, kindOf }
  }
  const ENTITLEMENT = { application_id: '1', entitlement_id: '2' }
  test.each([
    ['LIST_SKU_SUBSCRIPTIONS', { sku_id: '1' }, 'user'],
    ['LIST_SKU_SUBSCRIPTIONS', { sku_id: '1', user_id: ME }, 'user'],
    ['LIST_SKU_SUBSCRIPTIONS', { sku_id: '1', user_id: OTHER }, 'bot'],
    ['LIST_SKU_SUBSCRIPTIONS', { sku_id: '1', user_id: OTHER, as_bot: false }, 'bot'],
    ['LIST_ENTITLEMENTS', { application_id: '1' }, 'user'],
    ['LIST_ENTITLEMENTS', { application_id: '1', guild_id: '5' }, 'bot'],
    ['DELETE_TEST_ENTITLEMENT', ENTITLEMENT, 'bot'],
    ['GET_GUILD_CHANNELS', { guild_id: '5' }, 'user'],
    ['GET_GUILD_CHANNELS', { guild_id: '5', as_bot: true }, 'bot'],
  ])('%s with %j carries the token of the %s', async (cmd, args, kind) => {
    const { kindOf } = await start(['identify', 'applications.entitlements', 'guilds.channels.read'])
    expect(await kindOf(cmd, args)).toBe(kind)
  })
  test('needs the scope for the token of the user only', async () => {
    const { kindOf } = await start(['identify'])
    expect(await kindOf('GET_GUILD_CHANNELS', { guild_id: '5' })).toBe(4006)
    expect(await kindOf('GET_GUILD_CHANNELS', { guild_id: '5', as_bot: true })).toBe('bot')
  })
  test('about the caller carries the token of the user, unless the game requests the bot', async () => {
    const bridge = testBridge({ botToken: new Secret('bot-token') })
    bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1234567890', name: 'Dockside' }))
    bridge.platform.replies.set('GET_CURRENT_USER', () => ({ id: '1', bot: true }))
    bridge.consent.decide = async () => {}
    const game = Game.connected(bridge, { contract: '1.0' })
    expect(await game.ask('GET_CURRENT_USER', {})).toMatchObject({ data: { code: 4006, message: expect.stringContaining('sign in') } })
    expect(bridge.platform.calls).toEqual([])
    expect(await game.ask('GET_CURRENT_USER', { as_bot: true })).toMatchObject({ evt: null, data: { bot: true } })
  })
  test('without a sign-in carries the token of the bot, or is refused with advice to sign in', async () => {
    for (const botToken of [new Secret('bot-token'), undefined]) {
      const bridge = testBridge(botToken === undefined ? {} : { botToken })
      bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1234567890', name: 'Dockside' }))
      bridge.platform.replies.set('GET_GUILD_CHANNELS', () => [])
      bridge.consent.decide = async () => {}
      const answer = await Game.connected(bridge, { contract: '1.0' }).ask('GET_GUILD_CHANNELS', { guild_id: '5' })
      expect(answer).toMatchObject(
        botToken === undefined ? { data: { code: 4006, message: expect.stringContaining('sign in') } } : { evt: null },
      )
      expect(bridge.platform.calls.at(-1)?.credential?.kind).toBe(botToken && 'bot')
    }
  })
  test('about another user is refused without a bot token, and never answered for the signed-in user', async () => {
    const { game, platform } = await signedIn()
    expect(await game.ask('LIST_SKU_SUBSCRIPTIONS', { sku_id: '1', user_id: OTHER })).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('sallyport login --bot') },
    })
    expect(platform.calls).toEqual([])
  })
  test('prefers the token of the bot only while there is one', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge, { contract: '1.0' })
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'applications.entitlements']) })
    bridge.platform.replies.set('DELETE_TEST_ENTITLEMENT', () => null)
    expect(await game.ask('DELETE_TEST_ENTITLEMENT', ENTITLEMENT)).toMatchObject({ evt: null })
    expect(bridge.platform.calls.at(-1)?.credential?.kind).toBe('user')
  })
})

test('an unavailable command is rejected for every session without a request, with the reason', { tags: ['4.1-16'] }, async () => {
  const { game, platform } = await signedIn({ botToken: new Secret('bot-token') })
  for (const one of [game, Game.connected(testBridge())]) {
    expect(await one.ask('CREATE_GUILD', { name: 'x' })).toMatchObject({
      data: { code: 4002, message: expect.stringContaining('15 July 2025') },
    })
  }
  expect(platform.calls).toEqual([])
})
