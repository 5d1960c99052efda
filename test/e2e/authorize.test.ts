/** Tests every way to authorize, on the real daemon with a user at the sandbox's pages: custom schemes, other devices, and the page's contents. */
import { createPkce, type SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_SCOPES, setApplication, withScheme } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { Person } from './support/person.ts'

const APPLICATION = '888000444'
const OTHER_APPLICATION = '888000555'
const EXTERNAL = { external_auth_type: 'STEAM_SESSION_TICKET', external_auth_token: 'sandbox-external-bosun' } as const

/** Long enough for a device to ask twice on a busy machine. */
const DEVICE_MS = 90_000

const outcomeOf = (call: Promise<unknown>): Promise<unknown> => call.catch((failure: unknown) => failure)

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let person: Person
  const games: SallyportClient[] = []
  const callback = (url: string, ...flags: string[]) => sallyport(target, ['callback', '--data-dir', at.data, ...flags, '--', url])

  beforeAll(async () => {
    at = await folders()
    // No PATH: no browser can be started, and the address is named to the person.
    daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent' })
    person = new Person(daemon)
    await setApplication(daemon.origin, APPLICATION, { ...ALL_SCOPES, ...withScheme(APPLICATION, 'harbourgame') })
  })
  afterAll(async () => {
    await Promise.all(games.map((game) => game.close()))
    await daemon.stop()
    await at.remove()
  })

  async function connect(applicationId = APPLICATION): Promise<SallyportClient> {
    const game = await connectedGame({ applicationId, runtimeDir: at.runtime })
    games.push(game)
    return game
  }

  type AuthorizeArgs = Parameters<typeof SallyportClient.prototype.call<'AUTHORIZE'>>[1]
  /** Sends AUTHORIZE and returns the page that opens for the user. */
  async function ask(game: SallyportClient, args: AuthorizeArgs = {}) {
    const { verifier, challenge, method } = createPkce()
    const asked = outcomeOf(
      game.call('AUTHORIZE', {
        scopes: ['openid', 'identify'],
        code_challenge: challenge,
        code_challenge_method: method,
        // Without this, an earlier grant would be used and no page would open.
        prompt: 'consent',
        ...args,
      }),
    )
    const page = await person.nextPage()
    const answer = async () => (await asked) as { readonly code: string; readonly redirect_uri: string; readonly state?: string }
    return { asked, answer, page, verifier }
  }

  test('a custom scheme: the system brings the answer by way of the command line', { tags: ['2.1-16'] }, async () => {
    const game = await connect()
    const { answer, page, verifier } = await ask(game, { custom_scheme: 'harbourgame', state: 'of the game', nonce: 'n-1' })
    const url = await person.decide(page, 'allow')
    expect(url).toMatch(/^harbourgame:\/authorize\/callback\?code=/)

    const wrong = await callback(url.replace('state=', 'state=x'))
    expect([wrong.code, wrong.err]).toEqual([4, expect.stringMatching(/INVALID_CONNECTION_CALLBACK_STATE.*No sign-in expects/) as string])
    const scheme = await callback(url.replace('harbourgame', 'othergame'))
    expect([scheme.code, scheme.err]).toEqual([4, expect.stringMatching(/another scheme/) as string])

    const delivered = await callback(url)
    expect(delivered).toMatchObject({ code: 0, out: `Delivered the callback to the game (application ${APPLICATION}).\n` })
    const { code, redirect_uri, state } = await answer()
    expect([redirect_uri, state]).toEqual(['harbourgame:/authorize/callback', 'of the game'])
    const repeated = await callback(url, '--json')
    expect([repeated.code, repeated.err]).toEqual([4, expect.stringMatching(/has already received its callback/) as string])

    const tokens = await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    const claims = JSON.parse(Buffer.from((tokens.id_token ?? '').split('.')[1] ?? '', 'base64url').toString()) as object
    expect(claims).toMatchObject({ aud: APPLICATION, nonce: 'n-1' })
    expect((await game.call('AUTHENTICATE', {})).user.username).toBe('ada')
    for (const printed of [wrong, scheme, delivered, repeated].map(({ out, err }) => out + err).concat(daemon.output()))
      expect(printed).not.toContain(code)
  })

  test('without a scheme of the game, the scheme of the platform and application; a refusal reaches the command line and the game', {
    tags: ['2.1-17'],
  }, async () => {
    const { asked, page } = await ask(await connect(), { custom_scheme: true })
    const url = await person.decide(page, 'deny')
    expect(url).toMatch(new RegExp(`^discord-${APPLICATION}:/authorize/callback\\?error=access_denied`))
    const refused = await callback(url, '--json')
    expect([refused.code, JSON.parse(refused.err)]).toMatchObject([
      4,
      { error: { application: APPLICATION, error: 'access_denied', exit_code: 4 } },
    ])
    expect(await asked).toMatchObject({ code: 5000, message: expect.stringContaining('access_denied') as string })
  })

  test('a second page of the application is refused to the same connection and to another, and not to another application', async () => {
    const [game, twin, other] = [await connect(), await connect(), await connect(OTHER_APPLICATION)]
    const first = await ask(game)
    for (const one of [game, twin])
      expect(await outcomeOf(one.call('AUTHORIZE', { prompt: 'consent' }))).toMatchObject({
        code: 1002,
        message: expect.stringContaining('already open') as string,
      })
    const second = await ask(other)
    // Who did not ask cannot abort.
    await twin.call('ABORT_AUTHORIZE')
    await game.call('ABORT_AUTHORIZE')
    expect(await first.asked).toMatchObject({ code: 1002, message: expect.stringContaining('cancelled') as string })
    // A game that leaves takes its page with it.
    await other.close()
    await second.asked
    const again = await connect(OTHER_APPLICATION)
    const third = await ask(again)
    await person.visit(await person.decide(third.page, 'allow'))
    expect((await third.answer()).code).toMatch(/.+/)
    expect(await person.visit(second.page)).toContain('wants to use your account')
  })

  test('the page shows what is requested for the bot, and accepts an rpc_token, which is shown nowhere', async () => {
    const state = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as {
      readonly guilds: readonly { readonly id: string; readonly name: string }[]
    }
    const guild = state.guilds.find(({ name }) => name === 'Harbour')
    const game = await connect()
    const asking = await ask(game, {
      scopes: 'bot applications.commands identify',
      integration_type: 0,
      permissions: '2048',
      guild_id: guild?.id ?? '',
      disable_guild_select: true,
    })
    const shown = await person.visit(asking.page)
    for (const words of ['SEND_MESSAGES', `Harbour (${guild?.id}), and no other`, 'a guild']) expect(shown).toContain(words)
    await person.visit(await person.decide(asking.page, 'deny'))
    await asking.asked

    const server = { client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }
    const got = await fetch(`${daemon.ready.apiBase}/oauth2/token/rpc`, { method: 'POST', body: new URLSearchParams(server) })
    const { rpc_token } = (await got.json()) as { readonly rpc_token: string }
    const trusted = await ask(game, { rpc_token })
    const opened = trusted.page
    expect(opened).toContain(rpc_token)
    const redirect = await person.redirectOf(opened)
    expect(new URL(redirect).searchParams.get('code')).toMatch(/.+/)
    expect(new URL(await person.redirectOf(opened)).searchParams.get('error')).toBe('invalid_grant')
    await person.visit(redirect)
    expect((await trusted.answer()).code).toMatch(/.+/)
    expect(daemon.output()).not.toContain(rpc_token)
  })

  test('a game that asks for rpc alone and exchanges the code itself is signed in with its user, and its secret is not logged', async () => {
    const game = await connect()
    const secret = `sandbox-secret-${APPLICATION}`
    // Libraries send these keys, which are not arguments of AUTHORIZE.
    const more = { client_secret: secret, grant_type: 'authorization_code' }
    const { answer, page, verifier } = await ask(game, { scopes: ['rpc'], ...more })
    await person.visit(await person.decide(page, 'allow'))
    const { code, redirect_uri } = await answer()
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier: verifier,
      client_id: APPLICATION,
      client_secret: secret,
    }
    const swapped = await fetch(daemon.ready.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })
    const { access_token, scope } = (await swapped.json()) as { readonly access_token: string; readonly scope: string }
    expect(scope.split(' ').toSorted()).toEqual(['guilds', 'guilds.channels.read', 'identify', 'rpc'])
    expect(await game.call('AUTHENTICATE', { access_token })).toMatchObject({
      user: { username: expect.any(String) },
      scopes: expect.arrayContaining(['rpc', 'identify']),
    })
    for (const secretText of [secret, access_token]) expect(daemon.output()).not.toContain(secretText)
  })

  test('an ID token without the nonce of the authorization: no tokens are given or kept', { tags: ['2.1-11'] }, async () => {
    const game = await connect()
    const { answer, page, verifier } = await ask(game, { nonce: 'expected' })
    // An intermediary changes the request to the platform.
    await person.visit(await person.decide(page.replace('nonce=expected', 'nonce=forged'), 'allow'))
    const { code, redirect_uri } = await answer()
    const failure = await outcomeOf(game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri }))
    expect(failure).toMatchObject({ code: 5000, message: expect.stringMatching(/invalid_id_token.*nonce/) as string })
    expect(JSON.stringify(failure)).not.toMatch(/access_token|eyJ/)
  })

  // Side by side: devices mostly wait between two polls.
  test.concurrent('another device: a code is shown, entered on the page, and the tokens are kept', async () => {
    const game = await connect(OTHER_APPLICATION)
    const device = await game.call('AUTHORIZE_DEVICE', { scopes: ['identify', 'sdk.social_layer'] })
    expect(device).toMatchObject({ verification_uri: `${daemon.origin}/activate`, expires_in: 300, interval: 5 })
    const waiting = game.call('GET_TOKEN_FROM_DEVICE', { ...EXTERNAL }, { timeoutMs: DEVICE_MS })
    const denied = await game.call('AUTHORIZE_DEVICE', { scopes: ['identify'] })
    const refused = outcomeOf(game.call('GET_TOKEN_FROM_DEVICE', { user_code: denied.user_code }, { timeoutMs: DEVICE_MS }))
    await person.decide(`${device.verification_uri}?user_code=${device.user_code}`, 'allow')
    await person.decide(denied.verification_uri_complete ?? '', 'deny')
    expect(await waiting).toMatchObject({ token_type: 'Bearer', scope: 'identify sdk.social_layer' })
    expect(await refused).toMatchObject({ code: 5000, message: expect.stringContaining('access_denied') as string })
    expect((await game.call('AUTHENTICATE', {})).user.username).toBe('ada')
    // The identity was merged on the way.
    expect(await outcomeOf(game.call('GET_PROVISIONAL_TOKEN', EXTERNAL))).toMatchObject({ data: { platform_code: 530_010 } })
  })

  test.concurrent('login --device does the same from a terminal', async () => {
    const words = ['login', '--device', '--json', '--application', '888000666', '--runtime-dir', at.runtime]
    const shown = Promise.withResolvers<string>()
    const login = sallyport(target, words, { HOME: at.data }, (err) => {
      const code = /enter the code (\S+)/.exec(err)?.[1]
      if (code !== undefined) shown.resolve(code)
    })
    await person.decide(`${daemon.origin}/activate?user_code=${await shown.promise}`, 'allow')
    const { code, out } = await login
    expect([code, JSON.parse(out)]).toMatchObject([0, { application: '888000666', user: { username: 'ada' } }])
  })
})
