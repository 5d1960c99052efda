import { expect, test } from 'vitest'
import { secretVariants, containsSecret } from '@sallyport/core/secret-variants'

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
  expect(secretVariants(['1234567', '12345678', ''])).toEqual(['12345678'])
})

test('handles a lone surrogate', () => {
  expect(containsSecret('%EF%BF%BD-half-of-one', secretVariants(['\ud800-half-of-one']))).toBe(true)
})
