/** A validator of a schema, which is compiled when it is worth it. */
import * as z from 'zod'
import { once } from './once.ts'

export type Parser<Schema extends z.ZodType> = (value: unknown) => z.ZodSafeParseResult<z.output<Schema>>

/**
 * Compiling takes up to 70 ms for a large schema, during which no game gets an answer, and saves one or two microseconds a call. So a game
 * that calls a command a few times must not wait for it.
 */
export const CALLS_BEFORE_COMPILING = 50

/** Each form of a schema gives the same results and issues. zod would compile parts of an interpreted schema by itself. */
const INTERPRETED = { jitless: true }

/** The result and its issues are those of `safeParse` of the schema, which is made at the first call. */
export function parserOf<Schema extends z.ZodType>(make: () => Schema): Parser<Schema> {
  const schema = once(make)
  let compiled: Schema | undefined
  let calls = 0
  return (value) => {
    if (compiled !== undefined) return compiled.safeParse(value)
    calls += 1
    if (calls > CALLS_BEFORE_COMPILING) compiled = z.compile(schema())
    return schema().safeParse(value, INTERPRETED)
  }
}
