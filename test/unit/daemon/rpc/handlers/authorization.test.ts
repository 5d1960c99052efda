import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

function start(hello: object = { contract: '1.0' }) {
  const clock = new FakeClock()
  const bridge = testBridge({ clock })
  bridge.consent.decide = async () => {}
  return { ...bridge, clock, game: Game.connected(bridge, hello) }
}

describe('AUTHORIZE', () => {
  test('requests this application and the communication scopes by default', { tags: ['4.3-4', '4.3-6'] }, async () => {
    const { game, authorizer } = start()
    expect(await game.ask('AUTHORIZE', {})).toMatchObject({
      evt: null,
      data: { code: 'code-for-the-game', redirect_uri: 'http://127.0.0.1:9/1234567890' },
    })
    expect(authorizer.requests).toEqual([{ applicationId: '1234567890', scopes: ['openid', 'sdk.social_layer'] }])
  })
  test('passes all arguments on', { tags: ['4.3-1'] }, async () => {
    const { game, authorizer } = start()
    await game.ask('AUTHORIZE', {
      client_id: '1234567890',
      scopes: ['identify', 'applications.commands', 'identify'],
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 'the-state',
      nonce: 'the-nonce',
      prompt: 'none',
      integration_type: 1,
    })
    expect(authorizer.requests).toEqual([
      {
        applicationId: '1234567890',
        scopes: ['identify', 'applications.commands'],
        codeChallenge: CHALLENGE,
        state: 'the-state',
        nonce: 'the-nonce',
        platformPage: 'never',
        integrationType: 1,
      },
    ])
  })
  test.each([
    ['a list under scope', { scope: ['identify'] }, ['identify']],
    ['text with spaces', { scopes: ' identify  guilds ' }, ['identify', 'guilds']],
    ['an empty list', { scopes: [] }, ['openid', 'sdk.social_layer']],
    ['null for everything', { scopes: null, state: null, code_challenge: null, client_id: null }, ['openid', 'sdk.social_layer']],
  ])('accepts scopes as %s', { tags: ['2.1-1', '2.1-2', '2.1-3', '2.1-19'] }, async (_, args, scopes) => {
    const { game, authorizer } = start()
    await game.ask('AUTHORIZE', args)
    expect(authorizer.requests).toEqual([{ applicationId: '1234567890', scopes }])
  })
  test('for another application is INVALID_CLIENTID without a prompt', { tags: ['2.1-1'] }, () => {
    const { game, authorizer } = start()
    expect(game.call('AUTHORIZE', { client_id: '999' })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4007, message: expect.stringContaining('999') },
    })
    expect(authorizer.requests).toEqual([])
  })
  test('passes on the arguments for the bot, for a guest, and for the scheme of the redirect', async () => {
    const { game, authorizer } = start()
    const answer = await game.ask('AUTHORIZE', {
      scopes: 'bot applications.commands',
      permissions: 2048,
      guild_id: '1',
      channel_id: '2',
      disable_guild_select: true,
      username: 'Guest',
      rpc_token: 'planted-rpc-token',
      custom_scheme: 'mygame',
      code_challenge: CHALLENGE,
      pid: 7,
    })
    expect(answer).toMatchObject({ evt: null })
    const [asked] = authorizer.requests
    expect(asked).toMatchObject({
      permissions: '2048',
      guildId: '1',
      channelId: '2',
      disableGuildSelect: true,
      username: 'Guest',
      customScheme: 'mygame',
    })
    expect(asked?.rpcToken?.reveal()).toBe('planted-rpc-token')
    expect(JSON.stringify(asked)).not.toContain('planted-rpc-token')
  })
  test.each([
    [true, ''],
    ['', ''],
    ['mygame', 'mygame'],
    [false, undefined],
    [null, undefined],
  ])('with custom_scheme %j requests the scheme %j', { tags: ['2.1-18'] }, async (custom_scheme, expected) => {
    const { game, authorizer } = start()
    await game.ask('AUTHORIZE', { custom_scheme, code_challenge: CHALLENGE })
    expect(authorizer.requests[0]?.customScheme).toBe(expected)
  })
  test('opens the page without integration_type when there are no commands to install', { tags: ['2.1-15'] }, async () => {
    const { game, authorizer } = start({ contract: '1.0' })
    expect(await game.ask('AUTHORIZE', { integration_type: 1 })).toMatchObject({ evt: null, warnings: [{ path: 'integration_type' }] })
    expect(authorizer.requests[0]).not.toHaveProperty('integrationType')
  })
  test('returns the state of the game, and no generated one', { tags: ['2.1-10'] }, async () => {
    const { game } = start()
    expect((await game.ask('AUTHORIZE', { state: 'the-state' })).data).toMatchObject({ state: 'the-state' })
    expect((await game.ask('AUTHORIZE', {})).data).not.toHaveProperty('state')
  })
  test.each([
    [{ integration_type: 2, scopes: 'applications.commands' }, 'integration_type', '0'],
    [{ rpc_token: 'x', scopes: ['identify', 'messages.read'] }, 'scopes', 'rpc_token'],
    [{ code_challenge_method: 'S256' }, 'code_challenge', 'code_challenge_method'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'code_challenge_method', 'S256'],
    [{ custom_scheme: 'javascript' }, 'custom_scheme', 'scheme'],
    [{ custom_scheme: 'my game' }, 'custom_scheme', 'scheme'],
    [{ permissions: -1 }, 'permissions', ''],
    [{ permissions: 'all' }, 'permissions', ''],
    [{ guild_id: 'here' }, 'guild_id', 'id'],
  ])('%j is rejected at %s before a prompt', { tags: ['2.1-15'] }, (args, path, words) => {
    const { game, authorizer } = start()
    expect(game.call('AUTHORIZE', args)).toMatchObject({
      evt: 'ERROR',
      data: { code: 4000, path, message: expect.stringContaining(words) as string },
    })
    expect(authorizer.requests).toEqual([])
  })
  test('that the user denies is OAUTH2_ERROR, and the connection stays open', async () => {
    const { game, authorizer } = start()
    authorizer.decide = () => Promise.reject(new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: access_denied: The user said no.'))
    expect(await game.ask('AUTHORIZE', {})).toMatchObject({
      evt: 'ERROR',
      data: { code: 5000, message: 'OAuth2 Error: access_denied: The user said no.' },
    })
    expect(game.call('GET_BRIDGE_STATUS').evt).toBeNull()
  })
  test('waits for the user five minutes in the prompt and five on the page, for any deadline of calls', async () => {
    const { game, authorizer, clock } = start()
    const signals: AbortSignal[] = []
    authorizer.decide = (_, signal) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    }
    game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 100 })
    game.begin('AUTHORIZE', {})
    await settled()
    // The prompt ends itself after these minutes; the call ends soon after.
    clock.advance(600_000)
    expect(signals[0]?.aborted).toBe(false)
    clock.advance(5_000)
    expect(signals[0]?.aborted).toBe(true)
    for (let turn = 0; turn < 10 && game.channel.writes.length === 0; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(game.received()).toMatchObject([{ evt: 'ERROR', data: { code: 1001 } }])
  })
  test('is cancelled when the session ends', async () => {
    const { game, authorizer, log } = start()
    const signals: AbortSignal[] = []
    authorizer.decide = (_, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    game.begin('AUTHORIZE', {})
    await settled()
    game.receiver.onClose()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(log.problems).toEqual([])
  })
})

