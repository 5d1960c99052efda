import { describe, expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { settled, SettlingClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

function start() {
  const clock = new SettlingClock()
  const bridge = testBridge({ clock })
  return { ...bridge, clock, game: Game.connected(bridge, { contract: '1.0', streams: true }) }
}

describe('AUTHORIZE_DEVICE', () => {
  test('returns at once the code to show, and keeps the secret code', async () => {
    const { game } = start()
    const answer = await game.ask('AUTHORIZE_DEVICE', { scopes: ['identify'] })
    expect(answer.data).toEqual({
      user_code: 'WDJB-MJH1',
      verification_uri: 'https://example.test/activate',
      verification_uri_complete: 'https://example.test/activate?user_code=WDJB-MJH1',
      expires_in: 300,
      interval: 0,
    })
  })
  test('for another application is INVALID_CLIENTID', () => {
    expect(start().game.call('AUTHORIZE_DEVICE', { client_id: '999' })).toMatchObject({ data: { code: 4007 } })
  })
})

describe('GET_TOKEN_FROM_DEVICE', () => {
  test('waits for the user, returns the tokens and stores them for this program', async () => {
    const { game, tokenEndpoint, tokenStore, clock } = start()
    tokenEndpoint.deviceAnswers = ['authorization_pending', 'allowed']
    await game.ask('AUTHORIZE_DEVICE')
    game.begin('GET_TOKEN_FROM_DEVICE', {})
    await clock.advance(5_000)
    expect(game.channel.writes).toEqual([])
    await clock.advance(5_000)
    await settled()
    expect(game.received()).toMatchObject([{ evt: null, data: { access_token: tokenOf(['identify', 'guilds']), token_type: 'Bearer' } }])
    expect(await tokenStore.list()).toHaveLength(1)
    expect(clock.pending).toBe(0)
    expect(await game.ask('AUTHENTICATE')).toMatchObject({ evt: null, data: { user: { username: 'ann' } } })
  })
  test('merges a provisional account, with both halves of the identity or none', async () => {
    const { game, tokenEndpoint } = start()
    await game.ask('AUTHORIZE_DEVICE')
    const half = { external_auth_type: 'OIDC' }
    expect(game.call('GET_TOKEN_FROM_DEVICE', half)).toMatchObject({ data: { code: 4000, path: 'external_auth_token' } })
    expect(await game.ask('GET_TOKEN_FROM_DEVICE', { ...half, external_auth_token: 'the-external' })).toMatchObject({ evt: null })
    expect(tokenEndpoint.merges[0]?.token.reveal()).toBe('the-external')
  })
  test.each([
    ['that the user denies', ['access_denied'] as const, 'access_denied'],
    ['that expires', ['expired_token'] as const, 'expired_token'],
  ])('%s is OAUTH2_ERROR', async (_, answers, words) => {
    const { game, tokenEndpoint, clock } = start()
    tokenEndpoint.deviceAnswers = [...answers]
    await game.ask('AUTHORIZE_DEVICE')
    game.begin('GET_TOKEN_FROM_DEVICE', {})
    await clock.advance(5_000)
    expect(game.received()).toMatchObject([{ evt: 'ERROR', data: { code: 5000, message: expect.stringContaining(words) as string } }])
  })
  test('without a pending sign-in names AUTHORIZE_DEVICE, and stops when the session ends', async () => {
    const { game, tokenEndpoint, clock } = start()
    expect(await game.ask('GET_TOKEN_FROM_DEVICE')).toMatchObject({
      data: { code: 5000, message: expect.stringContaining('AUTHORIZE_DEVICE') as string },
    })
    tokenEndpoint.deviceAnswers = ['authorization_pending']
    await game.ask('AUTHORIZE_DEVICE')
    game.begin('GET_TOKEN_FROM_DEVICE', {})
    await settled()
    expect(clock.pending).toBeGreaterThan(0)
    game.receiver.onClose()
    await settled()
    expect(clock.pending).toBe(0)
  })
})
