/** A large payload that is parsed in parts is the same as one that is parsed at once, for any bytes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ArrayCutter, BATCH_BYTES } from '#daemon/src/platform/gateway/array-cutter.ts'
import { parseLargePayload, type TakerOf } from '#daemon/src/platform/gateway/large-payload.ts'
import { type GatewayPayload, parsePayload } from '#daemon/src/platform/gateway/payload.ts'
import { runs } from '#test/fuzz/runs.ts'

const KEEP_ALL: TakerOf = () => undefined
const SPACES = ' '.repeat(BATCH_BYTES)

/** The payload, and how many steps it took. */
function inParts(bytes: Buffer, takerOf = KEEP_ALL): { readonly payload: GatewayPayload | undefined; readonly steps: number } {
  const parsing = parseLargePayload(bytes, takerOf)
  for (let steps = 1; ; steps++) {
    const step = parsing.next()
    if (step.done === true) return { payload: step.value, steps }
  }
}

/** Parsed in both ways; and what they must both be. */
function expectSame(text: string | Buffer): void {
  const bytes = Buffer.from(text as string)
  expect(inParts(bytes).payload).toEqual(parsePayload(bytes.toString('utf8')))
}

const dispatch = (d: string): string => `{"t":"READY","s":7,"op":0,"d":${d}}`
const user = (id: number) => ({ id: String(id), type: 1, user: { id: String(id), username: `u"{[\\${id}`, global_name: '名前' } })
const users = (count: number) => Array.from({ length: count }, (_, id) => user(id))

describe('a large dispatch', () => {
  test('has its fields in their order, and takes a step for each batch', () => {
    const d = { v: 9, relationships: users(5000), presences: [], guilds: users(2000), session_id: 's' }
    const bytes = Buffer.from(dispatch(JSON.stringify(d)))
    const { payload, steps } = inParts(bytes)
    expect(payload).toEqual({ op: 0, t: 'READY', s: 7, d })
    expect(Object.keys(payload?.d as object)).toEqual(Object.keys(d))
    expect(steps).toBeGreaterThan((2 * bytes.length) / BATCH_BYTES - 5)
  })

  test('gives the elements of an array to what takes them, in order, and nothing else', () => {
    const taken: unknown[] = []
    const takers: unknown[] = []
    const bytes = Buffer.from(dispatch(JSON.stringify({ relationships: users(3000), guilds: users(3000) })))
    const { payload } = inParts(bytes, (t, key) => {
      takers.push([t, key])
      return key === 'guilds' ? undefined : { take: (element) => taken.push(element), result: () => 'taken' }
    })
    expect(takers).toEqual([
      ['READY', 'relationships'],
      ['READY', 'guilds'],
    ])
    expect(taken).toEqual(users(3000))
    expect(payload?.d).toEqual({ relationships: 'taken', guilds: users(3000) })
  })

  test('no batch is much longer than its bound, unless an element is', () => {
    const bytes = Buffer.from(dispatch(JSON.stringify({ a: users(20_000), b: [user(1), 'x'.repeat(3 * BATCH_BYTES), user(2)] })))
    const cutter = new ArrayCutter(bytes)
    while (!cutter.read(1000));
    const [a, b] = cutter.arrays.map(({ batches }) => batches.map(([from, to]) => to - from))
    expect(Math.max(...(a ?? []))).toBeLessThan(BATCH_BYTES + 200)
    expect(b).toHaveLength(2)
  })
})

