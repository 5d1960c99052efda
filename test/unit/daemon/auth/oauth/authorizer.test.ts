import { get, type IncomingMessage } from 'node:http'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import type { AuthorizationRequest, Authorizer, PageOpener, Requester } from '#daemon/src/auth/auth.ts'
import { createAuthorizer } from '#daemon/src/auth/oauth/authorizer.ts'
import { CallbackRegistry } from '#daemon/src/auth/oauth/callback-registry.ts'
import { PendingNonces } from '#daemon/src/auth/oauth/pending-nonces.ts'
import { Secret } from '@sallyport/core/secret'
import { programKey, type Program } from '#daemon/src/identity/program.ts'
import { deny } from '#daemon/src/auth/pages/deny.ts'
import { SettlingClock } from '#test/support/fake-clock.ts'
import { peersOf } from '#test/support/tcp-peers.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const request: AuthorizationRequest = { applicationId: '123', scopes: ['openid', 'sdk.social_layer'], codeChallenge: CHALLENGE }
const never = new AbortController().signal

/** A browser in the hand of the test. */
class Browser implements PageOpener {
  /** The address that it was given. */
  readonly given = Promise.withResolvers<URL>()
  /** Where that led to. */
  readonly opened = Promise.withResolvers<URL>()
  signal: AbortSignal | undefined
  #cookie = ''

  async open(page: URL, signal: AbortSignal): Promise<boolean> {
    this.signal = signal
    this.given.resolve(page)
    const reply = await visit(page)
    this.#cookie = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    this.opened.resolve(new URL(reply.headers.location ?? ''))
    return true
  }

  /** Goes where the platform would send it. */
  async returnWith(answer: Record<string, string>): Promise<number | undefined> {
    const url = await this.opened.promise
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries({ state: url.searchParams.get('state') ?? '', ...answer }))
      back.searchParams.set(name, value)
    return (await visit(back, this.#cookie)).statusCode
  }
}

const visit = (url: URL, cookie = ''): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { cookie } }, (response) => response.resume().on('end', () => resolve(response))).on('error', reject)
  })

function askerOf(executable: string): Requester {
  const program: Program = { kind: 'native', uid: 1, executable, file: `1:${executable}:3:4:5` }
  return { program, pid: 7, programKey: programKey(program) }
}

/** All steps of an authorization whose user needs no prompt. */
async function authorize(made: Authorizer, asked: AuthorizationRequest, signal: AbortSignal, requester: Requester) {
  using reserved = made.reserve(asked, signal, requester)
  return await reserved.charge().open()
}

function world(surface: PageOpener = new Browser(), peers = peersOf('this-user')) {
  const clock = new SettlingClock()
  const profile = {
    authorizeUrl: 'https://platform.example/oauth2/authorize?theme=dark',
    customSchemePrefix: 'platform',
    issuer: 'https://platform.example',
  }
  const nonces = new PendingNonces(clock)
  const callbacks = new CallbackRegistry(new Accounting(clock).window('invalidCallbacks'))
  /** Pages that are charged, in order, and those that were given back. */
  const charged: string[] = []
  const given: string[] = []
  const chargePage = ({ executable }: Program, applicationId: string) => {
    charged.push(`${executable} ${applicationId}`)
    return () => given.push(`${executable} ${applicationId}`)
  }
  const made = createAuthorizer({ profile, opener: surface, callbacks, nonces, clock, peers, chargePage })
  const asker = askerOf('/game')
  return {
    clock,
    nonces,
    charged,
    given,
    made,
    asker,
    authorizer: { authorize: (asked: AuthorizationRequest, signal: AbortSignal) => authorize(made, asked, signal, asker) },
    browser: surface as Browser,
  }
}

