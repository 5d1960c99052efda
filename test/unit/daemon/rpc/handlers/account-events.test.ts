/** The events that commands apply to accounts, and the account state in their errors. */
import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge } from '#test/support/bridge.ts'
import { authorizationInformation, meaningOf, tokenOf } from '#test/support/tokens.ts'

const APPLICATION = '1234567890'
const USER = '80351110224678912'
const OURS = { contract: '1.0', streams: true }
const EXTERNAL = { external_auth_type: 'OIDC', external_auth_token: 'planted-external-token' }
const EXCHANGE = {
  code: 'code-for-the-game',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:9/',
}

function start() {
  const bridge = testBridge({ uid: 1000 })
  bridge.platform.replies.set('REQUEST_PROVISIONAL_TOKEN', () => ({
    access_token: tokenOf(['identify'], { userId: '42' }),
    token_type: 'Bearer',
    expires_in: 604_800,
    scope: 'openid sdk.social_layer',
  }))
  const game = Game.connected(bridge, OURS, {
    trust: 'kernel',
    uid: 1000,
    pid: 1,
    executable: '/games/one',
    file: '1:2:3:4:5',
    kind: 'native',
  })
  return { ...bridge, game, stateOf: (userId: string) => bridge.accounts.stateOf({ applicationId: APPLICATION, userId }) }
}

/** From now on the platform rejects every token of this user. */
const kill = ({ platform }: ReturnType<typeof start>, userId: string) =>
  platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', ({ credential }) => {
    const meaning = meaningOf(credential?.token.reveal() ?? '')
    if (meaning === undefined || meaning.userId === userId) throw new BridgeError('INVALID_TOKEN', 'The token is dead.')
    return authorizationInformation(meaning)
  })

describe('a merge', () => {
  test('makes the account linked and deletes the provisional one; the connection stays open', async () => {
    const made = start()
    await made.game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)
    expect(await made.stateOf('42')).toBe('provisional')
    kill(made, '42')
    await made.game.ask('GET_TOKEN', { ...EXCHANGE, ...EXTERNAL })
    expect([await made.stateOf(USER), await made.stateOf('42')]).toEqual(['linked', 'unlinked'])
    expect(made.game.received()).toEqual([])
  })

  test('keeps a provisional account whose token is still valid', async () => {
    const made = start()
    await made.game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)
    await made.game.ask('GET_TOKEN', { ...EXCHANGE, ...EXTERNAL })
    expect((await made.tokenStore.list()).map(({ tokens }) => tokens.userId).toSorted()).toEqual(['42', USER])
    expect(await made.stateOf('42')).toBe('provisional')
  })

  test('rejected with 530017 makes the provisional account in use restricted, and the error contains that state', {
    tags: ['3-10', '7-1'],
  }, async () => {
    const { game, tokenEndpoint, stateOf } = start()
    tokenEndpoint.exchange = async () => {
      throw new BridgeError('OAUTH2_ERROR', 'The account is banned.', { platform_code: 530017, http_status: 400 })
    }
    const refused = { code: 5000, message: 'The account is banned.', platform_code: 530017, http_status: 400, sign_in: ['provisional'] }
    // No account is in use yet.
    expect((await game.ask('GET_TOKEN', { ...EXCHANGE, ...EXTERNAL })).data).toEqual({ ...refused, call_id: 'c1-1' })
    await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)
    expect((await game.ask('GET_TOKEN', { ...EXCHANGE, ...EXTERNAL })).data).toEqual({
      ...refused,
      account_state: 'restricted',
      call_id: 'c1-3',
    })
    expect(await stateOf('42')).toBe('restricted')
    expect(await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)).toMatchObject({ data: { account_state: 'restricted' } })
  })
})

