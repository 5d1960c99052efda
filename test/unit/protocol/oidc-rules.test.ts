import { brokenIssuerRule, discoveryProblem, type IdTokenFacts, idTokenFault, ISSUER_RULES, keysOf } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'

const ISSUER = 'https://id.example.com'

describe('an issuer', () => {
  test.each([ISSUER, 'https://example.com/', 'https://example.com/tenant/1', 'https://example.com:8443', 'https://xn--bcher-kva.example'])(
    '%s is valid',
    (issuer) => expect(brokenIssuerRule(issuer)).toBeUndefined(),
  )

  const broken: readonly (readonly [string, string])[] = [
    ['http://id.example.com', 'https'],
    ['ftp://id.example.com', 'https'],
    ['https://user:secret@id.example.com', 'no-credentials'],
    ['https://@id.example.com', 'no-credentials'],
    ['https://id.example.com?', 'no-query'],
    ['https://id.example.com/a?tenant=1', 'no-query'],
    ['https://id.example.com/#top', 'no-fragment'],
    ['https://192.168.0.1', 'no-address'],
    ['https://1.2.3.0x7f', 'no-address'],
    ['https://2130706433', 'no-address'],
    ['https://[::1]:8443', 'no-address'],
    ['https://-id.example.com', 'host-name'],
    ['https://id_1.example.com', 'host-name'],
    ['https://id.example.com.', 'host-name'],
    ['https:///path', 'host-name'],
    ['https://intranet', 'two-labels'],
    ['https://printer.local', 'public-name'],
    ['https://1.0.0.127.in-addr.arpa', 'public-name'],
    ['https://vault.INTERNAL', 'public-name'],
    ['https://a.localhost', 'public-name'],
    ['https://id.example.com:0', 'port'],
    ['https://id.example.com:65536', 'port'],
    ['https://id.example.com:', 'port'],
    ['id.example.com', 'address'],
    ['https://id.example.com\\@evil.example', 'address'],
    ['https://id.exa mple.com', 'address'],
    ['', 'address'],
  ]
  test.each(broken)('%s violates the rule %s', { tags: ['5-28'] }, (issuer, rule) => expect(brokenIssuerRule(issuer)?.name).toBe(rule))

  test('has a violation of every rule above', { tags: ['5-28'] }, () => {
    const shown = new Set(broken.map(([, rule]) => rule))
    expect(ISSUER_RULES.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
  })
})

describe('a discovery document', () => {
  const good = { issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, id_token_signing_alg_values_supported: ['HS256', 'ES256'] }
  test('that follows the rules is valid', { tags: ['5-29'] }, () =>
    expect(discoveryProblem({ status: 200, body: good }, ISSUER)).toBeUndefined(),
  )
  test.each([
    [302, good, 'is a redirect'],
    [404, good, 'returns status 404'],
    [200, 'text', 'no JSON object'],
    [200, { ...good, issuer: 'https://evil.example' }, 'another issuer'],
    [200, { ...good, jwks_uri: undefined }, 'jwks_uri'],
    [200, { ...good, jwks_uri: 'http://id.example.com/keys' }, 'https'],
    [200, { ...good, jwks_uri: 'https://10.0.0.1/keys' }, 'IP address'],
    [200, { ...good, id_token_signing_alg_values_supported: ['HS256', 'none'] }, 'RS256'],
    [200, { ...good, id_token_signing_alg_values_supported: undefined }, 'RS256'],
  ])('with status %i and %j is invalid', { tags: ['5-29'] }, (status, body, words) =>
    expect(discoveryProblem({ status, body }, ISSUER)).toContain(words),
  )
})

test('a key set is a JSON object with keys, returned without a redirect', { tags: ['5-30'] }, () => {
  expect(keysOf({ status: 200, body: { keys: [{ kid: '1' }, 'odd'] } })).toEqual([{ kid: '1' }])
  for (const reply of [
    { status: 302, body: { keys: [] } },
    { status: 200, body: [] },
    { status: 200, body: {} },
  ])
    expect(keysOf(reply)).toBeUndefined()
})

describe('an ID token', () => {
  const now = 1_800_000_000
  const claims = { iss: ISSUER, aud: 'game', sub: 'u1', iat: now - 10, exp: now + 10 }
  const facts: IdTokenFacts = { header: { alg: 'RS256', kid: 'k' }, claims, issuer: ISSUER, audience: 'game', now }
  test('that follows the rules has no fault', () => {
    expect(idTokenFault(facts)).toBeUndefined()
    expect(idTokenFault({ ...facts, claims: { ...claims, aud: ['other', 'game'] } })).toBeUndefined()
    expect(idTokenFault({ ...facts, claims: { ...claims, iat: now - 7 * 86_400 } })).toBeUndefined()
  })
  test.each([
    [{ header: { kid: 'k', alg: 'HS256' } }, 'malformed'],
    [{ header: { kid: 'k', alg: 'none' } }, 'malformed'],
    [{ header: { alg: 'ES512' } }, 'noKeyId'],
    [{ claims: { ...claims, sub: undefined } }, 'malformed'],
    [{ claims: { ...claims, exp: undefined } }, 'malformed'],
    [{ claims: { ...claims, iat: 'today' } }, 'malformed'],
    [{ claims: { ...claims, iat: now + 3600 } }, 'malformed'],
    [{ claims: { ...claims, iss: `${ISSUER}/` } }, 'issuer'],
    [{ claims: { ...claims, aud: 'other' } }, 'audience'],
    [{ claims: { ...claims, exp: now - 61 } }, 'expired'],
    [{ claims: { ...claims, iat: now - 7 * 86_400 - 1 } }, 'tooOld'],
  ] as const)('with %j has the fault %s', (change, fault) => expect(idTokenFault({ ...facts, ...change })).toBe(fault))
})
