import { describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { tokenOf } from '#test/support/tokens.ts'
import { ADA, APPLICATION, DAY, EXCHANGE, ONE, signedIn, start, TWO } from './signed-in.ts'

const allow = async () => {}

describe('AUTHENTICATE without a token', () => {
  test('needs no prompt for the program that signed in, and writes nothing', async () => {
    const { join, consent, grantStore } = await signedIn()
    const writes = grantStore.writes
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: ['identify', 'guilds'] } })
    expect(consent.requests).toEqual([])
    expect(grantStore.writes).toBe(writes)
  })

  test('prompts the user for another program, with program, application, account and scopes', async () => {
    const { join, consent } = await signedIn()
    expect(await join(TWO).ask('AUTHENTICATE', {})).toMatchObject({
      evt: 'ERROR',
      data: { code: 5000, message: expect.stringContaining('access_denied') },
    })
    expect(consent.requests).toEqual([
      {
        program: { kind: 'native', uid: 1000, executable: '/games/two', file: '1:2:3:4:5', digest: '/games/two' },
        pid: 2,
        connection: 2,
        applicationId: APPLICATION,
        applicationName: 'Test game',
        userId: ADA,
        username: 'ann',
        scopes: ['identify', 'guilds'],
        reason: 'new-program',
      },
    ])
  })

  test('needs no prompt after it was allowed, with the same tokens for both programs', async () => {
    const { join, consent, tokenStore, grants } = await signedIn()
    consent.decide = allow
    expect(await join(TWO).ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { user: { id: ADA } } })
    expect(await join(TWO).ask('AUTHENTICATE', {})).toMatchObject({ evt: null })
    expect(consent.requests).toHaveLength(1)
    expect(await tokenStore.list()).toHaveLength(1)
    expect(grants.live()).toHaveLength(2)
  })

  test.each([
    ['a changed file', { ...ONE, file: '1:2:3:5:5' }, 'changed-program'],
    ['a file that cannot be looked at', { ...ONE, file: undefined }, 'changed-program'],
  ])('prompts again for %s', async (_, peer, reason) => {
    const { join, consent } = await signedIn()
    await join(peer as never).ask('AUTHENTICATE', {})
    expect(consent.requests).toMatchObject([{ reason, scopes: ['identify', 'guilds'] }])
  })

  test('prompts again after thirty idle days; a use in between extends the time', async () => {
    const { join, consent, clock } = await signedIn()
    clock.advance(20 * DAY)
    await join().ask('AUTHENTICATE', {})
    clock.advance(20 * DAY)
    await join().ask('AUTHENTICATE', {})
    expect(consent.requests).toEqual([])
    clock.advance(30 * DAY)
    await join().ask('AUTHENTICATE', {})
    expect(consent.requests).toMatchObject([{ reason: 'idle' }])
  })

  test('gives only the granted scopes, even if another program got more', { tags: ['2.1-8'] }, async () => {
    const { join, tokenStore, tokenEndpoint, platform } = start()
    tokenEndpoint.scopes = ['identify']
    await join().ask('GET_TOKEN', EXCHANGE)
    tokenEndpoint.scopes = ['identify', 'guilds']
    await join(TWO).ask('GET_TOKEN', EXCHANGE)
    expect(await tokenStore.list()).toHaveLength(1)
    platform.replies.set('GET_CURRENT_USER_GUILDS', () => [])

    const [one, two] = [join(), join(TWO)]
    expect(await one.ask('AUTHENTICATE', {})).toMatchObject({ data: { scopes: ['identify'] } })
    expect(await one.ask('GET_CURRENT_USER_GUILDS')).toMatchObject({ data: { code: 4006 } })
    await two.ask('AUTHENTICATE', {})
    expect(await two.ask('GET_CURRENT_USER_GUILDS')).toMatchObject({ evt: null })
  })

  test('prompts a program with its own token only for new scopes', async () => {
    const { join, consent, grants } = await signedIn()
    await join(TWO).ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    consent.decide = allow
    expect(await join(TWO).ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: ['identify', 'guilds'] } })
    expect(consent.requests).toMatchObject([{ reason: 'brought-token', scopes: ['guilds'] }])
    expect(grants.find({ program: TWO, applicationId: APPLICATION, userId: ADA })).toMatchObject({
      basis: 'allowed',
      scopes: ['identify', 'guilds'],
    })
  })

  test('prefers the account that needs no prompt, and of these the latest', async () => {
    const { join, tokenStore, grants, clock, consent } = await signedIn()
    const bob = { applicationId: APPLICATION, uid: 1000, userId: '5' }
    await tokenStore.store(bob, {
      applicationId: APPLICATION,
      userId: '5',
      accessToken: new Secret(tokenOf(['identify'], { userId: '5' })),
      scopes: ['identify'],
      expiresAt: 1,
    })
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ data: { user: { id: ADA } } })
    clock.advance(1)
    grants.allow({ program: ONE, applicationId: APPLICATION, userId: '5' }, ['identify'], {})
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ data: { user: { id: '5' } } })
    expect(consent.requests).toEqual([])
  })

  test('with a user id signs in only as that user, so that two copies of a game keep their users', async () => {
    const { join, tokenStore, grants, consent } = await signedIn()
    await tokenStore.store(
      { applicationId: APPLICATION, uid: 1000, userId: '5' },
      {
        applicationId: APPLICATION,
        userId: '5',
        accessToken: new Secret(tokenOf(['identify'], { userId: '5' })),
        scopes: ['identify'],
        expiresAt: 1,
      },
    )
    grants.allow({ program: ONE, applicationId: APPLICATION, userId: '5' }, ['identify'], {})
    for (const id of [ADA, '5', ADA]) expect(await join().ask('AUTHENTICATE', { user_id: id })).toMatchObject({ data: { user: { id } } })
    expect(await join().ask('AUTHENTICATE', { user_id: '6' })).toMatchObject({ data: { code: 4009 } })
    expect(await join(TWO).ask('AUTHENTICATE', { user_id: '6' })).toMatchObject({ data: { code: 4009 } })
    expect(consent.requests).toEqual([])
    await join(TWO).ask('AUTHENTICATE', { user_id: '5' })
    expect(consent.requests).toMatchObject([{ reason: 'new-program', userId: '5' }])
  })

  test('does not prompt for another system user, or without stored tokens', async () => {
    const { join, consent, tokenStore } = await signedIn()
    expect(await join({ ...ONE, uid: undefined } as never).ask('AUTHENTICATE', {})).toMatchObject({ data: { code: 4009 } })
    await tokenStore.deleteAccount({ applicationId: APPLICATION, userId: ADA })
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ data: { code: 4009, message: expect.stringContaining('GET_TOKEN') } })
    expect(consent.requests).toEqual([])
  })

  test('of a client without a contract asks the user for the presence scopes, stores the tokens and signs in', async () => {
    const { join, consent, authorizer, grants } = start()
    consent.decide = allow
    const game = join(ONE, {})
    expect(await game.ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { user: { id: ADA } } })
    expect(consent.requests).toMatchObject([{ program: { executable: '/games/one' }, reason: 'new-program' }])
    expect(authorizer.requests).toMatchObject([
      { applicationId: APPLICATION, scopes: ['openid', 'sdk.social_layer_presence'], codeChallenge: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    expect(grants.live()).toMatchObject([{ basis: 'allowed', userId: ADA }])
    expect(await join(ONE, {}).ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { user: { id: ADA } } })
    expect([consent.requests.length, authorizer.requests.length]).toEqual([1, 1])
  })

  test.each([null, ''])('of a client that sends %j as its token is an error, so that it authorizes itself', async (access_token) => {
    const { join, consent } = await signedIn()
    for (const hello of [{}, { contract: '1.0', streams: true }])
      expect(await join(ONE, hello).ask('AUTHENTICATE', { access_token })).toMatchObject({ evt: 'ERROR', data: { code: 4009 } })
    expect(consent.requests).toEqual([])
  })

  test('of a client without a contract fails if the user refuses, and for a named user', async () => {
    const { join, authorizer, grants } = start()
    expect(await join(ONE, {}).ask('AUTHENTICATE', {})).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
    expect(await join(ONE, {}).ask('AUTHENTICATE', { user_id: ADA })).toMatchObject({ evt: 'ERROR', data: { code: 4009 } })
    expect([grants.live(), authorizer.requests.length]).toEqual([[], 0])
  })

  test('needs the grant of a code that the game exchanged itself, which AUTHENTICATE with the token leaves', async () => {
    const { join, consent, grants } = start()
    consent.decide = allow
    const game = join()
    expect(await game.ask('AUTHORIZE', { scopes: ['rpc'] })).toMatchObject({ evt: null })
    const allowed = ['rpc', 'identify', 'guilds', 'guilds.channels.read']
    await game.ask('AUTHENTICATE', { access_token: tokenOf([...allowed, 'email']) })
    expect(grants.live(), 'more than the user allowed').toMatchObject([{ basis: 'token' }])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(allowed) })
    expect(grants.live()).toMatchObject([{ basis: 'allowed', scopes: allowed, userId: ADA }])
    expect(await join().ask('AUTHORIZE', { scopes: ['rpc'], prompt: 'none' })).toMatchObject({ evt: null })
    expect(consent.requests).toHaveLength(1)
  })

  test('waits for the user longer than the deadline of calls, and stops when the session ends', async () => {
    const { join, consent, clock } = await signedIn()
    const signals: AbortSignal[] = []
    consent.decide = (_, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const game = join(TWO)
    game.begin('AUTHENTICATE', {})
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(300_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    game.receiver.onClose()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('does not prompt again after the platform failed', async () => {
    const { join, consent, tokenStore } = await signedIn()
    consent.decide = allow
    tokenStore.beforeCurrent = () => Promise.reject(new Error('away'))
    await join(TWO).ask('AUTHENTICATE', {})
    tokenStore.beforeCurrent = async () => {}
    expect(await join(TWO).ask('AUTHENTICATE', {})).toMatchObject({ evt: null })
    expect(consent.requests).toHaveLength(1)
  })
})

describe('a token from the game', () => {
  test('is listed once, and gives no access to stored tokens', async () => {
    const { join, grants, grantStore } = start()
    for (let time = 0; time < 3; time++) await join().ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    expect(grants.live()).toMatchObject([{ basis: 'token', scopes: ['identify'], username: 'ann', applicationName: 'Test game' }])
    expect(grantStore.writes).toBe(1)
  })
  test('is managed only if it is stored and this program was allowed to use it', async () => {
    const { join, registry } = await signedIn()
    const access_token = tokenOf(['identify', 'guilds'])
    await join(TWO).ask('AUTHENTICATE', { access_token })
    await join(ONE).ask('AUTHENTICATE', { access_token })
    expect(registry.all().flatMap(({ signedIn: who }) => who?.isManaged ?? [])).toEqual([false, true])
  })
  test('does not sign in if its grant cannot be recorded', async () => {
    const { join, grantStore, registry } = start()
    grantStore.put = () => {
      throw new Error('disk full')
    }
    expect(await join().ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })).toMatchObject({ evt: 'ERROR' })
    expect(registry.all()[0]?.signedIn).toBeUndefined()
  })
})

