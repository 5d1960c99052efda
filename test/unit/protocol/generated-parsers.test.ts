/** Generated parsers accept the same values as the schemas of their rows, with the same result, and refuse the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandArgsParser, COMMANDS, type CommandRow } from '@sallyport/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { PARSED } from '#protocol/codegen/emit/parsers.ts'
import { PARSERS } from '#protocol/src/generated/parsers.ts'
import { INVALID, parserOf } from '#protocol/src/parser.ts'
import { runs } from '../../fuzz/runs.ts'
import { ROOT } from '../../architecture/source-tree.ts'
import { valuesOf } from '#test/support/row-samples.ts'

const ODD = [undefined, null, '', 0, -1, 1.5, 2 ** 60, '1', '\ud83d\ude00'.repeat(600), [], {}, [[]], true, 'javascript:alert(1)', '\ud800']

interface Call {
  readonly call: string
  readonly args?: unknown
}

const isCall = (value: object): value is Call => 'call' in value && typeof value.call === 'string'

/** The calls in a value, at any depth. */
function callsIn(value: unknown): readonly Call[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(isCall(value) ? [value] : []), ...Object.values(value).flatMap(callsIn)]
}

const VECTORS = join(ROOT, 'test/conformance/vectors')
const CALLS = readdirSync(VECTORS).flatMap((name) => callsIn(JSON.parse(readFileSync(join(VECTORS, name), 'utf8'))))

/** Copies of a value in which one part, at any depth, is another. */
function variantsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return ODD
  const inside = Object.entries(value).flatMap(([key, part]) =>
    variantsOf(part).map((other) => (Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other })),
  )
  return [...ODD, { ...value, unknown_name: 1 }, ...inside]
}

function expectSame(place: string, schema: z.ZodType, value: unknown): void {
  const expected = schema.safeParse(value)
  const data = PARSERS[place]?.()(value)
  if (expected.success) expect(data, JSON.stringify(value)).toStrictEqual(expected.data)
  else expect(data, JSON.stringify(value)).toBe(INVALID)
}

/** Names of fields at any depth. */
const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [...(Array.isArray(value) ? [] : [key]), ...namesIn(part)])
    : []

describe('a generated parser is its schema', () => {
  test('for each place, and for no other', () => {
    expect(Object.keys(PARSERS), 'run npm run codegen').toEqual(Object.keys(PARSED))
  })

  test.each(Object.entries(PARSED))('%s', (place, schema) => {
    const samples = valuesOf(schema)
    for (const sample of [...samples, ...samples.slice(0, 3).flatMap(variantsOf)]) expectSame(place, schema, sample)
    const name = fc.constantFrom(...new Set([...samples.flatMap(namesIn), 'unknown_name', '__proto__', 'toString']))
    const value = fc.oneof(fc.constantFrom<unknown>(...ODD, ...samples), fc.jsonValue())
    const object = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)))
    fc.assert(
      fc.property(fc.oneof(object, value), (given) => {
        expectSame(place, schema, given)
      }),
      runs(100),
    )
  })

  test('for the arguments in the conformance vectors', () => {
    const calls = CALLS.filter(({ call }) => `COMMANDS.${call}.args` in PARSED)
    expect(calls.length).toBeGreaterThan(100)
    for (const { call, args } of calls) {
      const row = COMMANDS[call as keyof typeof COMMANDS] as CommandRow
      expect(commandArgsParser(row)(args)).toEqual(parserOf(() => row.args)(args))
    }
  })
})

test('the schema says what is wrong with a refused value', () => {
  const parse = commandArgsParser(COMMANDS.SET_ACTIVITY)
  expect(parse({ pid: 'x' }).error?.issues).toEqual(COMMANDS.SET_ACTIVITY.args.safeParse({ pid: 'x' }).error?.issues)
  expect(parse({ pid: 1, other: 2 })).toEqual({ success: true, data: { pid: 1 } })
})

test('a row that is not of the table has no generated parser', () => {
  const row: CommandRow = { ...COMMANDS.SUBSCRIBE, args: COMMANDS.SHARE_LINK.args }
  expect(commandArgsParser(row)({ message: 5 }).success).toBe(false)
})