test('the error for a linked identity contains the account state and the sign-in methods', async () => {
  const { game, platform, stateOf } = start()
  await game.ask('GET_TOKEN', EXCHANGE)
  platform.replies.set('REQUEST_PROVISIONAL_TOKEN', () => {
    throw new BridgeError('OAUTH2_ERROR', 'This user has linked an account already.', { platform_code: 530010, user_id: USER })
  })
  expect((await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)).data).toMatchObject({
    platform_code: 530010,
    user_id: USER,
    account_state: 'linked',
    sign_in: ['oauth2'],
  })
  expect(await stateOf(USER)).toBe('linked')
})

test('any other error is passed on unchanged', async () => {
  const { game, platform } = start()
  platform.replies.set('REQUEST_PROVISIONAL_TOKEN', () => {
    throw new BridgeError('INVALID_TOKEN', 'Get a fresh token.', { platform_code: 530001 })
  })
  expect((await game.ask('GET_PROVISIONAL_TOKEN', EXTERNAL)).data).toEqual({
    code: 4009,
    message: 'Get a fresh token.',
    platform_code: 530001,
    call_id: 'c1-1',
  })
})

describe('a refresh token that the platform rejects', () => {
  test('ends the account when its access token is invalid too', { tags: ['4.1-20'] }, async () => {
    const made = start()
    await made.game.ask('GET_TOKEN', EXCHANGE)
    await made.game.ask('AUTHENTICATE')
    kill(made, USER)
    made.game.begin('REFRESH_TOKEN', { refresh_token: 'some-older-token' })
    const received: ReturnType<Game['received']> = []
    for (let turn = 0; turn < 50 && received.length < 2; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      received.push(...made.game.received())
    }
    expect(received).toMatchObject([
      { evt: 'TOKEN_REVOKED', data: { user_id: USER, cause: 'refresh_refused', account_state: 'unlinked' } },
      { cmd: 'REFRESH_TOKEN', evt: 'ERROR', data: { code: 5000 } },
    ])
    expect(await made.tokenStore.list()).toEqual([])
  })

  test('ends nothing when the platform cannot say whether its access token is valid', { tags: ['4.1-20'] }, async () => {
    const made = start()
    await made.game.ask('GET_TOKEN', EXCHANGE)
    made.platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', () => {
      throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform is away.')
    })
    expect(await made.game.ask('REFRESH_TOKEN', { refresh_token: 'some-older-token' })).toMatchObject({
      evt: 'ERROR',
      data: { code: 5000 },
    })
    expect(await made.tokenStore.list()).toHaveLength(1)
    expect(await made.stateOf(USER)).toBe('linked')
  })

  test('ends nothing while its access token is valid', async () => {
    const made = start()
    await made.game.ask('GET_TOKEN', EXCHANGE)
    expect(await made.game.ask('REFRESH_TOKEN', { refresh_token: 'some-older-token' })).toMatchObject({
      evt: 'ERROR',
      data: { code: 5000 },
    })
    expect(await made.tokenStore.list()).toHaveLength(1)
    expect(await made.stateOf(USER)).toBe('linked')
  })
})

describe('a child token', () => {
  const CHILD_TOKEN = tokenOf(['identify'], { applicationId: '55' })

  test('makes the account of the child application a child account, which ends with the parent', async () => {
    const made = start()
    made.platform.replies.set('REQUEST_CHILD_TOKEN', () => ({
      access_token: CHILD_TOKEN,
      token_type: 'Bearer',
      expires_in: 60,
      scope: 'identify',
    }))
    const parent = tokenOf(['identify'])
    await made.game.ask('AUTHENTICATE', { access_token: parent })
    await made.game.ask('EXCHANGE_CHILD_TOKEN', { parent_token: parent, child_application_id: '55' })
    const child = Game.connected(made, { ...OURS, client_id: '55' })
    expect(await child.ask('UPDATE_TOKEN', { access_token: CHILD_TOKEN })).toMatchObject({ data: { account_state: 'child' } })
    await made.accounts.apply({ applicationId: APPLICATION, userId: USER }, 'deauthorized')
    expect(child.received()).toMatchObject([
      { evt: 'TOKEN_REVOKED', data: { application_id: '55', cause: 'parent_ended', sign_in: ['parent_token'] } },
    ])
  })
})
