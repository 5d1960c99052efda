/** Both forms of a schema give the same results and issues. */
import { COMMANDS, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { CALLS_BEFORE_COMPILING, parserOf } from '../../../protocol/src/parser.ts'

const SCHEMAS: readonly (readonly [string, z.ZodType])[] = [
  ...Object.values(COMMANDS).map((row) => [`args of ${row.name}`, row.args] as const),
  ...Object.values(ENDPOINTS).map((row) => [`response of ${row.name}`, row.response] as const),
  ...Object.values(EVENTS).map((row) => [`args of SUBSCRIBE ${row.name}`, row.args] as const),
]
const VALUES: readonly unknown[] = [
  undefined,
  null,
  1,
  'text',
  [],
  [{}],
  {},
  { id: '1', unknown: true },
  { activity: { state: 'x'.repeat(200) } },
]

describe('before and after it is compiled, a parser gives the same', () => {
  test.each(SCHEMAS.filter((_, index) => index % 7 === 0))('%s', (_name, schema) => {
    const parse = parserOf(() => schema)
    const results = () => VALUES.map((value) => JSON.stringify(parse(value)))
    const interpreted = results()
    for (let call = 0; call < CALLS_BEFORE_COMPILING; call += 1) parse(undefined)
    expect(results()).toEqual(interpreted)
  })
})
