/** A validator of a schema, which is made when a value first needs it. */
import type * as z from 'zod'
import { LazyParts } from './lazy-parts.ts'
import { makeParts, once } from './once.ts'
import { ZOD_USES } from './zod-uses.ts'

type Parsed<Schema extends z.ZodType> = z.ZodSafeParseResult<z.output<Schema>>

export interface Parser<Schema extends z.ZodType> {
  (value: unknown): Parsed<Schema>
  /** The same, but undefined if parts of the schema must be made first. */
  ifMade(value: unknown): Parsed<Schema> | undefined
  /** Whether every value of this schema can be parsed, and none needs more than a lazy part of it. */
  readonly isMade: boolean
  /** Makes parts of what this value needs, as `makeParts` does. Returns whether there are no more. */
  makeParts(value: unknown, mayGoOn: () => boolean): boolean
}

/** Without it, zod compiles each object of a schema at its first use, and the game waits a few ms for its answer. */
const INTERPRETED = { jitless: true }

/** What a generated parser returns for a value that its schema refuses. */
export const INVALID: unique symbol = Symbol('invalid')

/** Checks a value without zod, and returns the value to use or INVALID. */
export type GeneratedParser = (value: unknown) => unknown

interface Made<Schema extends z.ZodType> {
  readonly schema: Schema
  readonly lazy: LazyParts
}

/**
 * The result and its issues are those of `safeParse` of the schema. With a generated parser, the schema is made when that refuses a value, to
 * say why.
 */
export function parserOf<Schema extends z.ZodType>(make: () => Schema, generated?: () => GeneratedParser): Parser<Schema> {
  let made: Made<Schema> | undefined
  const complete = (): Made<Schema> => {
    const schema = make()
    return (made ??= { schema, lazy: new LazyParts(schema) })
  }
  const generatedOnce = once(() => generated?.())
  const withoutSchema = (value: unknown): Parsed<Schema> | undefined => {
    const data = generated === undefined ? INVALID : generatedOnce()?.(value)
    return data === INVALID ? undefined : { success: true, data: data as z.output<Schema> }
  }
  const parse = (value: unknown): Parsed<Schema> => withoutSchema(value) ?? (made ?? complete()).schema.safeParse(value, INTERPRETED)
  /** Whether a turn has been left before all was made. */
  let isLarge = false
  const makeFor = (value: unknown): void => {
    // A small schema needs few of them.
    if (isLarge) for (const use of ZOD_USES) use()
    const { lazy } = made ?? complete()
    lazy.makeFor(value)
  }
  return Object.defineProperty(
    Object.assign(parse, {
      ifMade: (value: unknown): Parsed<Schema> | undefined =>
        withoutSchema(value) ?? (made?.lazy.areMadeFor(value) === true ? made.schema.safeParse(value, INTERPRETED) : undefined),
      makeParts: (value: unknown, mayGoOn: () => boolean): boolean => {
        const isOver = makeParts(() => makeFor(value), mayGoOn)
        isLarge = !isOver
        return isOver
      },
    }),
    'isMade',
    { get: () => generated !== undefined || made !== undefined },
  ) as Parser<Schema>
}