describe('createAuthorizer', () => {
  it('is reserved until it is disposed of, and can be aborted before a page is charged', async () => {
    const { made, asker, charged } = world()
    const first = made.reserve(request, never, asker)
    expect(() => made.reserve(request, never, asker)).toThrow(/already open/)
    first[Symbol.dispose]()
    const second = made.reserve(request, never, asker)
    made.abort(asker)
    expect([first.signal.aborted, second.signal.aborted, charged]).toEqual([false, true, []])
    await expect(second.charge().open()).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    second[Symbol.dispose]()
  })

  it('aborts with the call', () => {
    const { made, asker } = world()
    const call = new AbortController()
    using reserved = made.reserve(request, call.signal, asker)
    call.abort()
    expect(reserved.signal.aborted).toBe(true)
  })

  it('asks for everything that was asked of it, and gives the code with the redirect it came by', {
    tags: ['2.1-7', '2.1-12', '5-1'],
  }, async () => {
    const { authorizer, browser, clock } = world()
    const outcome = authorizer.authorize(
      {
        ...request,
        nonce: 'n',
        platformPage: 'never',
        integrationType: 0,
        permissions: '2048',
        guildId: '1',
        channelId: '2',
        disableGuildSelect: true,
        username: 'Guest',
        rpcToken: new Secret('the-rpc-token'),
      },
      never,
    )
    const url = await browser.opened.promise
    expect(url.origin + url.pathname).toBe('https://platform.example/oauth2/authorize')
    const { state, redirect_uri: redirectUri, ...rest } = Object.fromEntries(url.searchParams)
    expect(rest).toEqual({
      theme: 'dark',
      response_type: 'code',
      client_id: '123',
      scope: 'openid sdk.social_layer',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      nonce: 'n',
      prompt: 'none',
      integration_type: '0',
      permissions: '2048',
      guild_id: '1',
      channel_id: '2',
      disable_guild_select: 'true',
      username: 'Guest',
      rpc_token: 'the-rpc-token',
    })
    const given = (await browser.given.promise).href
    expect(given).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/go\/[\w-]{43}$/)
    for (const part of url.searchParams.values()) if (part.length > 9) expect(given).not.toContain(part)
    expect(state).toMatch(/^[\w-]{43}$/)
    expect(await browser.returnWith({ code: 'c0de' })).toBe(200)
    const answer = await outcome
    expect(answer.code.reveal()).toBe('c0de')
    expect(answer.redirectUri).toBe(redirectUri)
    expect(browser.signal?.aborted).toBe(true)
    expect(clock.pending).toBe(0)
    await expect(visit(new URL(answer.redirectUri))).rejects.toThrow()
  })

  it('leaves out what was not asked for, and uses the state of the game', { tags: ['2.1-9', '2.1-19'] }, async () => {
    const { authorizer, browser } = world()
    const outcome = authorizer.authorize({ applicationId: '123', scopes: [], state: 'game-state' }, never)
    const url = await browser.opened.promise
    expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'redirect_uri', 'response_type', 'state', 'theme'])
    expect(url.searchParams.get('state')).toBe('game-state')
    expect(await browser.returnWith({ code: 'x', state: 'forged' })).toBe(400)
    await browser.returnWith({ code: 'y' })
    expect((await outcome).code.reveal()).toBe('y')
  })

  it('generates another state each time, also for an empty one', { tags: ['2.1-10', '5-3'] }, async () => {
    const states = await Promise.all(
      ['', ''].map(async (state) => {
        const { authorizer, browser } = world()
        const outcome = authorizer.authorize({ ...request, state }, never)
        const url = await browser.opened.promise
        await browser.returnWith({ code: 'x' })
        await outcome
        return url.searchParams.get('state')
      }),
    )
    expect(states[0]).toHaveLength(43)
    expect(states[0]).not.toBe(states[1])
  })

  it.each([
    [{ error: 'access_denied', error_description: 'The user said no' }, 'OAuth2 Error: access_denied: The user said no'],
    [{ error: 'invalid_scope' }, 'OAuth2 Error: invalid_scope'],
  ])('turns %j into OAUTH2_ERROR', async (answer, message) => {
    const { authorizer, browser } = world()
    const outcome = authorizer.authorize(request, never)
    const failure = expect(outcome).rejects.toMatchObject({ error: 'OAUTH2_ERROR', message })
    await browser.returnWith(answer)
    await failure
  })

  it('gives up after five minutes, when the caller leaves, and when no page can be shown', async () => {
    const late = world()
    const lateOutcome = expect(late.authorizer.authorize(request, never)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const url = await late.browser.opened.promise
    await late.clock.advance(LIMITS.authorizationMs.value)
    await lateOutcome
    await expect(visit(new URL(url.searchParams.get('redirect_uri') ?? ''))).rejects.toThrow()

    const left = world()
    const leaving = new AbortController()
    const leftOutcome = expect(left.authorizer.authorize(request, leaving.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await left.browser.opened.promise
    leaving.abort()
    await leftOutcome
    expect(left.browser.signal?.aborted).toBe(true)
    expect(left.clock.pending).toBe(0)
    await expect(left.authorizer.authorize(request, leaving.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })

    await expect(world(deny()).authorizer.authorize(request, never)).rejects.toMatchObject({
      error: 'OAUTH2_ERROR',
      message: expect.stringMatching(/^OAuth2 Error: access_denied: /) as string,
    })
  })

  it('opens one page per application at a time, and another after that', async () => {
    const { authorizer, browser } = world()
    const first = authorizer.authorize(request, never)
    await browser.opened.promise
    await expect(authorizer.authorize(request, never)).rejects.toThrow(/already open/)
    const other = new AbortController()
    const second = expect(authorizer.authorize({ ...request, applicationId: '456' }, other.signal)).rejects.toMatchObject({
      error: 'TRANSACTION_ABORTED',
    })
    await browser.returnWith({ code: 'x' })
    await first
    other.abort()
    await second
    const again = new AbortController()
    const third = expect(authorizer.authorize(request, again.signal)).rejects.toMatchObject({
      message: expect.stringContaining('cancelled') as string,
    })
    again.abort()
    await third
  })

  it.each([
    ['https://platform.example', 'the code'],
    [undefined, 'the code'],
    ['https://another.example', 'OAuth2 Error: invalid_issuer'],
  ])('an answer of the issuer %s gives %s', async (iss, expected) => {
    const { authorizer, browser } = world()
    const outcome = authorizer.authorize(request, never).then(
      ({ code }) => code.reveal(),
      (failure: unknown) => (failure as Error).message,
    )
    await browser.returnWith({ code: 'the code', ...(iss === undefined ? {} : { iss }) })
    expect(await outcome).toContain(expected)
  })

  it('is cancelled when unknown visitors open the page twice, also with a custom scheme', async () => {
    for (const more of [{}, { customScheme: 'mygame' }]) {
      const { authorizer, browser } = world(undefined, peersOf('unknown'))
      const outcome = expect(authorizer.authorize({ ...request, ...more }, never)).rejects.toMatchObject({
        error: 'TRANSACTION_ABORTED',
        message: expect.stringContaining('opened twice') as string,
      })
      await browser.opened.promise
      expect((await visit(await browser.given.promise)).statusCode).toBe(410)
      await outcome
    }
  })

  it('refuses a challenge that no verifier can fit, naming it', async () => {
    const { authorizer } = world()
    await expect(authorizer.authorize({ ...request, codeChallenge: 'plain' }, never)).rejects.toMatchObject({
      error: 'INVALID_PAYLOAD',
      detail: { path: 'code_challenge' },
    })
  })

  it('notes which nonce the ID token for the code must carry, where there will be one', { tags: ['2.1-11'] }, async () => {
    for (const [scopes, expected] of [
      [['openid', 'identify'], 'n'],
      [['identify'], undefined],
    ] as const) {
      const { authorizer, browser, nonces } = world()
      const outcome = authorizer.authorize({ ...request, scopes, nonce: 'n' }, never)
      await browser.returnWith({ code: 'c0de' })
      expect(nonces.of((await outcome).code)).toMatchObject({ nonce: expected })
    }
  })

  it('is cancelled by its requester only', async () => {
    const { authorizer, made, asker, browser, clock } = world()
    const outcome = authorizer.authorize(request, never)
    await browser.opened.promise
    made.abort(askerOf('/game'))
    expect(browser.signal?.aborted).toBe(false)
    made.abort(asker)
    await expect(outcome).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect([browser.signal?.aborted, clock.pending]).toEqual([true, 0])
    made.abort(asker)
  })

  it('charges a page before it opens, and releases it before the program may ask again', async () => {
    const { made, asker, browser, charged, given } = world()
    const reserved = made.reserve(request, never, asker)
    expect(charged).toEqual([])
    const page = reserved.charge()
    expect([charged, browser.signal]).toEqual([['/game 123'], undefined])
    const outcome = page.open()
    await browser.opened.promise
    expect(given).toEqual([])
    made.abort(asker)
    await expect(outcome).rejects.toThrow()
    expect(given).toEqual([])
    expect(() => made.reserve(request, never, asker)).toThrow(/already open/)
    reserved[Symbol.dispose]()
    expect(given).toEqual(['/game 123'])
    made.reserve(request, never, asker)[Symbol.dispose]()
    expect(given).toEqual(['/game 123'])
  })

  it('opens no page that cannot be charged', async () => {
    const { browser, clock } = world()
    const callbacks = new CallbackRegistry(new Accounting(clock).window('invalidCallbacks'))
    const profile = { authorizeUrl: 'https://platform.example/', customSchemePrefix: 'platform' }
    const chargePage = () => {
      throw new Error('enough pages')
    }
    const nonces = new PendingNonces(clock)
    const made = createAuthorizer({ profile, opener: browser, callbacks, nonces, clock, peers: peersOf('this-user'), chargePage })
    await expect(authorize(made, request, never, askerOf('/game'))).rejects.toThrow('enough pages')
    expect(browser.signal).toBeUndefined()
  })

  it('lets no program keep another from asking for the same application', async () => {
    const { made, asker } = world()
    const first = authorize(made, request, never, asker)
    const other = askerOf('/other')
    const second = authorize(made, request, never, other)
    made.abort(other)
    await expect(second).rejects.toThrow(/cancelled/)
    await expect(authorize(made, request, never, asker)).rejects.toThrow(/already open/)
    made.abort(asker)
    await expect(first).rejects.toThrow(/cancelled/)
  })

  describe('by a custom scheme', () => {
    const asking = async (customScheme: string) => {
      const made = world()
      const outcome = made.authorizer.authorize({ ...request, customScheme }, never)
      expect((await made.browser.given.promise).pathname).toMatch(/^\/go\//)
      const { searchParams } = await made.browser.opened.promise
      return { ...made, outcome, redirectUri: searchParams.get('redirect_uri') ?? '', state: searchParams.get('state') ?? '' }
    }

    it.each([
      ['mygame', 'mygame:/authorize/callback'],
      ['', 'platform-123:/authorize/callback'],
    ])('%j comes back to %s', { tags: ['2.1-16', '2.1-17', '2.1-18'] }, async (scheme, expected) => {
      const { outcome, redirectUri, state, made } = await asking(scheme)
      expect(redirectUri).toBe(expected)
      expect(made.deliver(new Secret(`${redirectUri}?code=c0de&state=${state}`), 'handler')).toEqual({
        applicationId: '123',
        error: undefined,
      })
      const answer = await outcome
      expect([answer.code.reveal(), answer.redirectUri]).toEqual(['c0de', expected])
    })

    it('of another application is refused', { tags: ['2.1-18'] }, () =>
      expect(world().authorizer.authorize({ ...request, customScheme: 'PLATFORM-124' }, never)).rejects.toThrow(/Use platform-123/),
    )
    it('rejects after a refusal', async () => {
      const { outcome, redirectUri, state, made } = await asking('mygame')
      const rejected = expect(outcome).rejects.toMatchObject({ message: 'OAuth2 Error: access_denied: No' })
      const refused = `${redirectUri}?error=access_denied&error_description=No&state=${state}`
      expect(made.deliver(new Secret(refused), 'handler')).toEqual({ applicationId: '123', error: 'access_denied' })
      await rejected
    })

    it('needs a proof key, since any program can claim a scheme', async () => {
      const { authorizer } = world()
      await expect(authorizer.authorize({ applicationId: '123', scopes: [], customScheme: 'mygame' }, never)).rejects.toMatchObject({
        error: 'INVALID_PAYLOAD',
        detail: { path: 'code_challenge' },
      })
    })

    it('awaits nothing any more once it is given up', async () => {
      const { outcome, redirectUri, state, made, asker } = await asking('mygame')
      made.abort(asker)
      await expect(outcome).rejects.toThrow()
      expect(() => made.deliver(new Secret(`${redirectUri}?code=c&state=${state}`), 'handler')).toThrow(/No sign-in expects/)
    })
  })
})
