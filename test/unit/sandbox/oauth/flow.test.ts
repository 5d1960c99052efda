/** The authorization code flow, refresh, revocation and the other token requests, over HTTP. */
import { createPublicKey, verify, type webcrypto } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, BASE_QUERY, type Harness, OTHER_APPLICATION, pkce, REDIRECT, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const TOKEN = '/api/v10/oauth2/token'
const SECRET = { client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }
const works = async (token: string): Promise<number> => (await harness.send('GET', '/users/@me', { token })).status

describe('code exchange', () => {
  it('gives tokens to a public client with the right verifier', { tags: ['5-2'] }, async () => {
    const { verifier, challenge } = pkce()
    const code = await harness.code({ code_challenge: challenge, code_challenge_method: 'S256' })
    const fields = { grant_type: 'authorization_code', code, client_id: APPLICATION, redirect_uri: REDIRECT }
    const refused = await harness.form(TOKEN, { ...fields, code_verifier: pkce().verifier })
    expect(refused.status).toBe(400)
    expect(refused.json).toEqual({ error: 'invalid_grant', error_description: 'Invalid "code_verifier" in request' })
    const granted = await harness.form(TOKEN, { ...fields, code_verifier: verifier })
    expect(granted.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: expect.any(String),
      scope: 'identify',
    })
    expect(granted.headers.get('cache-control')).toBe('no-store')
    expect(await works(String(granted.json['access_token']))).toBe(200)
  })

  it.each([
    ['without a verifier', {}, 'invalid_grant'],
    ['with another redirect', { redirect_uri: 'http://127.0.0.1:9/other' }, 'invalid_grant'],
    ['by another application', { client_id: OTHER_APPLICATION }, 'invalid_grant'],
  ])('refuses a public client %s', async (_, change, error) => {
    const { verifier, challenge } = pkce()
    const code = await harness.code({ code_challenge: challenge, code_challenge_method: 'S256' })
    const proof: Record<string, string> = Object.keys(change).length === 0 ? {} : { code_verifier: verifier }
    const refused = await harness.form(TOKEN, {
      grant_type: 'authorization_code',
      code,
      client_id: APPLICATION,
      redirect_uri: REDIRECT,
      ...proof,
      ...change,
    })
    expect(refused.json['error']).toBe(error)
  })

  it('refuses a public client whose code was requested without a challenge', { tags: ['2.1-13'] }, async () => {
    const code = await harness.code()
    const refused = await harness.form(TOKEN, { grant_type: 'authorization_code', code, client_id: APPLICATION, redirect_uri: REDIRECT })
    expect([refused.status, refused.json['error']]).toEqual([401, 'invalid_client'])
  })

  it('ignores the redirect_uri of a client with a secret', async () => {
    for (const redirect of [{}, { redirect_uri: 'undefined' }]) {
      const code = await harness.code()
      const granted = await harness.form('/api/oauth2/token', { grant_type: 'authorization_code', code, ...SECRET, ...redirect })
      expect(granted.status).toBe(200)
    }
  })

  it('takes the secret from a Basic header, and refuses a wrong one', async () => {
    const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`${APPLICATION}:${secret}`).toString('base64')}` })
    const fields = { grant_type: 'authorization_code', code: await harness.code() }
    const refused = await harness.form(TOKEN, fields, basic('wrong'))
    expect([refused.status, refused.json['error'], refused.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      'Basic realm="sandbox"',
    ])
    expect((await harness.form(TOKEN, fields, basic(SECRET.client_secret))).status).toBe(200)
  })

  it('needs the verifier from a client with a secret too, when a challenge was given', { tags: ['2.1-13'] }, async () => {
    const { challenge } = pkce()
    const code = await harness.code({ code_challenge: challenge, code_challenge_method: 'S256' })
    expect((await harness.form(TOKEN, { grant_type: 'authorization_code', code, ...SECRET })).json['error']).toBe('invalid_grant')
  })

  it('ends the sign-in when a code comes a second time', async () => {
    const fields = { grant_type: 'authorization_code', code: await harness.code(), ...SECRET }
    const { access_token: token } = (await harness.form(TOKEN, fields)).json as { access_token: string }
    expect(await works(token)).toBe(200)
    const replay = await harness.form(TOKEN, fields)
    expect(replay.json).toEqual({ error: 'invalid_grant', error_description: 'Invalid "code" in request' })
    expect(await works(token)).toBe(401)
  })

  it('forgets a code after ten minutes', async () => {
    const code = await harness.code()
    harness.clock.advance(10 * 60_000)
    expect((await harness.form(TOKEN, { grant_type: 'authorization_code', code, ...SECRET })).json['error']).toBe('invalid_grant')
  })

  it.each([
    [{ grant_type: 'password', ...SECRET }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'constructor', ...SECRET }, 400, 'unsupported_grant_type'],
    [{ ...SECRET }, 400, 'invalid_request'],
    [{ grant_type: 'authorization_code', ...SECRET }, 400, 'invalid_request'],
    [{ grant_type: 'authorization_code', code: 'x', client_id: 'not-an-id' }, 401, 'invalid_client'],
    [{ grant_type: 'refresh_token', refresh_token: 'x', ...SECRET }, 400, 'invalid_grant'],
  ] as [Record<string, string>, number, string][])('answers %o as RFC 6749 says', async (fields, status, error) => {
    const refused = await harness.form(TOKEN, fields)
    expect([refused.status, refused.json['error'], typeof refused.json['error_description']]).toEqual([status, error, 'string'])
  })

  it('refuses a body that is no form, and a parameter given twice', async () => {
    expect((await harness.send('POST', '/oauth2/token', { json: { grant_type: 'refresh_token' } })).json['error']).toBe('invalid_request')
    const twice = await harness.send('POST', '/oauth2/token', {
      raw: 'grant_type=a&grant_type=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(twice.json['error']).toBe('invalid_request')
  })
})

describe('refresh', () => {
  it('rotates: the new tokens work, the old refresh token does not', async () => {
    const first = await harness.signIn('identify guilds')
    const fields = { grant_type: 'refresh_token', refresh_token: first.refresh_token, client_id: APPLICATION }
    const second = await harness.form(TOKEN, fields)
    expect(second.json).toMatchObject({ scope: 'identify guilds', token_type: 'Bearer' })
    expect(await works(String(second.json['access_token']))).toBe(200)
    const again = await harness.form(TOKEN, fields)
    expect([again.status, again.json]).toEqual([400, { error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request' }])
    expect((await harness.form(TOKEN, { ...fields, refresh_token: String(second.json['refresh_token']) })).status).toBe(200)
  })

  it('can request fewer scopes, not more, and restores the rest at the next refresh', async () => {
    const { refresh_token } = await harness.signIn('identify guilds')
    const more = await harness.form(TOKEN, { grant_type: 'refresh_token', refresh_token, scope: 'identify email', client_id: APPLICATION })
    expect(more.json['error']).toBe('invalid_scope')
    const less = await harness.form(TOKEN, { grant_type: 'refresh_token', refresh_token, scope: 'identify', client_id: APPLICATION })
    expect(less.json['scope']).toBe('identify')
    expect((await harness.send('GET', '/users/@me/guilds', { token: String(less.json['access_token']) })).status).toBe(403)
    const next = await harness.form(TOKEN, {
      grant_type: 'refresh_token',
      refresh_token: String(less.json['refresh_token']),
      client_id: APPLICATION,
    })
    expect(next.json['scope']).toBe('identify guilds')
  })

  it('keeps only the last access token before', async () => {
    const tokens = [await harness.signIn('identify')]
    for (let turn = 0; turn < 2; turn++) {
      const { refresh_token } = tokens[turn] ?? { refresh_token: '' }
      tokens.push((await harness.form(TOKEN, { grant_type: 'refresh_token', refresh_token, client_id: APPLICATION })).json as never)
    }
    expect(await Promise.all(tokens.map(({ access_token }) => works(access_token)))).toEqual([401, 200, 200])
  })

  it('works after the access token has expired, which then does not', async () => {
    const { access_token, refresh_token } = await harness.signIn('identify')
    harness.clock.advance(604_800_000)
    expect(await works(access_token)).toBe(401)
    expect((await harness.form(TOKEN, { grant_type: 'refresh_token', refresh_token, client_id: APPLICATION })).status).toBe(200)
  })

  it('is not for other applications', async () => {
    const { refresh_token } = await harness.signIn('identify')
    const refused = await harness.form(TOKEN, { grant_type: 'refresh_token', refresh_token, client_id: OTHER_APPLICATION })
    expect(refused.json['error']).toBe('invalid_grant')
  })
})

describe('revocation', () => {
  it.each(['access_token', 'refresh_token'] as const)(
    'by the %s ends every sign-in of the user and application, and no other',
    async (which) => {
      const [one, two] = [await harness.signIn('identify'), await harness.signIn('identify')]
      const [otherUser, otherApplication] = [
        await harness.signIn('identify', { user: 'grace' }),
        await harness.signIn('identify', { application: OTHER_APPLICATION }),
      ]
      const revoked = await harness.form(`${TOKEN}/revoke`, { token: one[which], client_id: APPLICATION })
      expect([revoked.status, revoked.json]).toEqual([200, {}])
      expect(await Promise.all([one, two, otherUser, otherApplication].map(({ access_token }) => works(access_token)))).toEqual([
        401, 401, 200, 200,
      ])
      const refreshed = await harness.form(TOKEN, { grant_type: 'refresh_token', refresh_token: two.refresh_token, client_id: APPLICATION })
      expect(refreshed.json['error']).toBe('invalid_grant')
    },
  )

  it('of an unknown token is a success, of another application’s token is not', { tags: ['3-12', '5-22'] }, async () => {
    const { access_token } = await harness.signIn('identify')
    expect((await harness.form(`${TOKEN}/revoke`, { token: 'unknown', client_id: APPLICATION })).status).toBe(200)
    const foreign = await harness.form(`${TOKEN}/revoke`, { token: access_token, client_id: OTHER_APPLICATION })
    expect([foreign.status, foreign.json['error']]).toEqual([400, 'unauthorized_client'])
    expect(await works(access_token)).toBe(200)
  })
})

describe('the other token requests', () => {
  it('gives client credentials for a secret, without a refresh token', async () => {
    const refused = await harness.form(TOKEN, { grant_type: 'client_credentials', scope: 'identify', client_id: APPLICATION })
    expect(refused.json['error']).toBe('invalid_client')
    const granted = await harness.form(TOKEN, { grant_type: 'client_credentials', scope: 'identify', ...SECRET })
    expect(granted.json).not.toHaveProperty('refresh_token')
    expect(await works(String(granted.json['access_token']))).toBe(200)
  })

  it('gives RPC tokens, each good for one authorization without a page', async () => {
    const strict = await startHarness({ autoConsent: false })
    const { rpc_token } = (await strict.form(`${TOKEN}/rpc`, SECRET)).json as { rpc_token: string }
    const skipped = await strict.authorize({ ...BASE_QUERY, rpc_token })
    expect([skipped.status, new URL(skipped.headers.get('location') ?? '').searchParams.has('code')]).toEqual([302, true])
    const again = await strict.authorize({ ...BASE_QUERY, rpc_token })
    expect(new URL(again.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_grant')
    expect((await strict.form(`${TOKEN}/rpc`, { client_id: APPLICATION })).json['error']).toBe('invalid_client')
    await strict.close()
  })

  it('gives an ID token for openid that the published keys verify', { tags: ['5-4'] }, async () => {
    const code = await harness.code({ scope: 'openid identify', nonce: 'n-1' })
    const { json } = await harness.form(TOKEN, { grant_type: 'authorization_code', code, ...SECRET })
    const [header = '', claims = '', signature = ''] = String(json['id_token']).split('.')
    const { keys } = (await harness.send('GET', '/oauth2/keys')).json as { keys: (webcrypto.JsonWebKey & { readonly kid: string })[] }
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
    const jwk = keys.find((key) => key.kid === kid) ?? {}
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: harness.sandbox.origin,
      aud: APPLICATION,
      sub: harness.sandbox.defaultUser.id,
      nonce: 'n-1',
      preferred_username: 'ada',
    })
    const info = await harness.send('GET', '/oauth2/userinfo', { token: String(json['access_token']) })
    expect(info.json).toMatchObject({ sub: harness.sandbox.defaultUser.id, preferred_username: 'ada' })
    const { access_token } = await harness.signIn('identify')
    expect((await harness.send('GET', '/oauth2/userinfo', { token: access_token })).json['code']).toBe(50026)
  })

  it('publishes the addresses of all endpoints', async () => {
    const { json } = await harness.send('GET', '~.well-known/openid-configuration')
    expect(json).toMatchObject({ issuer: harness.sandbox.origin, code_challenge_methods_supported: ['S256'] })
    expect((await harness.send('GET', `~${new URL(String(json['jwks_uri'])).pathname.slice(1)}`)).status).toBe(200)
  })
})

it('keeps at most fifty sign-ins of a user and application', async () => {
  const first = await harness.signIn('identify')
  for (let count = 0; count < 50; count++) await harness.signIn('identify')
  expect(await works(first.access_token)).toBe(401)
  const { counts } = (await harness.send('GET', '~sandbox/state')).json as { counts: { grants: number } }
  expect(counts.grants).toBe(50)
})
