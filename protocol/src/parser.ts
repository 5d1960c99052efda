/** A validator of a schema, which is made at its first call. */
import type * as z from 'zod'
import { once } from './once.ts'

export type Parser<Schema extends z.ZodType> = (value: unknown) => z.ZodSafeParseResult<z.output<Schema>>

/** Without it, zod compiles each object of a schema at its first use, and the game waits a few ms for its answer. */
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
  if (generated === undefined) return (value) => schema().safeParse(value, INTERPRETED)
  const parse = once(generated)
  return (value) => {
    const data = parse()(value)
    return data === INVALID ? schema().safeParse(value, INTERPRETED) : { success: true, data: data as z.output<Schema> }
  }
}