test('deleting tokens deletes the grants of programs for them', async () => {
  const { join, grants } = await signedIn()
  await join(TWO).ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  join().begin('FORGET_TOKENS')
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(grants.live()).toEqual([])
})

describe('a session that stays open', () => {
  const grantOfOne = ({ grants }: Awaited<ReturnType<typeof signedIn>>) => grants.live()[0]

  test('is not idle while it makes calls; that is recorded at most once a day', async () => {
    const made = await signedIn()
    const { join, clock, grantStore, consent, platform } = made
    platform.replies.set('GET_CURRENT_USER', () => ({ id: ADA, username: 'ann', discriminator: '0', global_name: null, avatar: null }))
    const game = join()
    await game.ask('AUTHENTICATE', {})
    const writes = grantStore.writes
    for (let day = 0; day < 31; day++) {
      clock.advance(DAY)
      for (let time = 0; time < 3; time++) expect(await game.ask('GET_CURRENT_USER')).toMatchObject({ evt: null })
    }
    expect(grantStore.writes - writes).toBe(31)
    expect(grantOfOne(made)).toMatchObject({ lastUsedAt: clock.now() })
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ evt: null })
    expect(consent.requests).toEqual([])
  })

  test('without calls counts as used until it ended', async () => {
    const made = await signedIn()
    const { join, clock, consent } = made
    const [game, replaced] = [join(), join({ ...ONE, file: 'replaced' } as never)]
    await game.ask('AUTHENTICATE', {})
    clock.advance(31 * DAY)
    replaced.receiver.onClose()
    expect(grantOfOne(made)).toBeUndefined()
    game.receiver.onClose()
    expect(grantOfOne(made)).toMatchObject({ lastUsedAt: clock.now() })
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ evt: null })
    expect(consent.requests).toEqual([])
  })

  test('ends and makes calls even if its use cannot be recorded', async () => {
    const made = await signedIn()
    const { join, clock, grantStore, log } = made
    const game = join()
    await game.ask('AUTHENTICATE', {})
    grantStore.put = () => {
      throw new Error('disk full')
    }
    clock.advance(2 * DAY)
    game.receiver.onClose()
    expect(JSON.stringify(log)).toContain('grant-use-not-stored')
    expect(made.registry.all(), 'the one that signed in at first is left').toHaveLength(1)
  })
})
