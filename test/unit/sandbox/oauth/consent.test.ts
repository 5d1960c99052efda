/** The authorization page: what it shows, what its buttons do, and what it refuses. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, BASE_QUERY, type Harness, pkce, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ autoConsent: false })
})
afterEach(() => harness.close())

const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  )
const landed = (headers: Headers) => Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)

describe('the page', () => {
  it('shows the application, its scopes and the users, and loads nothing', { tags: ['2.1-7'] }, async () => {
    const { status, text, headers } = await harness.authorize({ ...BASE_QUERY, scope: 'identify sdk.social_layer' })
    expect(status).toBe(200)
    expect(text).toContain(`Application ${APPLICATION}`)
    expect(text).toContain('Read the id, name and avatar of the user.')
    expect(text).toContain('lobbies.write')
    for (const name of ['ada', 'grace', 'linus']) expect(text).toContain(`(${name})`)
    expect(text).not.toMatch(/<script|src=|href=|url\(/)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    // Browsers apply form-action to the redirect after the form too.
    expect(policy).toContain("form-action 'self' http://127.0.0.1:5173")
  })

  it('shows the requested bot installation with the names of the guild and its channel', async () => {
    const { json } = await harness.send('GET', '~sandbox/state')
    const guilds = json['guilds'] as { id: string; name: string; channels: { id: string; name: string }[] }[]
    const harbour = guilds.find(({ name }) => name === 'Harbour')
    const general = harbour?.channels.find(({ name }) => name === 'general')
    const { text } = await harness.authorize({
      ...BASE_QUERY,
      scope: 'bot applications.commands',
      integration_type: '0',
      permissions: '2048',
      guild_id: harbour?.id ?? '',
      channel_id: general?.id ?? '',
      disable_guild_select: 'true',
      username: 'Guest',
    })
    for (const words of ['a guild', '2048: SEND_MESSAGES', `Harbour (${harbour?.id}), and no other`, `general (${general?.id})`, 'Guest'])
      expect(text).toContain(words)
  })

  it('preselects the user of login_hint', async () => {
    const { text } = await harness.authorize({ ...BASE_QUERY, login_hint: 'grace' })
    expect(text).toContain(`<option value="${await harness.idOf('grace')}" selected>`)
  })

  it('shows values of the query as text, never as markup', async () => {
    const { text } = await harness.authorize({ ...BASE_QUERY, state: '"><script>alert(1)</script>' })
    expect(text).not.toContain('<script>')
  })
})

describe('the answer', () => {
  it('Allow sends a code for the chosen user, and the state', async () => {
    const shown = await harness.authorize(BASE_QUERY)
    const user_id = await harness.idOf('linus')
    const decided = await harness.form(
      '/oauth2/authorize',
      { ...hiddenFields(shown.text), user_id, decision: 'allow' },
      { origin: harness.sandbox.origin },
    )
    expect(decided.status).toBe(302)
    const { code = '', state } = landed(decided.headers)
    expect(state).toBe('xyz')
    const { json } = await harness.form('/api/oauth2/token', {
      grant_type: 'authorization_code',
      code,
      client_id: APPLICATION,
      client_secret: `sandbox-secret-${APPLICATION}`,
    })
    expect((await harness.send('GET', '/users/@me', { token: String(json['access_token']) })).json['username']).toBe('linus')
  })

  it('Deny sends access_denied and the state', async () => {
    const shown = await harness.authorize(BASE_QUERY)
    const denied = await harness.form('/oauth2/authorize', { ...hiddenFields(shown.text), decision: 'deny' })
    expect(landed(denied.headers)).toMatchObject({ error: 'access_denied', state: 'xyz' })
  })

  it('ignores a form that is forged, changed, expired, or from another page', async () => {
    const { text } = await harness.authorize(BASE_QUERY)
    const fields = { ...hiddenFields(text), user_id: await harness.idOf('ada'), decision: 'allow' }
    const changed = { ...fields, query: String(hiddenFields(text)['query']).replace('identify', 'email') }
    expect((await harness.form('/oauth2/authorize', { ...fields, proof: 'x' })).status).toBe(400)
    expect((await harness.form('/oauth2/authorize', changed)).status).toBe(400)
    expect((await harness.form('/oauth2/authorize', fields, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await harness.form('/oauth2/authorize', { ...fields, user_id: '1' })).status).toBe(400)
    harness.clock.advance(60 * 60_000 + 1)
    expect((await harness.form('/oauth2/authorize', fields)).status).toBe(400)
  })
})

describe('prompt=none', () => {
  it('redirects at once only with an earlier consent of the same scopes', { tags: ['2.1-7'] }, async () => {
    const none = { ...BASE_QUERY, prompt: 'none' }
    expect(landed((await harness.authorize(none)).headers)).toMatchObject({ error: 'consent_required', state: 'xyz' })
    const { text } = await harness.authorize(BASE_QUERY)
    await harness.form('/oauth2/authorize', { ...hiddenFields(text), user_id: await harness.idOf('grace'), decision: 'allow' })
    expect(landed((await harness.authorize(none)).headers)).toHaveProperty('code')
    expect(landed((await harness.authorize({ ...none, scope: 'identify email' })).headers)['error']).toBe('consent_required')
    expect(landed((await harness.authorize({ ...none, login_hint: 'ada' })).headers)['error']).toBe('consent_required')
  })

  it('needs consent again after a revocation', async () => {
    const { text } = await harness.authorize(BASE_QUERY)
    const decided = await harness.form('/oauth2/authorize', {
      ...hiddenFields(text),
      user_id: await harness.idOf('ada'),
      decision: 'allow',
    })
    const { code = '' } = landed(decided.headers)
    const client = { client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }
    const { json } = await harness.form('/api/oauth2/token', { grant_type: 'authorization_code', code, ...client })
    await harness.form('/api/oauth2/token/revoke', { token: String(json['access_token']), ...client })
    expect(landed((await harness.authorize({ ...BASE_QUERY, prompt: 'none' })).headers)['error']).toBe('consent_required')
  })
})

it('is given for the user whom the sandbox was started for', async () => {
  const auto = await startHarness({ autoConsent: true, username: 'grace' })
  expect(auto.sandbox.defaultUser).toMatchObject({ username: 'grace', global_name: 'Grace' })
  const nameOf = async (code: string) => {
    const grant = { grant_type: 'authorization_code', code, client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }
    const { json } = await auto.form('/api/v10/oauth2/token', grant)
    return (await auto.send('GET', '/users/@me', { token: String(json['access_token']) })).json['username']
  }
  expect(await nameOf(await auto.code())).toBe('grace')
  expect(await nameOf(await auto.code({ login_hint: 'linus' }))).toBe('linus')
  await auto.close()
})

it('redirects to a custom scheme with PKCE', async () => {
  const auto = await startHarness({ autoConsent: true })
  const { challenge } = pkce()
  const custom = { ...BASE_QUERY, code_challenge: challenge, code_challenge_method: 'S256', redirect_uri: 'mygame:/authorize/callback' }
  const named = await auto.authorize(custom)
  expect(named.headers.get('location')).toMatch(/^mygame:\/authorize\/callback\?code=.+&state=xyz$/)
  const { redirect_uri: _, ...unnamed } = custom
  expect((await auto.authorize(unnamed)).headers.get('location')).toMatch(new RegExp(`^discord-${APPLICATION}:/authorize/callback\\?code=`))
  await auto.close()
})
