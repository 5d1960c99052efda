import { BUDGETS } from '@sallyport/core/budgets'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { createTokenEndpoint } from '#daemon/src/auth/oauth/token-endpoint.ts'
import type { WebSend } from '#daemon/src/auth/oauth/web.ts'
import { Secret } from '@sallyport/core/secret'
import { errorFromCodedReply } from '#daemon/src/platform/api/failure.ts'
import { createHttpSend } from '#daemon/src/platform/api/http.ts'

const never = new AbortController().signal
/** What these tests do not look at. */
const PROFILE = { baseUrl: 'https://p.example/api', authorizeUrl: 'https://p.example/oauth2/authorize' }
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const exchange = {
  applicationId: '123',
  code: new Secret('the-code'),
  codeVerifier: new Secret(VERIFIER),
  redirectUri: 'http://127.0.0.1:5/callback',
}

interface Asked {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly form: Record<string, string>
}
interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** A token server with configured responses, and the endpoint that uses it over real HTTP. */
async function world(answer: Answer | undefined) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked.push({ path: request.url, headers: request.headers, form: Object.fromEntries(new URLSearchParams(body)) })
      if (answer === undefined) return request.socket.destroy()
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/api/oauth2/token`
  const http = createHttpSend()
  open.push(
    () => new Promise((done) => server.close(done)),
    () => http.close(),
  )
  return {
    endpoint: createTokenEndpoint({
      profile: {
        ...PROFILE,
        baseUrl: base.slice(0, -'/oauth2/token'.length),
        tokenUrl: base,
        revokeUrl: `${base}/revoke`,
        userAgent: 'Agent',
      },
      send: http.send,
      platformRefusal: (reply, secrets) => errorFromCodedReply(reply, 0, secrets),
      nonces: { of: () => undefined },
    }),
    asked,
  }
}

const GRANT = {
  access_token: 'the-access',
  token_type: 'Bearer',
  expires_in: 604800,
  refresh_token: 'the-refresh',
  scope: 'openid identify',
}

describe('createTokenEndpoint', () => {
  it('exchanges a code as a public client with its proof key', { tags: ['5-2', '5-21'] }, async () => {
    const { endpoint, asked } = await world({ body: GRANT })
    const grant = await endpoint.exchange(exchange, never)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      path: '/api/oauth2/token',
      headers: { 'content-type': expect.stringContaining('application/x-www-form-urlencoded') as string, 'user-agent': 'Agent' },
    })
    expect(asked[0]?.headers).not.toHaveProperty('authorization')
    expect(asked[0]?.form).toEqual({
      grant_type: 'authorization_code',
      client_id: '123',
      code: 'the-code',
      code_verifier: VERIFIER,
      redirect_uri: 'http://127.0.0.1:5/callback',
    })
    expect(grant.accessToken.reveal()).toBe('the-access')
    expect(grant.refreshToken?.reveal()).toBe('the-refresh')
    expect(grant).toMatchObject({ scopes: ['openid', 'identify'], expiresIn: 604800 })
    expect(inspect(grant, { depth: 9 })).not.toMatch(/the-access|the-refresh/)
  })

  it('merges a provisional account with the exchange', async () => {
    const { endpoint, asked } = await world({ body: GRANT })
    await endpoint.exchange({ ...exchange, merge: { type: 'OIDC', token: new Secret('the-external') } }, never)
    expect(asked[0]?.form).toMatchObject({ code: 'the-code', external_auth_type: 'OIDC', external_auth_token: 'the-external' })
  })

  it.each([
    [400, 530014, 'OAUTH2_ERROR'],
    [400, 530016, 'OAUTH2_ERROR'],
    [400, 530017, 'OAUTH2_ERROR'],
    [400, 530023, 'OAUTH2_ERROR'],
    [403, 50025, 'INVALID_TOKEN'],
  ])('returns why a merge is refused: HTTP %i with platform code %i', async (status, code, error) => {
    const { endpoint } = await world({ status, body: { code, message: 'not the-external-token' } })
    const merge = { type: 'OIDC', token: new Secret('the-external-token') }
    const failure: unknown = await endpoint.exchange({ ...exchange, merge }, never).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ error, detail: { http_status: status, platform_code: code } })
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain('the-external-token')
  })

  it('withholds an OAuth error description that repeats what was sent, and keeps its name', async () => {
    const { endpoint } = await world({ status: 400, body: { error: 'invalid_grant', error_description: 'no the-refresh-token' } })
    await expect(endpoint.refresh({ applicationId: '1', refreshToken: new Secret('the-refresh-token') }, never)).rejects.toMatchObject({
      oauth: 'invalid_grant',
      message: 'OAuth2 Error: invalid_grant: [withheld]',
    })
  })

  it('refreshes', async () => {
    const { endpoint, asked } = await world({ body: { access_token: 'a2', token_type: 'Bearer', expires_in: 60 } })
    const grant = await endpoint.refresh({ applicationId: '123', refreshToken: new Secret('old') }, never)
    expect(asked[0]?.form).toEqual({ grant_type: 'refresh_token', client_id: '123', refresh_token: 'old' })
    expect(grant).toMatchObject({ expiresIn: 60, scopes: [] })
    expect(grant).not.toHaveProperty('refreshToken')
  })

  it('bounds what a platform says of times, so that no sign-in waits for ever', async () => {
    const body = { device_code: 'd', user_code: 'A', verification_uri: 'https://p.example/a', expires_in: 1e300, interval: 3_000_000 }
    const { endpoint } = await world({ body })
    const hour = BUDGETS.platformWaitMs.value / 1000
    expect(await endpoint.authorizeDevice({ applicationId: '123', scopes: ['openid'] }, never)).toMatchObject({
      expiresIn: hour,
      interval: hour,
    })
    const limited = await world({ status: 429, headers: { 'retry-after': '1e300' } })
    await expect(limited.endpoint.exchange(exchange, never)).rejects.toMatchObject({ detail: { retry_after: hour } })
  })

  it('opens a sign-in on another device, and asks about it', async () => {
    const opened = await world({
      body: { device_code: 'the-device-code', user_code: 'ABCD', verification_uri: 'https://p.example/activate', expires_in: 300 },
    })
    const device = await opened.endpoint.authorizeDevice({ applicationId: '123', scopes: ['openid', 'identify'] }, never)
    expect(opened.asked[0]).toMatchObject({
      path: '/api/oauth2/device/authorize',
      form: { client_id: '123', scope: 'openid identify' },
    })
    expect(device).toMatchObject({ userCode: 'ABCD', expiresIn: 300, interval: 5, verificationUriComplete: undefined })
    expect(inspect(device, { depth: 9 })).not.toContain('the-device-code')

    const { endpoint, asked } = await world({ body: GRANT })
    const request = { applicationId: '123', deviceCode: device.deviceCode, merge: { type: 'OIDC', token: new Secret('the-external') } }
    expect((await endpoint.exchangeDevice(request, never)).accessToken.reveal()).toBe('the-access')
    expect(asked[0]?.form).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: '123',
      device_code: 'the-device-code',
      external_auth_type: 'OIDC',
      external_auth_token: 'the-external',
    })
  })

  it.each(['authorization_pending', 'slow_down', 'access_denied', 'expired_token'])('rejects with %s of a device code', async (error) => {
    const { endpoint } = await world({ status: 400, body: { error } })
    await expect(endpoint.exchangeDevice({ applicationId: '1', deviceCode: new Secret('x') }, never)).rejects.toMatchObject({
      oauth: error,
    })
  })

  it('revokes', { tags: ['5-22'] }, async () => {
    const { endpoint, asked } = await world({ body: {} })
    await endpoint.revoke({ applicationId: '123', token: new Secret('the-token') }, never)
    expect(asked[0]).toMatchObject({ path: '/api/oauth2/token/revoke', form: { client_id: '123', token: 'the-token' } })
  })

  it('has the OAuth error as text and as a field', async () => {
    const { endpoint } = await world({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request.' },
    })
    await expect(endpoint.refresh({ applicationId: '1', refreshToken: new Secret('x') }, never)).rejects.toMatchObject({
      error: 'OAUTH2_ERROR',
      oauth: 'invalid_grant',
      message: 'OAuth2 Error: invalid_grant: Invalid "refresh_token" in request.',
      detail: { http_status: 400 },
    })
  })

  it('distinguishes a client that must authenticate', async () => {
    const { endpoint } = await world({ status: 401, body: { error: 'invalid_client' }, headers: { 'www-authenticate': 'Basic realm="x"' } })
    await expect(endpoint.exchange(exchange, never)).rejects.toMatchObject({ error: 'OAUTH2_ERROR', oauth: 'invalid_client' })
  })

  it.each<[string, Answer | undefined]>([
    ['a page', { body: '<html>the-access</html>', headers: { 'content-type': 'text/html' } }],
    ['half of JSON', { body: '{"access_token":"the-access"' }],
    ['no token', { body: { token_type: 'Bearer', secret: 'the-access' } }],
    ['another kind of token', { body: { access_token: 'the-access', token_type: 'mac' } }],
    ['an error without a name', { status: 400, body: { message: 'the-access' } }],
    ['500', { status: 500, body: { error: 'the-access' } }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['a broken connection', undefined],
  ])('takes %s for the endpoint being away, and keeps nothing of it', { tags: ['5-11'] }, async (_, answer) => {
    const { endpoint } = await world(answer)
    const failure: unknown = await endpoint.exchange(exchange, never).catch((error: unknown) => error)
    expect(failure).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/the-access|the-code|dBjftJeZ4CVP/)
  })

  it('returns the retry time after 429', async () => {
    const { endpoint } = await world({ status: 429, headers: { 'retry-after': '7' } })
    await expect(endpoint.exchange(exchange, never)).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      detail: { http_status: 429, retry_after: 7 },
    })
  })

  it('ends when the caller leaves', async () => {
    const leaving = new AbortController()
    const begun = Promise.withResolvers<void>()
    const send: WebSend = (_, signal) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        begun.resolve()
      })
    const endpoint = createTokenEndpoint({
      profile: { ...PROFILE, tokenUrl: 'https://p.example/t', revokeUrl: 'https://p.example/r', userAgent: 'a' },
      send,
      platformRefusal: () => undefined,
      nonces: { of: () => undefined },
    })
    const outcome = expect(endpoint.exchange(exchange, leaving.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await begun.promise
    leaving.abort()
    await outcome
    await expect(endpoint.exchange(exchange, leaving.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
  })

  it('sends no code over plain HTTP to another machine', async () => {
    let sent = 0
    const send: WebSend = async () => {
      sent += 1
      return { status: 200, headers: {}, body: '{}' }
    }
    const endpoint = createTokenEndpoint({
      profile: { ...PROFILE, tokenUrl: 'http://p.example/t', revokeUrl: 'http://p.example/r', userAgent: 'a' },
      send,
      platformRefusal: () => undefined,
      nonces: { of: () => undefined },
    })
    await expect(endpoint.exchange(exchange, never)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    await expect(endpoint.revoke({ applicationId: '1', token: new Secret('x') }, never)).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
    })
    expect(sent).toBe(0)
  })
})
