import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { jsonOf, OP, split } from '#test/support/frames.ts'
import { tokenOf } from '#test/support/tokens.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const GET_TOKEN = { code: 'code-for-the-game', code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1:9/' }
const OURS = { contract: '1.0', streams: true }
const GAME = { trust: 'kernel', uid: 1000, pid: 1, executable: '/games/one', file: '1:2:3:4:5', kind: 'native' } as const

function start() {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, uid: 1000 })
  return { ...bridge, clock, join: (hello: object = OURS, peer = GAME) => Game.connected(bridge, hello, peer) }
}

const away = () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'The keychain is locked.'))
const notWritten = () => {
  throw new BridgeError('SERVICE_UNAVAILABLE', 'The disk is full.')
}

describe('GET_TOKEN', () => {
  test('returns the tokens and stores them for this program', { tags: ['4.3-2'] }, async () => {
    const { join, tokenStore, grants, clock } = start()
    const answer = await join().ask('GET_TOKEN', GET_TOKEN)
    expect(answer.data).toEqual({
      access_token: tokenOf(['identify', 'guilds']),
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: 'identify guilds',
      refresh_token: 'refresh-for-the-game',
    })
    const [kept] = await tokenStore.list()
    expect(kept?.account).toEqual({ applicationId: '1234567890', uid: 1000, userId: '80351110224678912' })
    expect(grants.live()).toMatchObject([
      { program: { uid: 1000, executable: '/games/one' }, basis: 'allowed', scopes: ['identify', 'guilds'], username: 'ann' },
    ])
    expect(kept?.tokens).toMatchObject({
      userId: '80351110224678912',
      scopes: ['identify', 'guilds'],
      expiresAt: clock.now() + 604_800_000,
    })
    expect(kept?.tokens.refreshToken?.reveal()).toBe('refresh-for-the-game')
  })
  test('stores nothing for tokens without a user', async () => {
    const { join, tokenStore, tokenEndpoint } = start()
    tokenEndpoint.scopes = ['guilds']
    expect(await join().ask('GET_TOKEN', GET_TOKEN)).toMatchObject({
      evt: null,
      data: { kept: false, not_kept_reason: expect.stringContaining('request the scope identify') as string },
    })
    expect(await tokenStore.list()).toEqual([])
  })
  test.each([
    ['the vault', (made: ReturnType<typeof start>) => (made.tokenStore.store = away)],
    ['the list of grants', (made: ReturnType<typeof start>) => (made.grantStore.put = notWritten)],
  ])('reports kept: false when %s is unavailable, and the game can pass the tokens itself', async (_, spoil) => {
    const made = start()
    spoil(made)
    const game = made.join()
    const answer = await game.ask('GET_TOKEN', GET_TOKEN)
    expect(answer).toMatchObject({
      evt: null,
      data: {
        access_token: tokenOf(['identify', 'guilds']),
        kept: false,
        not_kept_reason: 'The bridge failed to store them: read its log.',
      },
    })
    expect(JSON.stringify(made.log)).toContain('tokens-not-stored')
  })
  test('signs in with a token that the unavailable vault did not store', async () => {
    const made = start()
    made.tokenStore.store = away
    made.tokenStore.storedFor = away
    made.tokenStore.list = away
    const game = made.join()
    const { data } = await game.ask('GET_TOKEN', GET_TOKEN)
    const { access_token } = data as { readonly access_token: string }
    expect(await game.ask('AUTHENTICATE', { access_token })).toMatchObject({ evt: null, data: { scopes: ['identify', 'guilds'] } })
  })
  test.each([
    ['with a wrong code', { ...GET_TOKEN, code: 'other' }, 5000],
    ['for another application', { ...GET_TOKEN, application_id: '999' }, 4007],
    ['with a short verifier', { ...GET_TOKEN, code_verifier: 'short' }, 4000],
    ['without arguments', undefined, 4000],
  ])('%s is rejected and stores nothing', async (_, args, code) => {
    const { join, tokenStore } = start()
    expect(await join().ask('GET_TOKEN', args)).toMatchObject({ evt: 'ERROR', data: { code } })
    expect(await tokenStore.list()).toEqual([])
  })
})

describe('REFRESH_TOKEN', () => {
  test('returns new tokens and stores them', async () => {
    const { join, tokenStore } = start()
    expect(await join().ask('REFRESH_TOKEN', { refresh_token: 'refresh-for-the-game' })).toMatchObject({
      evt: null,
      data: { token_type: 'Bearer' },
    })
    expect(await tokenStore.list()).toHaveLength(1)
  })
  test('with an invalid token is OAUTH2_ERROR', { tags: ['7-5', '5-26', '3-13'] }, async () => {
    const { join } = start()
    expect(await join().ask('REFRESH_TOKEN', { refresh_token: 'old' })).toMatchObject({
      data: { code: 5000, message: expect.stringContaining('invalid_grant') },
    })
  })
})

