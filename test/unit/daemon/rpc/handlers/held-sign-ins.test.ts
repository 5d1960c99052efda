import type { ConsentChoice } from '#daemon/src/auth/consent/consent-prompts.ts'
import { describe, expect, test } from 'vitest'
import { tokenOf } from '#test/support/tokens.ts'
import { ADA, EXCHANGE, start, TWO } from './signed-in.ts'

const SOCIAL = ['identify', 'sdk.social_layer'] as const
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const HELD = `sallyport-held.${ADA}`
const WIDE = tokenOf(['sdk.social_layer', 'identify'])

/** A user who answers each prompt with yes and a choice. */
function asked(choice: ConsentChoice) {
  const made = start()
  made.consent.decide = async () => choice
  made.tokenEndpoint.scopes = ['sdk.social_layer', 'identify']
  made.platform.replies.set('GET_CURRENT_USER_GUILDS', async () => [])
  return made
}

const without = (...deniedScopes: string[]): ConsentChoice => ({ deniedScopes, lasts: 'kept' })

async function authorized(scopes: readonly string[], choice: ConsentChoice) {
  const made = asked(choice)
  const game = made.join()
  const { data } = await game.ask('AUTHORIZE', { scopes, code_challenge: CHALLENGE, code_challenge_method: 'S256' })
  return { ...made, game, data: data as { readonly code: string; readonly redirect_uri: string } }
}

describe('scopes that the user leaves out when allowing', () => {
  test('are not requested where the platform gives them one by one, and the game gets its own code', async () => {
    const { authorizer, data } = await authorized(['identify', 'guilds', 'email'], without('guilds'))
    expect(authorizer.requests).toMatchObject([{ scopes: ['identify', 'email'], codeChallenge: CHALLENGE }])
    expect(data.code).toBe('code-for-the-game')
  })

  test('are not prompted for again', async () => {
    const { join, consent, tokenEndpoint, game } = await authorized(['identify', 'guilds'], without('guilds'))
    tokenEndpoint.scopes = ['identify']
    await game.ask('GET_TOKEN', EXCHANGE)
    await game.ask('AUTHENTICATE', {})
    expect(consent.requests).toHaveLength(1)
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: ['identify'] } })
    expect(consent.requests).toHaveLength(1)
  })

  test('end with the session if the user allowed it once', async () => {
    const { game, grants } = await authorized(['identify', 'guilds'], { deniedScopes: [], lasts: 'session' })
    await game.ask('GET_TOKEN', EXCHANGE)
    expect(grants.live()).toMatchObject([{ lasts: 'session', deniedScopes: [] }])
  })
})

describe('a game that the user allows a part of an umbrella scope', () => {
  const DENIED = ['guilds', 'dm_channels.messages.read']

  async function signedIn() {
    const made = await authorized(SOCIAL, without(...DENIED))
    const { data: tokens } = await made.game.ask('GET_TOKEN', { ...EXCHANGE, ...made.data })
    return { ...made, tokens: tokens as Record<string, unknown> }
  }

  test('gets no code of the platform, and no token of it', async () => {
    const { authorizer, data, tokens, tokenStore } = await signedIn()
    expect(authorizer.requests).toMatchObject([{ scopes: SOCIAL }])
    expect(authorizer.requests[0]?.codeChallenge).not.toBe(CHALLENGE)
    expect(data.code).toMatch(/^sallyport-held\.[\w-]{32}$/)
    expect(tokens).toMatchObject({ access_token: HELD, refresh_token: HELD })
    expect(String(tokens['scope']).split(' ')).not.toContain('guilds')
    expect(JSON.stringify([data, tokens])).not.toMatch(/code-for-the-game|refresh-for-the-game|opaque/)
    expect(await tokenStore.list()).toHaveLength(1)
  })

  test('signs in with what it got, now and later, and every call lacks what was left out', async () => {
    const { game, join, consent } = await signedIn()
    for (const one of [game, join()]) {
      const { data } = await one.ask('AUTHENTICATE', { access_token: HELD })
      expect(data).toMatchObject({ access_token: HELD, user: { id: ADA } })
      expect(JSON.stringify(data)).not.toContain(WIDE)
      expect(await one.ask('GET_CURRENT_USER_GUILDS', {})).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    }
    expect(await join().ask('AUTHENTICATE', {})).toMatchObject({ evt: null })
    expect(consent.requests).toHaveLength(1)
  })

  test('may have authorized on another of its connections', async () => {
    const { data, join, grants } = await authorized(SOCIAL, without(...DENIED))
    const { data: tokens } = await join().ask('GET_TOKEN', { ...EXCHANGE, ...data })
    expect(String((tokens as Record<string, unknown>)['scope'])).not.toContain('guilds ')
    expect(grants.live()).toMatchObject([{ deniedScopes: DENIED }])
  })

  test('refreshes what it got, until the user signs out', async () => {
    const { game } = await signedIn()
    expect(await game.ask('REFRESH_TOKEN', { refresh_token: HELD })).toMatchObject({ evt: null, data: { access_token: HELD } })
    expect(await game.ask('REVOKE_TOKEN', { token: HELD })).toMatchObject({ evt: null })
    expect(await game.ask('REFRESH_TOKEN', { refresh_token: HELD })).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
  })

  test('revokes at the platform what the daemon holds for it', async () => {
    const { game, tokenEndpoint, tokenStore } = await signedIn()
    await game.ask('REVOKE_TOKEN', { token: HELD })
    expect([tokenEndpoint.revoked, await tokenStore.list()]).toEqual([['refresh-for-the-game'], []])
  })

  test('stays so at its next AUTHORIZE, also when the platform would answer without a page', async () => {
    const { join } = await signedIn()
    const { data } = await join().ask('AUTHORIZE', { scopes: SOCIAL, code_challenge: CHALLENGE, code_challenge_method: 'S256' })
    expect(data).toMatchObject({ code: expect.stringMatching(/^sallyport-held\./) as string })
  })

  test('of the older SDK is signed in without its token', async () => {
    const made = asked(without('activities.read'))
    made.tokenEndpoint.scopes = ['openid', 'sdk.social_layer_presence', 'identify']
    const { data } = await made.join(undefined, {}).ask('AUTHENTICATE', {})
    expect(data).toMatchObject({ access_token: HELD, user: { id: ADA } })
    expect(JSON.stringify(data)).not.toContain('opaque')
  })
})

