import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretVariants, containsSecret } from '@sallyport/core/secret-variants'
import { runs } from '#test/fuzz/runs.ts'

const SECRET = 'my "own" \\ ü\n?'

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify(SECRET)],
  ['in JSON, within JSON, within JSON', JSON.stringify(JSON.stringify(JSON.stringify({ SECRET })))],
  ['in JSON of ASCII', JSON.stringify(SECRET).replace('ü', '\\u00fc')],
  ['in an address', encodeURIComponent(SECRET)],
  [
    'in an address with small digits',
    encodeURIComponent(SECRET).replaceAll('%C3%BC', '%c3%bc').replaceAll('%5C', '%5c').replaceAll('%0A', '%0a').replaceAll('%3F', '%3f'),
  ],
  ['in a form', new URLSearchParams({ a: SECRET }).toString()],
])('a secret is found %s', (_, text) => {
  expect(containsSecret(`before ${text} after`, secretVariants(['another-secret', SECRET]))).toBe(true)
  expect(containsSecret(`before ${text.replaceAll('own', '')} after`, secretVariants(['another-secret', SECRET]))).toBe(false)
})

test('ignores short texts', () => {
  const secrets = secretVariants(['1234567', '12345678', ''])
  expect(['', '1234567', 'in 12345678 it'].map((text) => containsSecret(text, secrets))).toEqual([false, false, true])
})

test('handles a lone surrogate', () => {
  expect(containsSecret('%EF%BF%BD-half-of-one', secretVariants(['\ud800-half-of-one']))).toBe(true)
})

test('of overlapping secrets, each is found', () => {
  const secrets = secretVariants(['abcabcabd', 'bcabcabc', 'cabdxyzzy'])
  expect(['abcabcabcabd', 'xbcabcabcx', 'abcabdxyzzy'].map((text) => containsSecret(text, secrets))).toEqual([true, true, true])
  expect(['abcabcab', 'bcabcab', 'abdxyzzy'].map((text) => containsSecret(text, secrets))).toEqual([false, false, false])
})

test('the search agrees with a plain one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 12 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), text, (secrets, where) => {
      expect(containsSecret(where, secretVariants(secrets))).toBe(secrets.some((secret) => where.includes(secret)))
    }),
    runs(100),
  )
})

test('with more secrets than are searched for, every text counts as one', () => {
  const many = Array.from({ length: 2000 }, (_, index) => `secret-number-${index}-${'x'.repeat(20)}`)
  expect(containsSecret('no secret', secretVariants(many))).toBe(true)
})