describe('AUTHENTICATE', () => {
  test('with a token returns its user and gives its scopes', async () => {
    const { game, platform, account } = start()
    const access_token = tokenOf(['identify', 'rpc'])
    expect(game.call('GET_GUILDS')).toMatchObject({ data: { code: 4006 } })
    expect(await game.ask('AUTHENTICATE', { access_token })).toMatchObject({
      evt: null,
      data: {
        access_token,
        application: { id: '1234567890', name: 'Test game' },
        expires: '2025-12-21T12:00:00.000000+00:00',
        scopes: ['identify', 'rpc'],
        user: { id: '80351110224678912', username: 'ann', discriminator: '0', avatar: null },
      },
    })
    expect(platform.calls.map(({ name }) => name)).toEqual(['GET_CURRENT_AUTHORIZATION_INFORMATION'])
    expect(await game.ask('GET_SELECTED_VOICE_CHANNEL')).toMatchObject({ data: { code: 1001 } })
    expect(account.user.username).toBe('ann')
  })
  test('expands umbrella scopes', { tags: ['2.1-5'] }, async () => {
    const { game, platform } = start()
    platform.replies.set('GET_CURRENT_USER_GUILDS', () => [])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['sdk.social_layer']) })
    expect(await game.ask('GET_CURRENT_USER_GUILDS')).toMatchObject({ evt: null, data: [] })
  })
  test('publishes the change of the user to subscribers', async () => {
    const made = start()
    const { game, clock } = made
    const other = Game.connected(made)
    other.call('SUBSCRIBE', {}, 'CURRENT_USER_UPDATE')
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    clock.advance(5)
    expect(other.received()).toMatchObject([{ cmd: 'DISPATCH', evt: 'CURRENT_USER_UPDATE', data: { username: 'ann' }, nonce: null }])
  })
  test.each([
    ['of another application', tokenOf(['identify'], { applicationId: '999' }), /999/],
    ['that does not say whose it is', tokenOf(['guilds']), /identify/],
    ['that the platform does not know', 'garbage', /authorize again/],
  ])('with a token %s is INVALID_TOKEN and changes nothing', async (_, access_token, message) => {
    const { game, registry } = start()
    const answer = await game.ask('AUTHENTICATE', { access_token })
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 4009, message: expect.stringMatching(message) } })
    expect(JSON.stringify(answer)).not.toContain(access_token)
    expect(registry.all()[0]?.signedIn).toBeUndefined()
    expect(game.call('GET_GUILDS')).toMatchObject({ data: { code: 4006 } })
  })
  test('with the platform unreachable is SERVICE_UNAVAILABLE', async () => {
    const { game, platform } = start()
    platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', () =>
      Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')),
    )
    expect(await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })).toMatchObject({ data: { code: 1001 } })
  })
  test.each([[undefined], [null], [{}], [{ access_token: null }]])(
    'without a token (%j) and without a stored grant is INVALID_TOKEN that says what to do',
    async (args) => {
      const { game } = start()
      expect(await game.ask('AUTHENTICATE', args)).toMatchObject({ data: { code: 4009, message: expect.stringContaining('GET_TOKEN') } })
    },
  )
  test('without a token uses the stored grant of the same user and program, and returns no token', async () => {
    const bridge = testBridge({ uid: 1000 })
    const peer = { trust: 'kernel', uid: 1000, pid: 1, file: '1:2:3:4:5', kind: 'native' } as const
    const at = (executable: string) => Game.connected(bridge, { contract: '1.0' }, { ...peer, executable })
    await at('/games/one').ask('GET_TOKEN', { code: 'code-for-the-game', code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1:9/' })

    const again = await at('/games/one').ask('AUTHENTICATE', {})
    expect(again).toMatchObject({ evt: null, data: { user: { username: 'ann' } } })
    expect(again.data).not.toHaveProperty('access_token')
    expect(await at('/games/two').ask('AUTHENTICATE', {})).toMatchObject({ data: { code: 5000 } })
    expect(bridge.consent.requests).toMatchObject([{ program: { executable: '/games/two' } }])
  })
  test('with a token does not depend on a stored grant', async () => {
    const { game, tokenStore } = start()
    tokenStore.beforeCurrent = () => Promise.reject(new BridgeError('INVALID_TOKEN', 'The stored grant is gone.'))
    expect(await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })).toMatchObject({ evt: null })
  })
})

test('no token, code or verifier reaches the log', async () => {
  const { game, log, tokenEndpoint } = start()
  await game.ask('GET_TOKEN', { code: 'code-for-the-game', code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1:9/' })
  await game.ask('AUTHENTICATE', {})
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  tokenEndpoint.isDown = true
  game.begin('FORGET_TOKENS')
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(log.lines.map(({ event }) => event)).toContain('revocation-failed')
  for (const secret of ['opaque:', 'code-for-the-game', VERIFIER, 'refresh-for-the-game']) expect(log.text).not.toContain(secret)
  expect(log.lines.length).toBeGreaterThan(1)
  expect(String(new Secret('x'))).toBe('[redacted]')
})

test.each([
  ['AUTHORIZE', {}],
  ['AUTHENTICATE', {}],
  ['AUTHENTICATE', { access_token: 'a-token' }],
])('%s loads the HTTP client at once, before the user has answered', (cmd, args) => {
  const { game, http } = start()
  game.begin('SET_ACTIVITY', { pid: 1, activity: null })
  expect(http.prepared).toBe(0)
  game.begin(cmd, args)
  expect(http.prepared).toBe(1)
})