describe('a narrowed program that gets tokens by another way', () => {
  const DENIED = ['guilds', 'dm_channels.messages.read']

  /** Allowed with its own token first, then narrowed by the user. */
  async function narrowed() {
    const made = await authorized(SOCIAL, without())
    await made.game.ask('GET_TOKEN', EXCHANGE)
    const [grant] = made.grants.live()
    if (grant === undefined) throw new Error('there is no grant')
    made.grants.choose(grant, { deniedScopes: DENIED })
    return made
  }

  const isHeld = ({ data }: { readonly data: unknown }) => {
    expect(data).toMatchObject({ access_token: HELD })
    expect(String((data as Record<string, unknown>)['scope']).split(' ')).not.toContain('guilds')
    expect(JSON.stringify(data)).not.toMatch(/opaque|refresh-for-the-game/)
  }

  test('on another device gets none of the platform', async () => {
    const { game, join, tokenStore } = await narrowed()
    await game.ask('AUTHORIZE_DEVICE', { scopes: SOCIAL })
    isHeld(await game.ask('GET_TOKEN_FROM_DEVICE', {}))
    expect(await tokenStore.list()).toHaveLength(1)
    const later = join()
    expect(await later.ask('AUTHENTICATE', { access_token: HELD })).toMatchObject({ evt: null, data: { user: { id: ADA } } })
    expect(await later.ask('GET_CURRENT_USER_GUILDS', {})).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
  })

  test('on another device does not request what the platform gives one by one', async () => {
    const { game, tokenEndpoint } = await narrowed()
    tokenEndpoint.scopes = ['identify']
    await game.ask('AUTHORIZE_DEVICE', { scopes: ['identify', 'guilds', 'email'] })
    expect(tokenEndpoint.deviceScopes).toEqual(['identify', 'email'])
    expect(await game.ask('GET_TOKEN_FROM_DEVICE', {})).toMatchObject({ data: { access_token: tokenOf(['identify']) } })
  })

  test('gets none for a real one that it refreshes, or exchanges later', async () => {
    const { game } = await narrowed()
    isHeld(await game.ask('REFRESH_TOKEN', { refresh_token: 'refresh-for-the-game' }))
    isHeld(await game.ask('GET_TOKEN', EXCHANGE))
  })

  test('replaces its token by the one of the daemon', async () => {
    const { join } = await narrowed()
    const game = join()
    const { data } = await game.ask('UPDATE_TOKEN', { access_token: HELD })
    expect(data).toMatchObject({ access_token: HELD, user: { id: ADA }, account_state: 'linked' })
    expect(JSON.stringify(data)).not.toContain(WIDE)
    expect(await game.ask('GET_CURRENT_USER_GUILDS', {})).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
  })

  test('hands nothing to another application', async () => {
    const { game, platform } = await narrowed()
    expect(await game.ask('EXCHANGE_CHILD_TOKEN', { parent_token: HELD, child_application_id: '77' })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4006, path: 'parent_token', message: expect.stringContaining('sallyport grants') as string },
    })
    expect(platform.calls.map(({ name }) => name)).not.toContain('REQUEST_CHILD_TOKEN')
  })

  test('a program without a grant cannot use the token of the daemon', async () => {
    const { join, consent } = await narrowed()
    consent.decide = () => Promise.reject(new Error('a prompt'))
    expect(await join(TWO).ask('UPDATE_TOKEN', { access_token: HELD })).toMatchObject({ evt: 'ERROR' })
  })
})

describe('the code of the daemon', () => {
  test.each([
    [
      'is for one exchange',
      async ({ game, data }: Awaited<ReturnType<typeof authorized>>) => {
        await game.ask('GET_TOKEN', { ...EXCHANGE, ...data })
        return game.ask('GET_TOKEN', { ...EXCHANGE, ...data })
      },
    ],
    [
      'needs the verifier of the game',
      async ({ game, data }: Awaited<ReturnType<typeof authorized>>) =>
        game.ask('GET_TOKEN', { ...EXCHANGE, ...data, code_verifier: 'v'.repeat(43) }),
    ],
    [
      'is for the program that authorized',
      async ({ join, data }: Awaited<ReturnType<typeof authorized>>) => join(TWO).ask('GET_TOKEN', { ...EXCHANGE, ...data }),
    ],
  ])('%s', async (_, exchange) => {
    const made = await authorized(SOCIAL, without('guilds'))
    expect(await exchange(made)).toMatchObject({
      evt: 'ERROR',
      data: { code: 5000, message: expect.stringContaining('invalid_grant') as string },
    })
  })

  test('a program without a grant gets nothing for the token of the daemon', async () => {
    const { game, data, join, consent } = await authorized(SOCIAL, without('guilds'))
    await game.ask('GET_TOKEN', { ...EXCHANGE, ...data })
    consent.decide = () => Promise.reject(new Error('a prompt'))
    expect(await join(TWO).ask('AUTHENTICATE', { access_token: HELD })).toMatchObject({ evt: 'ERROR' })
    expect(await join(TWO).ask('REFRESH_TOKEN', { refresh_token: HELD })).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
  })
})
