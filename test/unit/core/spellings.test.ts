import { expect, test } from 'vitest'
import { guarded, repeats } from '@sallyport/core/spellings'

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
  expect(repeats(`before ${text} after`, guarded(['another-secret', SECRET]))).toBe(true)
  expect(repeats(`before ${text.replaceAll('own', '')} after`, guarded(['another-secret', SECRET]))).toBe(false)
})

test('what is too short to be one is not guarded', () => {
  expect(guarded(['1234567', '12345678', ''])).toEqual(['12345678'])
})

test('half a character is no obstacle', () => {
  expect(repeats('%EF%BF%BD-half-of-one', guarded(['\ud800-half-of-one']))).toBe(true)
})
