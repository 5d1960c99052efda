/** Tokens beside the code flow: provisional accounts, merges, child applications and UPDATE_TOKEN. */
import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { authorizationInformation, meaningOf, tokenOf } from '#test/support/tokens.ts'

const GAME = { trust: 'kernel', uid: 1000, pid: 1, executable: '/games/one', file: '1:2:3:4:5', kind: 'native' } as const
const OURS = { contract: '1.0', streams: true }
const EXTERNAL = { external_auth_type: 'OIDC', external_auth_token: 'planted-external-token' }
const PROVISIONAL = tokenOf(['identify'], { userId: '42' })

function start() {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, uid: 1000 })
  bridge.platform.replies.set('REQUEST_PROVISIONAL_TOKEN', () => ({
    access_token: PROVISIONAL,
    id_token: 'the-id-token',
    token_type: 'Bearer',
    expires_in: 604_800,
    refresh_token: 'deprecated-refresh',
    scope: 'openid sdk.social_layer',
  }))
  return { ...bridge, clock, game: Game.connected(bridge, OURS, GAME) }
}

describe('GET_PROVISIONAL_TOKEN', () => {
  test('requests as the application and stores the token, but no refresh token', { tags: ['1-4', '5-15'] }, async () => {
    const { game, tokenStore, platform, clock } = start()
    expect((await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)).data).toEqual({
      access_token: PROVISIONAL,
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: 'openid sdk.social_layer',
      id_token: 'the-id-token',
      account_state: 'provisional',
    })
    expect(platform.calls[0]).toMatchObject({
      name: 'REQUEST_PROVISIONAL_TOKEN',
      args: { client_id: '1234567890', ...EXTERNAL },
      credential: undefined,
    })
    const [kept] = await tokenStore.list()
    expect(kept?.account).toEqual({ applicationId: '1234567890', uid: 1000, userId: '42' })
    expect(kept?.tokens).toMatchObject({
      userId: '42',
      scopes: ['openid', 'sdk.social_layer'],
      expiresAt: clock.now() + 604_800_000,
    })
    expect(kept?.tokens.accessToken.reveal()).toBe(PROVISIONAL)
    expect(kept?.tokens).not.toHaveProperty('refreshToken')
    expect(await game.ask('AUTHENTICATE')).toMatchObject({ evt: null, data: { user: { id: '42' } } })
  })

  test('for another application sends no request', async () => {
    const { game, platform } = start()
    expect(game.call('GET_PROVISIONAL_TOKEN', { ...EXTERNAL, application_id: '999' })).toMatchObject({ data: { code: 4007 } })
    expect(platform.calls).toEqual([])
  })

  test('that the platform rejects stores nothing and passes the error on', async () => {
    const { game, tokenStore, platform, log } = start()
    platform.replies.set('REQUEST_PROVISIONAL_TOKEN', () => {
      throw new BridgeError('OAUTH2_ERROR', 'This user has linked an account already.', { platform_code: 530010, user_id: '7' })
    })
    expect(await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)).toMatchObject({ data: { code: 5000, platform_code: 530010, user_id: '7' } })
    expect(await tokenStore.list()).toEqual([])
    expect(log.text).not.toContain('planted-external-token')
  })
})

describe('GET_TOKEN with an external identity', () => {
  const EXCHANGE = {
    code: 'code-for-the-game',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    redirect_uri: 'http://127.0.0.1:9/',
  }

  test('sends it to the token endpoint with the code, and replaces the provisional account with the linked one', async () => {
    const { game, tokenStore, tokenEndpoint, platform } = start()
    await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)
    platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', ({ credential }) => {
      const meaning = meaningOf(credential?.token.reveal() ?? '')
      if (meaning === undefined || meaning.userId === '42') throw new BridgeError('INVALID_TOKEN', 'The account was merged.')
      return authorizationInformation(meaning)
    })
    expect(await game.ask('GET_TOKEN', { ...EXCHANGE, ...EXTERNAL })).toMatchObject({ evt: null })
    expect(tokenEndpoint.merges.map((merge) => [merge?.type, merge?.token.reveal()])).toEqual([['OIDC', 'planted-external-token']])
    expect((await tokenStore.list()).map(({ tokens }) => tokens.userId)).toEqual(['80351110224678912'])
  })

  test('without one merges nothing', async () => {
    const { game, tokenEndpoint } = start()
    await game.ask('GET_TOKEN', EXCHANGE)
    expect(tokenEndpoint.merges).toEqual([undefined])
  })
})

