/** What the bridge checks of the ID token that comes with tokens, before it hands on or keeps any of them. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createTokenEndpoint } from '#daemon/src/auth/oauth/token-endpoint.ts'
import type { WebSend } from '#daemon/src/auth/oauth/web.ts'
import { Secret } from '@sallyport/core/secret'

const never = new AbortController().signal
const ISSUER = 'https://p.example'
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const OTHER_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const now = () => Math.floor(Date.now() / 1000)

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function idToken(claims: object = {}, { key = KEY, header = {} }: { key?: typeof KEY; header?: object } = {}): string {
  const body = { iss: ISSUER, aud: '123', sub: '9', iat: now(), exp: now() + 3600, ...claims }
  const input = `${encoded({ alg: 'RS256', kid: 'k', ...header })}.${encoded(body)}`
  return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`
}

function world(idTokenText: string, { nonce, issuer }: { nonce?: { nonce: string | undefined }; issuer?: string } = {}) {
  const asked: string[] = []
  const send: WebSend = async ({ url }) => {
    asked.push(url)
    const jwk = { ...KEY.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }
    const grant = { access_token: 'the-access', token_type: 'Bearer', refresh_token: 'the-refresh', scope: 'openid', id_token: idTokenText }
    const body = url.endsWith('/keys') ? { keys: [jwk] } : grant
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  }
  const endpoint = createTokenEndpoint({
    profile: {
      baseUrl: `${ISSUER}/api`,
      authorizeUrl: `${ISSUER}/oauth2/authorize`,
      tokenUrl: `${ISSUER}/api/oauth2/token`,
      revokeUrl: `${ISSUER}/api/oauth2/token/revoke`,
      userAgent: 'a',
      ...(issuer === undefined ? {} : { issuer }),
    },
    send,
    platformRefusal: () => undefined,
    nonces: { of: () => nonce },
  })
  const code = {
    applicationId: '123',
    code: new Secret('the-code'),
    codeVerifier: new Secret('v'.repeat(43)),
    redirectUri: 'http://127.0.0.1/',
  }
  return {
    asked,
    grants: {
      code: () => endpoint.exchange(code, never),
      refresh: () => endpoint.refresh({ applicationId: '123', refreshToken: new Secret('old') }, never),
      device: () => endpoint.exchangeDevice({ applicationId: '123', deviceCode: new Secret('d') }, never),
    },
  }
}

const WAYS = ['code', 'refresh', 'device'] as const

describe.each(WAYS)('an ID token that comes with a %s', (way) => {
  it('is handed on when the platform made it for this application', { tags: ['5-4'] }, async () => {
    const token = idToken()
    const { grants, asked } = world(token)
    expect((await grants[way]()).idToken?.reveal()).toBe(token)
    expect(asked).toEqual([`${ISSUER}/api/oauth2/token`, `${ISSUER}/api/oauth2/keys`])
  })

  it.each([
    ['of another issuer', idToken({ iss: 'https://evil.example' }), /issuer/],
    ['for another application', idToken({ aud: '999' }), /another application/],
    ['that is expired', idToken({ exp: now() - 400 }), /expired/],
    ['signed by another key', idToken({}, { key: OTHER_KEY }), /not signed by a key/],
    ['signed by an unknown key', idToken({}, { header: { kid: 'other' } }), /not signed by a key/],
  ])('%s fails the call, and no token is given', async (_, token, sentence) => {
    const failure: unknown = await world(token)
      .grants[way]()
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ error: 'OAUTH2_ERROR', oauth: 'invalid_id_token', message: expect.stringMatching(sentence) as string })
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/the-access|the-refresh|eyJ/)
  })

  it.each([
    [
      'without a signature',
      `${idToken({}, { header: { alg: 'none' } })
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
    ],
    ['that is no token', 'not.a.jwt'],
  ])('%s fails the call', async (_, token) => {
    await expect(world(token).grants[way]()).rejects.toMatchObject({ name: 'BridgeError' })
  })
})

describe('the nonce of an authorization', { tags: ['2.1-11', '5-4'] }, () => {
  it.each([
    ['the same', idToken({ nonce: 'n-1' }), { nonce: 'n-1' }, true],
    ['another', idToken({ nonce: 'n-2' }), { nonce: 'n-1' }, false],
    ['none in the token', idToken(), { nonce: 'n-1' }, false],
    ['one in the token that was never asked for', idToken({ nonce: 'n-2' }), { nonce: undefined }, false],
    ['one of an authorization before a restart', idToken({ nonce: 'n-2' }), undefined, true],
  ])('%s', async (_, token, nonce, isGood) => {
    const { code } = world(token, nonce === undefined ? {} : { nonce }).grants
    if (isGood) expect((await code()).accessToken.reveal()).toBe('the-access')
    else await expect(code()).rejects.toMatchObject({ oauth: 'invalid_id_token', message: expect.stringMatching(/nonce/) as string })
  })
})

it('takes the issuer that the profile names', async () => {
  const token = idToken({ iss: 'https://id.p.example' })
  await expect(world(token).grants.code()).rejects.toMatchObject({ oauth: 'invalid_id_token' })
  expect((await world(token, { issuer: 'https://id.p.example' }).grants.code()).idToken?.reveal()).toBe(token)
})

it('asks for the keys once for several tokens', async () => {
  const { grants, asked } = world(idToken())
  await grants.code()
  await grants.refresh()
  expect(asked.filter((url) => url.endsWith('/keys'))).toHaveLength(1)
})
