import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { Game, testBridge, type TestBridgeOptions } from '../../../../support/bridge.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { tokenOf } from '../../../../support/tokens.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const SCOPES = ['identify', 'guilds', 'lobbies.write']
const GUILD = { id: '197038439483310086', name: 'Harbour' }

async function signedIn(options: TestBridgeOptions = {}) {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, ...options })
  const game = Game.greeted(bridge, { contract: '1.0' })
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
        deadlineAt: clock.now() + 30_000,
      },
    ])
    expect(platform.calls[0]?.credential?.token.reveal()).toBe(tokenOf(SCOPES))
  })
  test('is not sent before sign-in', { tags: ['4.3-22'] }, () => {
    const bridge = testBridge()
    expect(Game.greeted(bridge).call('GET_CURRENT_USER')).toMatchObject({
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
    const game = Game.greeted(bridge, { contract: '1.0' })
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
    await tokenStore.deleteAccount('1234567890', '80351110224678912')
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
  test('requires a sign-in', () => {
    const bridge = testBridge({ botToken: new Secret('bot-token') })
    expect(Game.greeted(bridge).call('SET_VOICE_CHANNEL_STATUS', args)).toMatchObject({ data: { code: 4006 } })
    expect(bridge.platform.calls).toEqual([])
  })
})

test('an unavailable command is rejected for every session without a request, with the reason', { tags: ['4.1-16'] }, async () => {
  const { game, platform } = await signedIn({ botToken: new Secret('bot-token') })
  for (const one of [game, Game.greeted(testBridge())]) {
    expect(await one.ask('CREATE_GUILD', { name: 'x' })).toMatchObject({
      data: { code: 1001, message: expect.stringContaining('15 July 2025') },
    })
  }
  expect(platform.calls).toEqual([])
})
