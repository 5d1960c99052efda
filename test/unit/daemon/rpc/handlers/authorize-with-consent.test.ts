import { BridgeError } from '@sallyport/core/errors'
import { describe, expect, test } from 'vitest'
import type { Game } from '#test/support/bridge.ts'
import { APPLICATION, DAY, ONE, signedIn, start, TWO } from './signed-in.ts'

const allow = async () => {}

describe('the steps of AUTHORIZE', () => {
  const PAGE = ['charge', 'open']

  /** AUTHORIZE of a program without a grant: the steps, and the code of the error. */
  const stepsOf = async (prepare: (bridge: ReturnType<typeof start>) => void) => {
    const bridge = start()
    const { authorizer, consent } = bridge
    consent.decide = allow
    prepare(bridge)
    const { decide } = consent
    consent.decide = async (...args) => {
      authorizer.steps.push('prompt')
      await decide(...args)
    }
    const { evt, data } = await bridge.join().ask('AUTHORIZE', { scopes: ['identify'] })
    return [authorizer.steps, evt === 'ERROR' ? data['code'] : undefined]
  }

  test('are: reserve, prompt, charge the page, open it', async () => {
    expect(await stepsOf(() => {})).toEqual([['reserve', 'prompt', ...PAGE, 'release'], undefined])
  })
  test('charge and open no page that the user did not allow', async () => {
    const denied = new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: access_denied')
    expect(await stepsOf(({ consent }) => (consent.decide = () => Promise.reject(denied)))).toEqual([
      ['reserve', 'prompt', 'release'],
      5000,
    ])
  })
  test('open no page that cannot be charged', async () => {
    const limited = new BridgeError('RATE_LIMITED', 'Too many pages')
    expect(await stepsOf(({ authorizer }) => (authorizer.refusedCharge = limited))).toEqual([
      ['reserve', 'prompt', 'charge', 'release'],
      5011,
    ])
  })
  test('end after a failed page', async () => {
    const closed = new BridgeError('SERVICE_UNAVAILABLE', 'No browser')
    expect(await stepsOf(({ authorizer }) => (authorizer.decide = () => Promise.reject(closed)))).toEqual([
      ['reserve', 'prompt', ...PAGE, 'release'],
      1001,
    ])
  })
  test('are done again for the page that the platform requires, without a prompt', async () => {
    const { join, authorizer } = await signedIn()
    authorizer.decide = () => Promise.reject(new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: login_required'))
    await join().ask('AUTHORIZE', { scopes: ['identify'] })
    const once = ['reserve', ...PAGE, 'release']
    expect(authorizer.steps).toEqual([...once, ...once])
  })
})

describe('AUTHORIZE for scopes that this program has', () => {
  const authorize = (game: Game, more: object = {}) => game.ask('AUTHORIZE', { scopes: ['identify'], ...more })

  test('requests no page unless the game asked for it; other scopes need the page', async () => {
    const { join, authorizer } = await signedIn()
    await authorize(join())
    await authorize(join(), { prompt: 'consent' })
    await authorize(join(), { scopes: ['identify', 'email'] })
    expect(authorizer.requests.map(({ platformPage }) => platformPage)).toEqual(['never', 'always', 'always'])
  })
  test('opens the page if the platform requires it', async () => {
    const { join, authorizer } = await signedIn()
    const { decide } = authorizer
    authorizer.decide = (request, signal) =>
      request.platformPage === 'never'
        ? Promise.reject(new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: login_required'))
        : decide(request, signal)
    expect(await authorize(join())).toMatchObject({ evt: null, data: { code: 'code-for-the-game' } })
    expect(authorizer.requests.map(({ platformPage }) => platformPage)).toEqual(['never', undefined])
  })
  test('needs no prompt with prompt=none either', async () => {
    const { join, authorizer, consent } = await signedIn()
    expect(await authorize(join(), { prompt: 'none' })).toMatchObject({ evt: null, data: { code: 'code-for-the-game' } })
    expect(authorizer.requests.map(({ platformPage }) => platformPage)).toEqual(['never'])
    expect(consent.requests).toEqual([])
  })
  test('is cancelled with the first attempt', async () => {
    const { join, authorizer } = await signedIn()
    authorizer.decide = () => Promise.reject(new BridgeError('TRANSACTION_ABORTED', 'given up'))
    expect(await authorize(join())).toMatchObject({ data: { code: 1002 } })
    expect(authorizer.requests).toHaveLength(1)
  })
})

describe('AUTHORIZE that the platform would answer without a page', () => {
  const UNASKED: readonly (readonly [string, object])[] = [
    ['prompt none', { prompt: 'none' }],
    ['an rpc_token', { rpc_token: 'of-the-server' }],
  ]

  test.each(UNASKED)('with %s prompts the user for a program without a grant', async (_, how) => {
    const { join, authorizer, consent } = await signedIn()
    expect(await join(TWO).ask('AUTHORIZE', { scopes: ['identify'], ...how })).toMatchObject({
      evt: 'ERROR',
      data: { code: 5000, message: expect.stringContaining('access_denied') },
    })
    expect(authorizer.requests, 'nothing went to the platform').toEqual([])
    expect(consent.requests).toEqual([
      {
        program: { kind: 'native', uid: 1000, executable: '/games/two', file: '1:2:3:4:5', digest: '/games/two' },
        pid: 2,
        connection: 2,
        applicationId: APPLICATION,
        applicationName: 'Test game',
        userId: undefined,
        username: undefined,
        scopes: ['identify'],
        reason: 'new-program',
      },
    ])
    consent.decide = allow
    expect(await join(TWO).ask('AUTHORIZE', { scopes: ['identify'], ...how })).toMatchObject({
      evt: null,
      data: { code: 'code-for-the-game' },
    })
    expect(authorizer.requests).toHaveLength(1)
  })

  test.each([
    ['more than it was allowed', ONE, ['identify', 'email'], { reason: 'more-scopes', scopes: ['email'] }],
    ['from a changed file', { ...ONE, file: '1:2:3:5:5' }, ['identify'], { reason: 'changed-program', scopes: ['identify'] }],
  ])('%s prompts only for new scopes', async (_, peer, scopes, matter) => {
    const { join, consent } = await signedIn()
    await join(peer as typeof ONE).ask('AUTHORIZE', { scopes, prompt: 'none' })
    expect(consent.requests).toMatchObject([matter])
  })

  test('prompts again after thirty idle days', async () => {
    const { join, consent, clock } = await signedIn()
    clock.advance(30 * DAY)
    await join().ask('AUTHORIZE', { scopes: ['identify'], prompt: 'none' })
    expect(consent.requests).toMatchObject([{ reason: 'idle', scopes: ['identify'] }])
  })
})