/** A game that signed in with managed tokens, an old client of the same user and application, and one of another user. */
async function threeSignedIn() {
  const made = start()
  const ours = made.join()
  await ours.ask('GET_TOKEN', GET_TOKEN)
  await ours.ask('AUTHENTICATE', {})
  const old = made.join({}, { ...GAME, executable: '/games/old' } as never)
  await old.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  const otherGame = made.join({}, { ...GAME, executable: '/games/other' } as never)
  await otherGame.ask('AUTHENTICATE', { access_token: tokenOf(['identify'], { userId: '5' }) })
  return { ...made, ours, old, otherGame }
}

function expectAllSignedOut(
  { old, otherGame }: Awaited<ReturnType<typeof threeSignedIn>>,
  answers: ReturnType<Game['received']>,
  nonce: string,
): void {
  expect(answers).toMatchObject([
    {
      cmd: 'DISPATCH',
      evt: 'TOKEN_REVOKED',
      data: { application_id: '1234567890', user_id: '80351110224678912', reason: expect.any(String) },
      nonce: null,
    },
    { evt: null, data: null, nonce },
  ])
  const [closed] = split(old.channel.take()).frames
  expect(closed?.opcode).toBe(OP.CLOSE)
  expect(jsonOf(closed!.payload)).toMatchObject({ code: 4003 })
  expect(old.channel.log).toContain('end')
  expect(otherGame.channel.take()).toHaveLength(0)
  expect(otherGame.channel.log).toEqual([])
}

async function settle(game: Game, count: number): Promise<ReturnType<Game['received']>> {
  const received: ReturnType<Game['received']> = []
  for (let turn = 0; turn < 50 && received.length < count; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    received.push(...game.received())
  }
  return received
}

describe('REVOKE_TOKEN', () => {
  test('ends every use: 4003 for old clients, TOKEN_REVOKED for ours, nothing for others', {
    tags: ['3-12', '4.3-9', '5-22'],
  }, async () => {
    const made = await threeSignedIn()
    const token = tokenOf(['identify'])
    const nonce = made.ours.begin('REVOKE_TOKEN', { token })
    expectAllSignedOut(made, await settle(made.ours, 2), nonce)
    expect(made.tokenEndpoint.revoked).toEqual([token])
    expect(await made.tokenStore.list()).toEqual([])
    expect(await made.ours.ask('GET_CURRENT_USER')).toMatchObject({ data: { code: 4006 } })
  })
  test('accepts a refresh token, although the platform does not return its user', async () => {
    const made = await threeSignedIn()
    const nonce = made.ours.begin('REVOKE_TOKEN', { token: 'refresh-for-the-game' })
    expectAllSignedOut(made, await settle(made.ours, 2), nonce)
    expect(made.tokenEndpoint.revoked).toEqual(['refresh-for-the-game'])
  })
  test('changes nothing if the platform fails', async () => {
    const { tokenEndpoint, tokenStore, ours, old } = await threeSignedIn()
    tokenEndpoint.isDown = true
    expect(await ours.ask('REVOKE_TOKEN', { token: tokenOf(['identify']) })).toMatchObject({ data: { code: 1001 } })
    expect(await tokenStore.list()).toHaveLength(1)
    expect(old.channel.log).toEqual([])
  })
  test('by a session without sign-in and without a stored token ends no other session', async () => {
    const made = await threeSignedIn()
    const passerBy = made.join()
    expect(await passerBy.ask('REVOKE_TOKEN', { token: 'guess' })).toMatchObject({ evt: null })
    expect(made.old.channel.log).toEqual([])
    expect(await made.tokenStore.list()).toHaveLength(1)
  })
  test('for another application is INVALID_CLIENTID', () => {
    expect(start().join().call('REVOKE_TOKEN', { token: 't', application_id: '999' })).toMatchObject({ data: { code: 4007 } })
  })
})

describe('FORGET_TOKENS', () => {
  test('revokes the stored tokens of this program and signs out all sessions', async () => {
    const made = await threeSignedIn()
    const nonce = made.ours.begin('FORGET_TOKENS')
    expectAllSignedOut(made, await settle(made.ours, 2), nonce)
    expect(made.tokenEndpoint.revoked).toEqual(['refresh-for-the-game'])
    expect(await made.tokenStore.list()).toEqual([])
  })
  test('works without the platform', async () => {
    const made = await threeSignedIn()
    made.tokenEndpoint.isDown = true
    const nonce = made.ours.begin('FORGET_TOKENS', {})
    expectAllSignedOut(made, await settle(made.ours, 2), nonce)
    expect(await made.tokenStore.list()).toEqual([])
    expect(made.log.lines.map(({ event }) => event)).toContain('revocation-failed')
  })
  test('by another program does nothing', async () => {
    const made = await threeSignedIn()
    const other = made.join(OURS, { ...GAME, executable: '/games/thief' } as never)
    expect(await other.ask('FORGET_TOKENS')).toMatchObject({ evt: null, data: null })
    expect(await made.tokenStore.list()).toHaveLength(1)
    expect(made.old.channel.log).toEqual([])
  })
})
