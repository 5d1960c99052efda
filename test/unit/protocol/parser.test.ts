import { expect, test } from 'vitest'
import * as z from 'zod'
import { INVALID, parserOf } from '#protocol/src/parser.ts'

/** A schema, and how often it was made. */
function counted() {
  const counts = { made: 0 }
  const make = () => {
    counts.made += 1
    return z.strictObject({ state: z.string().max(2) })
  }
  return { counts, make }
}

test('a schema is made at the first call, once', () => {
  const { counts, make } = counted()
  const parse = parserOf(make)
  expect(counts.made).toBe(0)
  expect(parse({ state: 'ok' })).toMatchObject({ success: true, data: { state: 'ok' } })
  expect(parse({ state: 'long' }).success).toBe(false)
  expect(counts.made).toBe(1)
})

test('with a generated parser, the schema is made to say why a value is refused', () => {
  const { counts, make } = counted()
  const parse = parserOf(make, () => (value) => ((value as { state: string }).state.length <= 2 ? { state: 'checked' } : INVALID))
  expect(parse({ state: 'ok' })).toEqual({ success: true, data: { state: 'checked' } })
  expect(counts.made).toBe(0)
  const refused = parse({ state: 'long' })
  expect(refused.error?.issues[0]).toMatchObject({ code: 'too_big', path: ['state'] })
  expect(counts.made).toBe(1)
})

test('no call compiles anything, so that none of them waits', () => {
  const parse = parserOf(() => z.strictObject({ a: z.string(), b: z.number(), c: z.array(z.string()) }))
  const Original = globalThis.Function
  let compiled = 0
  globalThis.Function = new Proxy(Original, {
    construct(target, words: string[]) {
      compiled += 1
      return new target(...words)
    },
  })
  try {
    for (let call = 0; call < 200; call += 1) parse({ a: 'x', b: call, c: ['y'] })
  } finally {
    globalThis.Function = Original
  }
  expect(compiled).toBe(0)
})
