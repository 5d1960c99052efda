/** Sessions of pages in a browser: they cannot be identified, so they use only their own tokens. */
import { describe, expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const PAGE = { trust: 'origin', origin: 'https://page.example' } as const
const OTHER = { trust: 'origin', origin: 'https://other.example' } as const
const EXCHANGE = {
  code: 'code-for-the-game',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:9/',
}
const IDENTIFY = tokenOf(['identify', 'rpc'])

const start = (options = {}) => {
  const bridge = testBridge({ clock: new FakeClock(), ...options })
  const visit = (peer: typeof PAGE | typeof OTHER = PAGE) => Game.connected(bridge, { streams: true }, peer)
  return { ...bridge, bridge, visit }
}

describe('a page', () => {
  test('signs in with its own token, and is listed by its origin', async () => {
    const { visit, grants } = start()
    const page = visit()
    expect(await page.ask('AUTHENTICATE', { access_token: IDENTIFY })).toMatchObject({ evt: null, data: { user: { username: 'ann' } } })
    // A page has no process.
    expect(await page.ask('SET_ACTIVITY', { activity: { details: 'x y' } })).toMatchObject({ evt: null })
    expect(page.call('GET_BRIDGE_STATUS')).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    expect(grants.live()).toMatchObject([{ basis: 'token', program: { executable: PAGE.origin } }])
  })

  test('gets no stored tokens of any program', async () => {
    // Without program identification, only the origin distinguishes pages from programs.
    const { bridge, visit, tokenStore, consent } = start()
    const program = Game.connected(bridge, { contract: '1.0', streams: true })
    expect(await program.ask('GET_TOKEN', EXCHANGE)).toMatchObject({ evt: null })
    const stored = await tokenStore.storedFor('1234567890', undefined)
    expect(stored).toHaveLength(1)

    expect(await visit().ask('AUTHENTICATE', {})).toMatchObject({
      evt: 'ERROR',
      data: { code: 4009, message: expect.stringContaining('access_token') },
    })
    expect(consent.requests).toEqual([])
  })

  test('does not get a stored token refreshed', async () => {
    const { bridge, visit, tokenStore, registry } = start()
    const program = Game.connected(bridge, { contract: '1.0', streams: true })
    await program.ask('GET_TOKEN', EXCHANGE)
    const [stored] = await tokenStore.storedFor('1234567890', undefined)
    const page = visit()
    await page.ask('AUTHENTICATE', { access_token: stored?.tokens.accessToken.reveal() })
    expect(registry.all().find(({ connection: channel }) => channel.peer.trust === 'origin')?.signedIn?.isManaged).toBe(false)
  })

  test('does not change the local user', async () => {
    const { visit, account } = start()
    await visit().ask('AUTHENTICATE', { access_token: IDENTIFY })
    expect(account.user.username).toBe('player')
  })

  test('loses its scopes when it is signed out', async () => {
    const { visit, accounts } = start()
    const page = visit()
    await page.ask('AUTHENTICATE', { access_token: IDENTIFY })
    await accounts.apply(
      { applicationId: '1234567890', userId: '80351110224678912' },
      'revoked_by_user',
      'The user removed the application.',
    )
    expect(page.channel.log).toContain('end')
  })

  test('of another origin is another program', async () => {
    const { visit, registry } = start()
    visit()
    visit(OTHER)
    expect(registry.all().map(({ program }) => program.executable)).toEqual([PAGE.origin, OTHER.origin])
  })

  test('is not taken for a process of another user of the system', () => {
    expect(start({ uid: 1000 }).visit().call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')).toMatchObject({ evt: null })
  })
})
