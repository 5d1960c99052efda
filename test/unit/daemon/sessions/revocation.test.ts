import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { handleRejectedToken } from '#daemon/src/sessions/revocation.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { jsonOf, OP, split } from '#test/support/frames.ts'
import { tokenOf } from '#test/support/tokens.ts'

const APPLICATION = '1234567890'
const USER = '80351110224678912'
const ACCOUNT = { applicationId: APPLICATION, userId: USER }
const OURS = { contract: '1.0', streams: true }
const TOKEN = tokenOf(['identify'])
const OTHER_TOKEN = tokenOf(['identify', 'guilds'])

async function signedIn(hello: object, token: string, bridge = testBridge()) {
  const game = Game.connected(bridge, hello)
  expect(await game.ask('AUTHENTICATE', { access_token: token })).toMatchObject({ evt: null })
  return { bridge, game }
}

const keep = ({ tokenStore }: ReturnType<typeof testBridge>, token: string, uid: number | undefined) =>
  tokenStore.store(
    { applicationId: APPLICATION, uid, userId: USER },
    { applicationId: APPLICATION, userId: USER, accessToken: new Secret(token), scopes: ['identify'], expiresAt: 1 },
  )

/** As after a sign-in with the stored token. */
function manage({ registry }: ReturnType<typeof testBridge>): void {
  for (const session of registry.signedInAs(ACCOUNT)) {
    const { signedIn: own, scopes } = session
    if (own !== undefined) session.signIn({ ...own, isManaged: true }, scopes)
  }
}

describe('a token that the platform refused', () => {
  test('of a game signs out the sessions that use it, and keeps stored tokens', async () => {
    const { bridge, game } = await signedIn(OURS, TOKEN)
    const { game: other } = await signedIn(OURS, OTHER_TOKEN, bridge)
    await keep(bridge, OTHER_TOKEN, 1)
    await handleRejectedToken(bridge, ACCOUNT, new Secret(TOKEN))

    expect(game.received()).toMatchObject([
      { evt: 'TOKEN_REVOKED', data: { application_id: APPLICATION, user_id: USER, cause: 'token_refused', account_state: 'linked' } },
    ])
    expect(await game.ask('GET_CURRENT_USER')).toMatchObject({ data: { code: 4006 } })
    expect(other.received()).toEqual([])
    expect(await bridge.tokenStore.list()).toHaveLength(1)
  })

  test('that is stored ends the authorization everywhere', { tags: ['3-12'] }, async () => {
    const { bridge, game } = await signedIn(OURS, TOKEN)
    const { game: old } = await signedIn({}, OTHER_TOKEN, bridge)
    await keep(bridge, TOKEN, 1)
    await handleRejectedToken(bridge, ACCOUNT, new Secret(TOKEN))

    expect(game.received()).toMatchObject([{ evt: 'TOKEN_REVOKED' }])
    const [farewell] = split(old.channel.take()).frames
    expect(farewell?.opcode).toBe(OP.CLOSE)
    expect(jsonOf(farewell?.payload ?? Buffer.alloc(0))).toMatchObject({ code: 4003 })
    expect(await bridge.tokenStore.list()).toEqual([])
  })

  test('that is stored and can be refreshed signs out no session that uses the stored one', async () => {
    const bridge = testBridge()
    await keep(bridge, TOKEN, undefined)
    const { game } = await signedIn(OURS, TOKEN, bridge)
    manage(bridge)
    bridge.tokenStore.renewal = () => new Secret(OTHER_TOKEN)
    await handleRejectedToken(bridge, ACCOUNT, new Secret(TOKEN))
    expect(game.received()).toEqual([])
    expect((await bridge.tokenStore.list()).map(({ tokens }) => tokens.accessToken.reveal())).toEqual([OTHER_TOKEN])
  })

  test('that is stored stays while the platform cannot be asked for another', async () => {
    const bridge = testBridge()
    await keep(bridge, TOKEN, undefined)
    const { game } = await signedIn(OURS, TOKEN, bridge)
    manage(bridge)
    bridge.tokenStore.renewal = () => {
      throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform does not answer.')
    }
    await handleRejectedToken(bridge, ACCOUNT, new Secret(TOKEN))
    expect(game.received()).toEqual([])
    expect(await bridge.tokenStore.list()).toHaveLength(1)
  })

  test('that is the only use of the account ends the account', async () => {
    const { bridge, game } = await signedIn(OURS, TOKEN)
    await handleRejectedToken(bridge, ACCOUNT, new Secret(TOKEN))
    expect(game.received()).toMatchObject([
      { evt: 'TOKEN_REVOKED', data: { cause: 'token_refused', account_state: 'unlinked', sign_in: ['provisional', 'oauth2'] } },
    ])
    expect(await bridge.accounts.stateOf(ACCOUNT)).toBe('unlinked')
  })

  test('of an unknown user changes nothing', async () => {
    const { bridge, game } = await signedIn(OURS, TOKEN)
    await handleRejectedToken(bridge, { ...ACCOUNT, userId: 'unknown' }, new Secret('a token that was only looked at'))
    expect(game.received()).toEqual([])
    expect(bridge.log.text).not.toContain('token_refused')
  })
})

test('an application that the user removed ends for every session of the account, and no other', { tags: ['5-27'] }, async () => {
  const { bridge, game } = await signedIn(OURS, TOKEN)
  const { game: old } = await signedIn({}, OTHER_TOKEN, bridge)
  const { game: other } = await signedIn(OURS, tokenOf(['identify'], { userId: '5' }), bridge)
  await keep(bridge, TOKEN, 1)
  await bridge.accounts.apply(ACCOUNT, 'deauthorized')
  expect(game.received()).toMatchObject([{ evt: 'TOKEN_REVOKED', data: { cause: 'deauthorized', account_state: 'unlinked' } }])
  expect(split(old.channel.take()).frames[0]?.opcode).toBe(OP.CLOSE)
  expect(other.received()).toEqual([])
  expect(await bridge.tokenStore.list()).toEqual([])
})
