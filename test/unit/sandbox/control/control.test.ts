/** Faults, limits, revocation and the view of the state, over HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
let token: string
beforeEach(async () => {
  harness = await startHarness()
  token = (await harness.signIn('identify guilds sdk.social_layer')).access_token
})
afterEach(() => harness.close())

const me = () => harness.send('GET', '/users/@me', { token })
const fault = (json: object) => harness.send('POST', '~sandbox/faults', { json })
const limit = (json: object) => harness.send('POST', '~sandbox/limits', { json })
const lobbyCount = async () => ((await harness.send('GET', '~sandbox/state')).json as { counts: { lobbies: number } }).counts.lobbies

describe('faults', () => {
  it('answer in place of the operation, as often as asked', async () => {
    expect(
      (await fault({ match: { path: '/users/@me', method: 'get' }, times: 2, status: 503, headers: { 'retry-after': '7' } })).status,
    ).toBe(201)
    const first = await me()
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7'])
    expect((await me()).status).toBe(503)
    expect((await me()).status).toBe(200)
  })

  it('can send any text as body', async () => {
    await fault({ match: { path: '/users/@me' }, status: 200, headers: { 'content-type': 'text/plain' }, body: '{"id": 12' })
    const { status, text } = await me()
    expect([status, text]).toEqual([200, '{"id": 12'])
  })

  it('match prefixes, templates and versioned paths, and nothing else', async () => {
    await fault({ match: { path: '/lobbies/{lobby_id}/messages', method: 'POST' }, status: 500 })
    await fault({ match: { path: '/api/v9/users' }, status: 501 })
    expect((await me()).status).toBe(200)
    expect((await harness.send('GET', '/lobbies/1/messages', { token })).status).toBe(404)
    expect((await harness.send('POST', '/lobbies/1/messages', { token, json: { content: 'x' } })).status).toBe(500)
    expect((await harness.send('GET', '~api/v9/users/@me', { token })).status).toBe(501)
  })

  it('reach the token endpoint too', async () => {
    await fault({ match: { path: '/oauth2/token' }, status: 400, body: '{"error":"invalid_grant"}' })
    expect((await harness.form('/api/v10/oauth2/token', {})).json).toEqual({ error: 'invalid_grant' })
  })

  it('drop before the reply: the operation has happened', async () => {
    await fault({ match: { path: '/lobbies', method: 'PUT' }, drop: 'before-reply' })
    await expect(harness.send('PUT', '/lobbies', { token, json: { secret: 's' } })).rejects.toThrow()
    expect(await lobbyCount()).toBe(1)
  })

  it('drop in the middle of the reply', async () => {
    await fault({ match: { path: '/users/@me' }, drop: 'mid-reply' })
    await expect(me()).rejects.toThrow()
    expect((await me()).status).toBe(200)
  })

  it('delay on the clock, without a timer left behind by a caller that gave up', async () => {
    await fault({ match: { path: '/users/@me' }, times: 2, latency_ms: 5_000 })
    const late = me()
    await expect.poll(() => harness.clock.pending).toBe(1)
    harness.clock.advance(5_000)
    expect((await late).status).toBe(200)
    const gaveUp = new AbortController()
    const aborted = fetch(`${harness.sandbox.profile.baseUrl}/users/@me`, { signal: gaveUp.signal })
    aborted.catch(() => {})
    await expect.poll(() => harness.clock.pending).toBe(1)
    gaveUp.abort()
    await expect.poll(() => harness.clock.pending).toBe(0)
  })

  it('are cleared, counted and bounded; the control interface is spared', async () => {
    await fault({ status: 500, times: 9 })
    expect((await me()).status).toBe(500)
    expect((await harness.send('DELETE', '~sandbox/faults')).status).toBe(204)
    expect((await me()).status).toBe(200)
    for (let count = 0; count < 100; count++) await fault({ status: 500, match: { path: '/nowhere' } })
    expect((await fault({ status: 500 })).status).toBe(400)
  })

  it.each([
    { status: 99 },
    { times: 0 },
    { drop: 'now' },
    { unheard_of: 1 },
    { latency_ms: -1 },
    { headers: { 'x-a': 'b\r\nc: d' } },
    { match: { path: 'users' } },
  ])('refuse %o', async (input) => {
    expect((await fault(input)).json['code']).toBe(50035)
  })
})

describe('limits', () => {
  it('are in the headers of every reply', async () => {
    const { headers } = await me()
    expect(headers.get('x-ratelimit-limit')).toBe('100000')
    expect(headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/)
    const refused = await harness.send('GET', '/users/@me')
    expect(refused.headers.has('x-ratelimit-remaining')).toBe(true)
  })

  it('set low end in 429, and start anew with the window', async () => {
    await limit({ path: '/users/@me', limit: 1, window_ms: 10_000 })
    const first = await me()
    expect([first.status, first.headers.get('x-ratelimit-remaining'), first.headers.get('x-ratelimit-reset-after')]).toEqual([
      200,
      '0',
      '10.000',
    ])
    harness.clock.advance(7_500)
    const second = await me()
    expect(second.status).toBe(429)
    expect(second.json).toEqual({ message: 'You are being rate limited.', code: 0, retry_after: 2.5, global: false })
    expect([second.headers.get('retry-after'), second.headers.get('x-ratelimit-scope')]).toEqual(['3', 'user'])
    const grace = (await harness.signIn('identify', { user: 'grace' })).access_token
    expect((await harness.send('GET', '/users/@me', { token: grace })).status).toBe(200)
    harness.clock.advance(2_500)
    expect((await me()).status).toBe(200)
    await me()
    await harness.send('DELETE', '~sandbox/limits')
    expect((await me()).status).toBe(200)
  })

  it('refuse what makes no sense', async () => {
    expect((await limit({ limit: -1, window_ms: 1 })).status).toBe(400)
    expect((await limit({ limit: 1, window_ms: 0 })).status).toBe(400)
  })
})

describe('revocation', () => {
  const revoke = async (json: object) => (await harness.send('POST', '~sandbox/revoke', { json })).json['revoked']

  it('by user, by application, by token', async () => {
    const others = await Promise.all([
      harness.signIn('identify', { user: 'grace' }),
      harness.signIn('identify', { application: OTHER_APPLICATION }),
    ])
    const alive = () =>
      Promise.all(
        [token, ...others.map((one) => one.access_token)].map(
          async (one) => (await harness.send('GET', '/users/@me', { token: one })).status,
        ),
      )
    expect(await revoke({ user_id: await harness.idOf('grace') })).toBe(1)
    expect(await alive()).toEqual([200, 401, 200])
    expect(await revoke({ application_id: OTHER_APPLICATION })).toBe(1)
    expect(await alive()).toEqual([200, 401, 401])
    expect(await revoke({ token: 'unknown' })).toBe(0)
    expect(await revoke({ token })).toBe(1)
    expect(await alive()).toEqual([401, 401, 401])
  })

  it('needs something named', async () => {
    expect((await harness.send('POST', '~sandbox/revoke', { json: {} })).status).toBe(400)
    expect((await me()).status).toBe(200)
  })
})

describe('a guild', () => {
  const guildsOf = async () => {
    const { access_token: grace } = await harness.signIn('guilds', { user: 'grace' })
    const { json } = await harness.send('GET', '/users/@me/guilds?with_counts=true', { token: grace })
    return (json as unknown as { name: string; approximate_presence_count: number }[]).map(
      ({ name, approximate_presence_count: online }) => [name, online],
    )
  }

  it('takes another name and number of those online, and keeps what is left out', async () => {
    const change = (json: object) => harness.send('POST', '~sandbox/guilds', { json })
    expect((await change({ guild: 'Harbour', name: 'Old Harbour', online_count: 7 })).status).toBe(204)
    expect(await guildsOf()).toContainEqual(['Old Harbour', 7])
    expect((await change({ guild: 'Old Harbour', online_count: 8 })).status).toBe(204)
    expect(await guildsOf()).toContainEqual(['Old Harbour', 8])
    expect((await change({ guild: 'Harbour', name: 'Quay' })).status).toBe(404)
    expect((await change({ guild: 'Old Harbour', online_count: -1 })).status).toBe(400)
  })
})

describe('the view of the state', () => {
  it('shows who uses what, and no secret; neither does the page nor the log', async () => {
    const tokens = await harness.signIn('identify openid sdk.social_layer', { user: 'grace' })
    const code = await harness.code()
    const secret = 'a lobby secret that must stay hidden'
    await harness.send('PUT', '/lobbies', { token: tokens.access_token, json: { secret } })
    await harness.send('GET', `/strayed/${tokens.access_token}`, { token })
    const state = await harness.send('GET', '~sandbox/state')
    const page = await harness.send('GET', '~')
    expect(state.json).toMatchObject({ applications: [{ id: APPLICATION }], counts: { applications: 1, grants: 2, lobbies: 1 } })
    expect(page.text).toContain('Grace (grace)')
    expect(page.text).toContain('PUT /api/v10/lobbies')
    expect(page.text).toContain('http-equiv="refresh"')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const planted = [tokens.access_token, tokens.refresh_token, tokens.id_token ?? '', code, secret, token]
    for (const place of [state.text, page.text, harness.log.join('\n')]) for (const value of planted) expect(place).not.toContain(value)
    expect(harness.log.length).toBeGreaterThan(0)
  })

  it('remembers a bounded number of requests, newest first', async () => {
    for (let count = 0; count < 210; count++) await harness.send('GET', '/users/@me')
    const { requests } = (await harness.send('GET', '~sandbox/state')).json as { requests: { path: string; status: number }[] }
    expect(requests).toHaveLength(200)
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/v10/users/@me', status: 401 })
  })
})
