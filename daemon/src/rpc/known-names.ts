/** What a schema knows: the names at a path, for the error of an unknown one; which parts of a value; and which of its texts. */
import { UNKNOWN } from '@sallyport/core/redacted'
import type * as z from 'zod'

type Schema = z.core.$ZodType

/** The parts of a definition that lead to other schemas. */
interface Definition {
  readonly type: string
  readonly innerType?: Schema
  readonly element?: Schema
  readonly items?: readonly Schema[]
  readonly options?: readonly Schema[]
  readonly shape?: Readonly<Record<string, Schema>>
  readonly valueType?: Schema
  /** What an object takes below other names: `never` if it refuses them. */
  readonly catchall?: Schema
  readonly getter?: () => Schema
  /** Of an enumeration, and of a literal. */
  readonly entries?: Readonly<Record<string, unknown>>
  readonly values?: readonly unknown[]
}

/** The schema without optional, nullable and lazy around it; all branches of a union. */
function plain(schema: Schema): readonly Definition[] {
  const def = schema._zod.def as unknown as Definition
  if (def.options !== undefined) return def.options.flatMap(plain)
  const inner = def.innerType ?? def.getter?.()
  return inner === undefined ? [def] : plain(inner)
}

/** Where a name, or a place in a list, leads. A name that a schema lacks may be one of every object, such as `constructor`. */
function below({ element, items, shape, valueType, catchall }: Definition, step: PropertyKey): readonly Schema[] {
  const next =
    typeof step === 'number'
      ? (items?.[step] ?? element)
      : shape === undefined
        ? valueType
        : Object.hasOwn(shape, step)
          ? shape[String(step)]
          : catchall
  return next === undefined ? [] : [next]
}

/** Each name once. Empty where the path leads to no object. */
export function namesAt(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<readonly Definition[]>(
    (definitions, step) => definitions.flatMap((def) => below(def, step).flatMap(plain)),
    plain(schema),
  )
  return [...new Set(at.flatMap(({ shape }) => Object.keys(shape ?? {})))]
}

const takesAll = ({ type }: Definition): boolean => type === 'unknown' || type === 'any'
const takesNone = ({ type }: Definition): boolean => type === 'never'

/** Branches of a union share schemas; each comes once. */
const knownBelow = (known: readonly Definition[], step: PropertyKey): readonly Definition[] => [
  ...new Set(known.flatMap((def) => below(def, step).flatMap(plain)).filter((def) => !takesNone(def))),
]

function maskedBy(value: unknown, known: readonly Definition[]): unknown {
  if (typeof value !== 'object' || value === null || known.some(takesAll)) return value
  const part = (step: string | number, inner: unknown): unknown => {
    const knownPart = knownBelow(known, step)
    return knownPart.length === 0 ? UNKNOWN : maskedBy(inner, knownPart)
  }
  if (Array.isArray(value)) return value.map((inner: unknown, index) => part(index, inner))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(key, inner)]))
}

/** A copy with the mark in place of each value below a name that the schema does not know. Undefined: it knows none. Plain data only. */
export const knownIn = (value: unknown, schema: Schema | undefined): unknown => maskedBy(value, schema === undefined ? [] : plain(schema))

const isChoice = (text: string, { entries, values }: Definition): boolean =>
  values?.includes(text) === true || (entries !== undefined && Object.values(entries).includes(text))

function textsIn(value: unknown, known: readonly Definition[], shown: (text: string) => string): unknown {
  if (typeof value === 'string') return known.some((def) => isChoice(value, def)) ? value : shown(value)
  if (typeof value !== 'object' || value === null) return value
  const part = (step: string | number, inner: unknown): unknown => textsIn(inner, knownBelow(known, step), shown)
  if (Array.isArray(value)) return value.map((inner: unknown, index) => part(index, inner))
  const isNamed = (key: string): boolean => known.some(({ shape }) => shape !== undefined && Object.hasOwn(shape, key))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [isNamed(key) ? key : shown(key), part(key, inner)]))
}

/** A copy with what `shown` makes of each text and name that the schema does not list. Plain data only. */
export const withTextsIn = (value: unknown, schema: Schema | undefined, shown: (text: string) => string): unknown =>
  textsIn(value, schema === undefined ? [] : plain(schema), shown)