describe('UNMERGE_PROVISIONAL_ACCOUNT', () => {
  /** A platform that ends all tokens of the given user when it unmerges. */
  async function signedIn(parted: string) {
    const made = start()
    let isParted = false
    made.platform.replies.set('REQUEST_PROVISIONAL_ACCOUNT_UNMERGE', () => {
      isParted = true
      return null
    })
    made.platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', ({ credential }) => {
      const meaning = meaningOf(credential?.token.reveal() ?? '')
      if (meaning === undefined || (isParted && meaning.userId === parted)) throw new BridgeError('INVALID_TOKEN', 'The token is dead.')
      return authorizationInformation(meaning)
    })
    await made.game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)
    await made.game.ask('AUTHENTICATE')
    return made
  }

  async function settle(game: Game, count: number) {
    const received: ReturnType<Game['received']> = []
    for (let turn = 0; turn < 50 && received.length < count; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      received.push(...game.received())
    }
    return received
  }

  test('ends the accounts whose tokens the platform no longer accepts, and notifies every connection', {
    tags: ['3-12', '4.3-10', '5-23'],
  }, async () => {
    const made = await signedIn('42')
    const nonce = made.game.begin('UNMERGE_PROVISIONAL_ACCOUNT', EXTERNAL)
    expect(await settle(made.game, 2)).toMatchObject([
      { cmd: 'DISPATCH', evt: 'TOKEN_REVOKED', data: { user_id: '42' } },
      { evt: null, data: null, nonce },
    ])
    expect(await made.tokenStore.list()).toEqual([])
    expect(await made.game.ask('GET_CURRENT_USER')).toMatchObject({ data: { code: 4006 } })
  })

  test('of another account leaves this one signed in', async () => {
    const made = await signedIn('5')
    expect(await made.game.ask('UNMERGE_PROVISIONAL_ACCOUNT', EXTERNAL)).toMatchObject({ evt: null, data: null })
    expect(await made.tokenStore.list()).toHaveLength(1)
  })
})

describe('EXCHANGE_CHILD_TOKEN', () => {
  test('requests without a token, returns no refresh token, and stores nothing', { tags: ['4.3-8', '5-20'] }, async () => {
    const { game, platform, tokenStore } = start()
    const answer = { access_token: 'the-child', token_type: 'Bearer', expires_in: 60, scope: 'identify' }
    platform.replies.set('REQUEST_CHILD_TOKEN', () => ({ ...answer, refresh_token: 'none of this' }))
    expect((await game.ask('EXCHANGE_CHILD_TOKEN', { parent_token: 'the-parent', child_application_id: '55' })).data).toEqual(answer)
    expect(platform.calls).toMatchObject([
      { args: { parent_access_token: 'the-parent', child_application_id: '55' }, credential: undefined },
    ])
    expect(await tokenStore.list()).toEqual([])
  })
})

describe('UPDATE_TOKEN', () => {
  test('signs the connection in again, and a rejected token changes nothing', { tags: ['4.3-7', '5-17'] }, async () => {
    const { game, registry, account } = start()
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    expect(await game.ask('UPDATE_TOKEN', { access_token: PROVISIONAL })).toMatchObject({
      evt: null,
      data: { user: { id: '42' }, access_token: PROVISIONAL },
    })
    expect(account.user.id).toBe('42')
    expect(await game.ask('UPDATE_TOKEN', { access_token: 'other' })).toMatchObject({ data: { code: 4009 } })
    expect(registry.all().map(({ signedIn }) => signedIn?.userId)).toEqual(['42'])
  })

  test('recognizes a stored token, so that it is refreshed', { tags: ['4.3-7', '5-17'] }, async () => {
    const { game, registry } = start()
    await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)
    const { data } = await game.ask('UPDATE_TOKEN', { access_token: PROVISIONAL })
    expect(data).toMatchObject({ user: { id: '42' }, account_state: 'provisional' })
    expect(registry.all()[0]?.signedIn?.isManaged).toBe(true)
    await game.ask('UPDATE_TOKEN', { access_token: tokenOf(['identify']) })
    expect(registry.all()[0]?.signedIn?.isManaged).toBe(false)
  })
})
