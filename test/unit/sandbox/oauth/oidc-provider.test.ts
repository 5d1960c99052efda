/** ID tokens of an application's own OpenID Connect provider, from its configuration to a provisional account. */
import { generateKeyPairSync, type KeyObject, type SignKeyObjectInput, sign, constants } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, START, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const ISSUER = 'https://id.example.com'
const NOW = START / 1000
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })

const SETTINGS = {
  application_id: APPLICATION,
  issuer: ISSUER,
  audience: 'the-game',
  discovery: { body: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, id_token_signing_alg_values_supported: ['RS256'] } },
  keys: { body: { keys: [jwk(RSA.publicKey, 'rsa'), jwk(EC.publicKey, 'ec')] } },
}
const configure = (change: object = {}) => harness.send('POST', '~sandbox/oidc', { json: { ...SETTINGS, ...change } })

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const SIGNERS: Readonly<Record<string, { readonly kid: string; readonly input: SignKeyObjectInput }>> = {
  RS256: { kid: 'rsa', input: { key: RSA.privateKey } },
  PS256: { kid: 'rsa', input: { key: RSA.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  ES256: { kid: 'ec', input: { key: EC.privateKey, dsaEncoding: 'ieee-p1363' } },
}
function idToken(claims: object = {}, header: object = {}, algorithm = 'RS256'): string {
  const signer = SIGNERS[algorithm] ?? { kid: '', input: { key: RSA.privateKey } }
  const body = { iss: ISSUER, aud: 'the-game', sub: 'player-1', iat: NOW, exp: NOW + 3600, ...claims }
  const input = `${encoded({ alg: algorithm, kid: signer.kid, ...header })}.${encoded(body)}`
  return `${input}.${sign('sha256', Buffer.from(input), signer.input).toString('base64url')}`
}
const provisional = (external_auth_token: string) =>
  harness.send('POST', '/partner-sdk/token', { json: { client_id: APPLICATION, external_auth_type: 'OIDC', external_auth_token } })

describe('a configuration', () => {
  it.each([
    [{ issuer: 'http://id.example.com' }, 'issuer', 'HTTPS'],
    [{ issuer: 'https://127.0.0.1' }, 'issuer', 'NO_ADDRESS'],
    [{ issuer: 'https://id.internal' }, 'issuer', 'PUBLIC_NAME'],
    [{ discovery: { ...SETTINGS.discovery, status: 302 } }, 'discovery', 'DISCOVERY'],
    [{ discovery: { body: { ...SETTINGS.discovery.body, issuer: 'https://evil.example' } } }, 'discovery', 'DISCOVERY'],
  ])('with %j is refused at %s', { tags: ['5-28', '5-29'] }, async (change, field, code) => {
    const { status, json } = await configure(change)
    expect([status, json]).toMatchObject([400, { code: 50035, errors: { [field]: { _errors: [{ code }] } } }])
    expect((await provisional(idToken())).json['code']).toBe(530008)
  })

  it('that is changed is checked like a new one, and stays as it was when the change is refused', { tags: ['5-31'] }, async () => {
    expect((await configure()).status).toBe(204)
    for (const change of [{ issuer: 'https://id.internal' }, { audience: 'other', discovery: { ...SETTINGS.discovery, status: 302 } }])
      expect((await configure(change)).json['code']).toBe(50035)
    expect((await provisional(idToken())).status).toBe(200)
    expect((await configure({ audience: 'other' })).status).toBe(204)
    expect((await provisional(idToken())).json['code']).toBe(530003)
  })
})

describe('an ID token', () => {
  it.each(['RS256', 'PS256', 'ES256'])('signed by %s makes a provisional account, the same each time', async (algorithm) => {
    expect((await configure()).status).toBe(204)
    const users = await Promise.all(
      [idToken({}, {}, algorithm), idToken({ aud: ['x', 'the-game'] }, {}, algorithm)].map(async (token) => {
        const { status, json } = await provisional(token)
        expect(status).toBe(200)
        return (await harness.send('GET', '/users/@me', { token: String(json['access_token']) })).json['id']
      }),
    )
    expect(users[0]).toBe(users[1])
  })

  it.each([
    ['expired', idToken({ exp: NOW - 100 }), 530001],
    ['of another issuer', idToken({ iss: 'https://evil.example' }), 530002],
    ['for another audience', idToken({ aud: 'other' }), 530003],
    ['more than a week old', idToken({ iat: NOW - 8 * 86_400 }), 530004],
    ['of a key that is not in the set', idToken({}, { kid: 'other' }), 530009],
    ['with an algorithm that is not allowed', idToken({}, { alg: 'HS256' }), 530020],
    ['signed by another kind of key', idToken({}, { kid: 'ec' }), 530020],
    [
      'changed after it was signed',
      idToken().replace(/\.[^.]+\./, `.${encoded({ iss: ISSUER, aud: 'the-game', sub: 'x', iat: NOW, exp: NOW + 9 })}.`),
      530020,
    ],
    ['that is no JSON', 'a.b.c', 530020],
    ['without kid', idToken({}, { kid: undefined }), 530027],
  ])('%s is refused', async (_, token, code) => {
    await configure()
    const { status, json } = await provisional(token)
    expect([status, json['code']]).toEqual([400, code])
  })

  it('is refused where the key set redirects or is none', { tags: ['5-30'] }, async () => {
    for (const keys of [{ ...SETTINGS.keys, status: 302 }, { body: 'none' }]) {
      await configure({ keys })
      expect((await provisional(idToken())).json['code']).toBe(530009)
    }
  })

  it('is refused where no provider is set, and the tokens of the sandbox work beside one', async () => {
    expect((await provisional(idToken())).json['code']).toBe(530008)
    await configure()
    expect((await provisional('sandbox-external-a.b.c')).status).toBe(200)
  })
})
