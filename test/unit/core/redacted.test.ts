import { SECRET_NAMES } from '@sallyport/core/secret-names'
import { REDACTED, redacted } from '@sallyport/core/redacted'
import { expect, test } from 'vitest'

const SECRET = 'ey.this-is-a-secret/0123456789'

test.each(SECRET_NAMES)('a text below %s is removed at any depth, also in camel case', (name) => {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  const copy = redacted({ args: [{ [name]: SECRET }, { [camel]: { deep: [SECRET] } }], kept: 'fine' })
  expect(copy).toEqual({ args: [{ [name]: REDACTED }, { [camel]: { deep: [REDACTED] } }], kept: 'fine' })
})

test('what repeats a secret elsewhere is removed too: as text, as part, encoded, and as a name', () => {
  const text = JSON.stringify(
    redacted({
      data: { access_token: SECRET },
      message: `The token ${SECRET} is unknown.`,
      address: `https://x.example/?q=${encodeURIComponent(SECRET)}`,
      [SECRET]: 1,
    }),
  )
  expect(text).not.toContain('this-is-a-secret')
})

test('secrets in addresses and in authorization values are removed, the rest of the text stays', () => {
  expect(redacted({ url: `my-game:/authorize/callback?code=abc&state=7#access_token=${SECRET}` })).toEqual({
    url: `my-game:/authorize/callback?code=${REDACTED}&state=7#access_token=${REDACTED}`,
  })
  expect(redacted([`sent Bearer ${SECRET} there`])).toEqual([`sent Bearer ${REDACTED} there`])
})

test('codes of errors, other values and the given object stay', () => {
  const data = { code: 4006, message: 'no', list: [1, null, true, ''], token: null }
  expect(redacted(data)).toEqual(data)
  const given = { token: SECRET }
  redacted(given)
  expect(given).toEqual({ token: SECRET })
})

test('a message as deep as a frame allows is cut, and bytes are only counted', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))
  expect(JSON.stringify(redacted(deep))).toContain('too deep')
  expect(redacted({ payload: new Uint8Array(5) })).toEqual({ payload: { bytes: 5 } })
})
