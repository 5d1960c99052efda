import { SECRET_NAMES } from '@sallyport/core/secret-names'
import { REDACTED, redacted } from '@sallyport/core/redacted'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runs } from '#test/fuzz/runs.ts'

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

test('secrets in addresses and in authorization values are removed, the rest of the text stays', { tags: ['5-12'] }, () => {
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

test('one level alone is redacted as it is inside of another one', () => {
  const level = fc.dictionary(
    fc.constantFrom('token', 'code', 'url', 'text', '__proto__'),
    fc.oneof(fc.constantFrom(SECRET, 'https://x.example/?code=abc', `Bearer ${SECRET}`, '', 4006, null, undefined, true), fc.string()),
    { noNullPrototype: true },
  )
  // As text, because an own `__proto__` counts too.
  const inside = (data: object): string => JSON.stringify((redacted({ data }) as { data: unknown }).data)
  fc.assert(
    fc.property(level, (data) => {
      expect(JSON.stringify(redacted(data))).toBe(inside(data))
    }),
    runs(100),
  )
  const named = JSON.parse('{ "__proto__": "kept" }') as object
  expect(JSON.stringify(redacted(named))).toBe('{"__proto__":"kept"}')
})

test('a redacted copy stays as it is', () => {
  const value = fc.object({
    key: fc.constantFrom('token', 'content', 'url', 'code'),
    values: [
      fc.constantFrom('planted-secret-1', 'x?code=abcdefgh&y=1', 'Bearer abcdefghijklmnopqrstuvwx', '[redacted]', 'a [redacted] b'),
      fc.integer(),
    ],
  })
  fc.assert(
    fc.property(value, (data) => {
      const once = redacted(data)
      expect(redacted(once)).toEqual(once)
    }),
    runs(100),
  )
})

describe('the work is linear in the frame, for', () => {
  const KIB = 1024
  /** Data whose JSON has about so many bytes. */
  const SHAPES: readonly (readonly [string, (bytes: number) => unknown])[] = [
    [
      'as many secrets as texts',
      (bytes) => Array.from({ length: bytes / 64 }, (_, at) => ({ token: `secret-${at}-secret`, text: `text-number-${at}` })),
    ],
    [
      'a secret that repeats in the texts almost to its end',
      (bytes) => ({ token: `${'a'.repeat(bytes / 64)}b`, texts: Array.from({ length: 48 }, () => 'a'.repeat(bytes / 64)) }),
    ],
    ['few secrets and one long text', (bytes) => ({ token: 'abababababababac', text: 'ab'.repeat(bytes / 2) })],
    [
      'names',
      (bytes) => ({
        token: 'abababababababac',
        ...Object.fromEntries(Array.from({ length: bytes / 32 }, (_, at) => [`name-${at}-abababab`, at])),
      }),
    ],
    ['levels', (bytes) => JSON.parse(`${'[{"a":'.repeat(bytes / 8)}"x"${'}]'.repeat(bytes / 8)}`)],
    ['what looks like parameters', (bytes) => ['?a=&'.repeat(bytes / 4), 'a'.repeat(bytes / 4), 'Bot '.repeat(bytes / 4)]],
  ]

  /** Steps of the search for secrets, and values that are visited. */
  function workOf(data: unknown): number {
    const steps = vi.spyOn(Map.prototype, 'get')
    const levels = vi.spyOn(Object, 'entries')
    try {
      redacted(data)
      const visited = levels.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0)
      return steps.mock.calls.length + visited
    } finally {
      steps.mockRestore()
      levels.mockRestore()
    }
  }

  test.each(SHAPES)('%s', (_, ofSize) => {
    const [small, large] = [64, 1024].map((kib) => workOf(ofSize(kib * KIB)))
    expect(large).toBeLessThanOrEqual(20 * (small ?? 0) + 100)
    // A few steps for each byte.
    expect(large).toBeLessThan(4 * KIB * KIB)
  })
})
