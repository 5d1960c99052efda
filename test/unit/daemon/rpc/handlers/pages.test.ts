/** Sessions of pages in a browser: nobody proves who they are, so they get by with what they bring. */
import { describe, expect, test } from 'vitest'
import { Game, testBridge } from '../../../../support/bridge.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { tokenOf } from '../../../../support/tokens.ts'

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
  const visit = (peer: typeof PAGE | typeof OTHER = PAGE) => Game.greeted(bridge, { streams: true }, peer)
  return { ...bridge, bridge, visit }
}

describe('a page', () => {
  test('signs in with a token of its own, and is listed by its origin', async () => {
    const { visit, grants } = start()
    const page = visit()
    expect(await page.ask('AUTHENTICATE', { access_token: IDENTIFY })).toMatchObject({ evt: null, data: { user: { username: 'ann' } } })
    // A page has no process that it could name.
    expect(await page.ask('SET_ACTIVITY', { activity: { details: 'x y' } })).toMatchObject({ evt: null })
    expect(page.call('GET_BRIDGE_STATUS')).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    expect(grants.live()).toMatchObject([{ basis: 'token', program: { executable: PAGE.origin } }])
  })

  test('gets nothing of what is kept for programs, whichever they are', async () => {
    // Where the system does not name programs, those and pages have nothing else to be told apart by.
    const { bridge, visit, keeper, consent } = start()
    const program = Game.greeted(bridge, { contract: '1.0', streams: true })
    expect(await program.ask('GET_TOKEN', EXCHANGE)).toMatchObject({ evt: null })
    const stored = await keeper.storedFor('1234567890', undefined)
    expect(stored).toHaveLength(1)

    expect(await visit().ask('AUTHENTICATE', {})).toMatchObject({
      evt: 'ERROR',
      data: { code: 4009, message: expect.stringContaining('access_token') },
    })
    expect(consent.matters).toEqual([])
  })

  test('that shows a token which is kept here does not have it refreshed', async () => {
    const { bridge, visit, keeper, registry } = start()
    const program = Game.greeted(bridge, { contract: '1.0', streams: true })
    await program.ask('GET_TOKEN', EXCHANGE)
    const [stored] = await keeper.storedFor('1234567890', undefined)
    const page = visit()
    await page.ask('AUTHENTICATE', { access_token: stored?.tokens.accessToken.reveal() })
    expect(registry.all().find(({ channel }) => channel.peer.trust === 'origin')?.signedIn?.isManaged).toBe(false)
  })

  test('does not change who plays on this machine', async () => {
    const { visit, account } = start()
    await visit().ask('AUTHENTICATE', { access_token: IDENTIFY })
    expect(account.user.username).toBe('player')
  })

  test('loses what it held when it is signed out', async () => {
    const { visit, services } = start()
    const page = visit()
    await page.ask('AUTHENTICATE', { access_token: IDENTIFY })
    await services.revoked('1234567890', '80351110224678912', 'The user removed the application.')
    expect(page.link.log).toContain('end')
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
