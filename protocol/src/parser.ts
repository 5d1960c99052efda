/** A validator of a schema, which is made at its first call. */
import type * as z from 'zod'
import { once } from './once.ts'

export type Parser<Schema extends z.ZodType> = (value: unknown) => z.ZodSafeParseResult<z.output<Schema>>

/** zod compiles each object of a schema at its first use, which takes a few ms in all. So only a call that is common gets it. */
const CALLS_BEFORE_COMPILING = 50

const INTERPRETED = { jitless: true }

/** What a generated parser returns for a value that its schema refuses. */
export const INVALID: unique symbol = Symbol('invalid')

/** Checks a value without zod, and returns the value to use or INVALID. */
export type GeneratedParser = (value: unknown) => unknown

/**
 * The result and its issues are those of `safeParse` of the schema, which is made at the first call. With a generated parser, it is made
 * when that refuses a value, to say why.
 */
export function parserOf<Schema extends z.ZodType>(make: () => Schema, generated?: () => GeneratedParser): Parser<Schema> {
  const schema = once(make)
  if (generated !== undefined) {
    const parse = once(generated)
    return (value) => {
      const data = parse()(value)
      return data === INVALID ? schema().safeParse(value, INTERPRETED) : { success: true, data: data as z.output<Schema> }
    }
  }
  let calls = 0
  return (value) => {
    calls += 1
    return schema().safeParse(value, calls > CALLS_BEFORE_COMPILING ? undefined : INTERPRETED)
  }
}
