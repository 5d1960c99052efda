/** Public keys of applications in settings. */
import { describe, expect, test } from 'vitest'
import { publicKeys, publicKeysOf } from '#daemon/src/config/public-keys.ts'

const KEY = 'ab'.repeat(32)
const OTHER = '01'.repeat(32)

test.each([
  ['text', `10=${KEY.toUpperCase()}, 11=${OTHER}`],
  ['an object', { '10': KEY, '11': OTHER }],
])('come as %s', (_, given) => {
  const text = publicKeys(given)
  expect(text).toBe(`10=${KEY},11=${OTHER}`)
  expect([...publicKeysOf(text)]).toEqual([
    ['10', KEY],
    ['11', OTHER],
  ])
})

test('may be none at all', () => expect(publicKeysOf(undefined).size).toBe(0))

describe('are refused', () => {
  test.each([
    ['a key that is too short', `10=${KEY.slice(2)}`],
    ['a key that is not hexadecimal', `10=${'zz'.repeat(32)}`],
    ['no key', '10'],
    ['an id that is none', { ship: KEY }],
    ['an empty text', ''],
    ['an empty object', {}],
    ['a list', [KEY]],
    ['something between the pairs', `10=${KEY},,11=${OTHER}`],
  ])('%s', (_, given) => expect(publicKeys(given)).toBeUndefined())
})
