/** Programs that cannot be identified: the user is prompted on each connection, and no grant is stored. */
import { describe, expect, test } from 'vitest'
import { Game, KNOWN_PROGRAM, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const UNKNOWN = { trust: 'kernel', uid: 1000, pid: 9 } as const
const HELLO = { contract: '1.0', streams: true }
const EXCHANGE = {
  code: 'code-for-the-game',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:9/',
}

/** A user signed in with an identified program, so that tokens are stored. */
async function start() {
  const bridge = testBridge({ clock: new FakeClock(), uid: 1000 })
  await Game.connected(bridge, HELLO, { ...KNOWN_PROGRAM, uid: 1000 }).ask('GET_TOKEN', EXCHANGE)
  return { ...bridge, join: () => Game.connected(bridge, HELLO, UNKNOWN) }
}
const allow = async () => {}

describe('a program that cannot be identified', () => {
  test('is prompted for once on each connection, and signs in without a stored grant', async () => {
    const { join, consent, grants, grantStore, registry } = await start()
    const writes = grantStore.writes
    consent.decide = allow
    for (let connection = 1; connection <= 2; connection++) {
      const game = join()
      for (let time = 0; time < 2; time++)
        expect(await game.ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: ['identify', 'guilds'] } })
      expect(consent.requests).toHaveLength(connection)
    }
    expect(consent.requests).toMatchObject([{ reason: 'unknown-program' }, { reason: 'unknown-program' }])
    expect(new Set(consent.requests.map(({ connection }) => connection)).size).toBe(2)
    expect([grants.live().length, grantStore.writes]).toEqual([1, writes])
    expect(registry.all().filter(({ signedIn }) => signedIn?.isManaged)).toHaveLength(2)
  })
  test('that was denied gets nothing that another one was allowed', async () => {
    const { join, consent } = await start()
    consent.decide = allow
    await join().ask('AUTHENTICATE', {})
    consent.decide = () => Promise.reject(new Error('refused'))
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ evt: 'ERROR' })
  })
  test('must store its tokens itself', async () => {
    const { join, tokenStore, grants } = await start()
    const before = await tokenStore.list()
    expect((await join().ask('GET_TOKEN', EXCHANGE)).data).toMatchObject({
      access_token: expect.any(String),
      kept: false,
      not_kept_reason: expect.stringContaining('cannot distinguish this program'),
    })
    expect(await tokenStore.list()).toEqual(before)
    expect(grants.live()).toHaveLength(1)
  })
  test('has its tokens stored where it is the command line, whose terminal is not known', async () => {
    const bridge = testBridge({ clock: new FakeClock(), uid: 1000 })
    const line = Game.connected(bridge, HELLO, { ...KNOWN_PROGRAM, uid: 1000, session: 'none' })
    expect((await line.ask('GET_TOKEN', EXCHANGE)).data).not.toHaveProperty('kept')
    expect(await bridge.tokenStore.list()).toHaveLength(1)
  })
  test('learns why, when nothing is stored', async () => {
    const bridge = testBridge({ clock: new FakeClock(), uid: 1000 })
    const interpreter = { executable: '/home/mia/mygame', file: '1:2:3:4:5' }
    const game = Game.connected(bridge, HELLO, { ...UNKNOWN, kind: 'unknown', executable: 'a.py', interpreter })
    const { data } = await game.ask('AUTHENTICATE', {})
    expect(data).toMatchObject({ code: 4009 })
    expect((data as { message: string }).message).toMatch(/because \/home\/mia\/mygame runs a[.]py and is no known interpreter[.]$/)
  })
  test('signs in with a token of its own, which is not listed', async () => {
    const { join, grants } = await start()
    expect(await join().ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })).toMatchObject({ evt: null })
    expect(grants.live()).toHaveLength(1)
  })
  test('is prompted for before a page, once on a connection for the same scopes, until it signs out', async () => {
    const { join, consent, authorizer, accounts } = await start()
    consent.decide = allow
    const game = join()
    for (const scopes of [['identify'], ['identify'], ['identify', 'email'], ['email']])
      expect(await game.ask('AUTHORIZE', { scopes })).toMatchObject({ evt: null })
    expect(consent.requests.map(({ scopes, reason: why }) => [scopes, why])).toEqual([
      [['identify'], 'unknown-program'],
      [['identify', 'email'], 'unknown-program'],
    ])
    expect(authorizer.requests.map(({ platformPage }) => platformPage)).toEqual([undefined, undefined, undefined, undefined])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    await accounts.apply(
      { applicationId: '1234567890', userId: '80351110224678912' },
      'revoked_by_user',
      'The user removed the application.',
    )
    game.channel.take()
    await game.ask('AUTHORIZE', { scopes: ['identify'] })
    expect(consent.requests).toHaveLength(3)
  })
})

describe('the first AUTHORIZE of a program', () => {
  test.each([
    ['a program', { ...KNOWN_PROGRAM, uid: 1000, pid: 4, executable: '/games/new', file: '9:9:9:9:9' }],
    ['a page', { trust: 'origin', origin: 'https://page.example' } as const],
  ])('%s is prompted for by name before any page opens', async (_, peer) => {
    const bridge = testBridge({ clock: new FakeClock(), uid: 1000 })
    const { consent, authorizer } = bridge
    const game = Game.connected(bridge, HELLO, peer)
    expect(await game.ask('AUTHORIZE', { scopes: ['identify'] })).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
    expect(authorizer.requests).toEqual([])
    expect(consent.requests).toMatchObject([
      { program: { executable: 'origin' in peer ? peer.origin : '/games/new' }, scopes: ['identify'] },
    ])
    consent.decide = allow
    expect(await game.ask('AUTHORIZE', { scopes: ['identify'] })).toMatchObject({ evt: null })
    expect(authorizer.requests).toEqual([{ applicationId: '1234567890', scopes: ['identify'] }])
  })
  test('with its own token opens the page of the platform', async () => {
    const bridge = testBridge({ clock: new FakeClock() })
    const game = Game.connected(bridge, HELLO)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    await game.ask('AUTHORIZE', { scopes: ['identify', 'guilds'] })
    expect(bridge.consent.requests).toEqual([])
    expect(bridge.authorizer.requests).toMatchObject([{ platformPage: 'always' }])
  })
})