describe('the same as at once', () => {
  const large = JSON.stringify(users(1000))
  test.each([
    ['a duplicate key, the last small', `{"a":${large},"a":[1]}`],
    ['a duplicate key, the last large', `{"a":[1],"a":${large}}`],
    ['a duplicate key, both large', `{"a":${large},"b":1,"a":${JSON.stringify(users(1500))}}`],
    ['a duplicate key, escaped', `{"a":${large},"\\u0061":5}`],
    ['a key that would set a prototype', `{"__proto__":${large}}`],
    ['a key that would set a prototype, escaped', `{"__pr\\u006fto__":${large}}`],
    ['an empty key', `{"":${large}}`],
    ['a key that is too long', `{"${'k'.repeat(3000)}":${large}}`],
    ['an array in an array', `{"a":[${large},${large}]}`],
    ['an array of numbers, texts and spaces', `{"a":[ 1 , "]}" ,null,${SPACES}"\\\\",${SPACES}"\\"" ]}`],
    ['an array of nothing but spaces', `{"a":[${SPACES}${SPACES}]}`],
    ['an array deeper than d', `{"x":{"a":${large}}}`],
    ['d as an array', large],
    ['d as a text', JSON.stringify(large)],
    ['deep nesting', `{"a":[${'['.repeat(1000)}${']'.repeat(1000)},${large}]}`],
    ['a comma at the end', `{"a":[${large.slice(1, -1)},]}`],
    ['a comma and spaces at the end', `{"a":[${large.slice(1, -1)},${SPACES}]}`],
    ['two commas', `{"a":[${large.slice(1, -1)},,${large.slice(1, -1)}]}`],
    ['a comma at the start', `{"a":[,${large.slice(1, -1)}]}`],
    ['a missing comma', `{"a":[${large.slice(1, -1)} {}]}`],
    ['another closing byte', `{"a":[${large.slice(1, -1)}}}`],
    ['a field in an array', `{"a":[${large.slice(1, -1)},"b":1]}`],
    ['a broken array that a duplicate replaces', `{"a":[${large.slice(1, -1)},],"a":[]}`],
    ['an open text', `{"a":[${large.slice(1, -1)},"]}}`],
    ['no end', `{"a":[${large.slice(1, -1)}`],
    ['a control byte in a text', `{"a":[${large.slice(1, -1)},"\u0001"]}`],
    ['a byte order mark in an array', `{"a":[${large.slice(1, -1)},\uFEFF1]}`],
  ])('%s', (_name, d) => expectSame(dispatch(d)))

  test.each([
    ['a duplicate of d', `{"op":0,"d":{"a":${large}},"d":{"b":1}}`],
    ['a duplicate of d, large twice', `{"op":0,"d":{"a":${large}},"d":{"a":${large}}}`],
    ['a duplicate of d that is a text', `{"op":0,"d":{"a":${large}},"d":"a"}`],
    ['the operation after d', `{"d":{"a":${large}},"s":1,"op":0}`],
    ['no operation', `{"d":{"a":${large}}}`],
    ['another field like d', `{"op":0,"x":{"a":${large}},"d":{}}`],
    ['something after it', `{"op":0,"d":{"a":${large}}} {}`],
    ['a list around it', `[{"op":0,"d":{"a":${large}}}]`],
    ['closing bytes before it', `]}{"op":0,"d":{"a":${large}}}`],
    ['nothing', ''],
  ])('%s', (_name, text) => expectSame(text))

  test('with bytes that are not UTF-8, in texts and between elements', () => {
    const text = Buffer.from(dispatch(`{"a":[${large.slice(1, -1)},"xx",1,${large.slice(1, -1)}]}`))
    const at = text.indexOf('"xx"') + 1
    for (const bytes of [
      [0xff, 0xc0],
      [0xe2, 0x82],
      [0xf0, 0x9f],
    ]) {
      const broken = Buffer.from(text)
      broken.set(bytes, at)
      expectSame(broken)
      broken.set([0x31, 0x31], at)
      broken.set(bytes, at + 3)
      expectSame(broken)
    }
  })

  test('for any JSON between the elements of large arrays', () => {
    const value = fc.jsonValue({ maxDepth: 5, noUnicodeString: false })
    const field = fc.tuple(
      fc.oneof(fc.constantFrom('a', 'b', 'd', '__proto__'), fc.string()),
      fc.array(value, { maxLength: 4 }),
      fc.boolean(),
    )
    fc.assert(
      fc.property(fc.array(field, { maxLength: 5 }), fc.boolean(), (fields, isSpaced) => {
        const parts = fields.map(([key, elements, isLarge]) => {
          const texts = [
            ...elements.map((one) => JSON.stringify(one, null, isSpaced ? 1 : 0)),
            ...(isLarge ? [`"${'x'.repeat(BATCH_BYTES)}"`] : []),
          ]
          return `${JSON.stringify(key)}:[${[...texts, ...texts].join(',')}]`
        })
        expectSame(dispatch(`{${parts.join(',')}}`))
      }),
      runs(200),
    )
  })

  test('for any damage to its bytes', () => {
    const whole = Buffer.from(dispatch(`{"a":${large},"b":[1,"\\"]"],"c":${large}}`))
    const interesting = fc.constantFrom(...Buffer.from('{}[],:"\\ 0du\n'), 0xff)
    const damage = fc.tuple(fc.nat(whole.length - 1), interesting)
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        const bytes = Buffer.from(whole)
        for (const [at, byte] of damages) bytes[at] = byte
        expectSame(bytes)
      }),
      runs(300),
    )
  })

  test('wherever reading pauses', () => {
    const bytes = Buffer.from(dispatch(`{"a":${JSON.stringify([...users(1500), '\\"]', 'é'])},"b":[]}`))
    const read = (count: number) => {
      const cutter = new ArrayCutter(bytes)
      while (!cutter.read(count));
      return { arrays: cutter.arrays, rest: cutter.rest }
    }
    const atOnce = read(bytes.length)
    expect(atOnce.arrays).toHaveLength(1)
    for (const count of [1, 2, 3, 7, 1000]) expect(read(count)).toEqual(atOnce)
  })
})
