/** Checks that parsing with a schema returns its input unchanged. */
import type * as z from 'zod'

interface Def {
  readonly type: string
  readonly coerce?: boolean
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[]
  readonly catchall?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
  readonly keyType?: z.core.$ZodType
  readonly valueType?: z.core.$ZodType
  readonly items?: readonly z.core.$ZodType[]
  readonly rest?: z.core.$ZodType | null
  readonly getter?: () => z.core.$ZodType
}

/** What a kind of schema is made of; a kind that is not here may change what it parses. */
const PARTS: Readonly<Record<string, (def: Def) => readonly (z.core.$ZodType | null | undefined)[]>> = {
  string: () => [],
  number: () => [],
  boolean: () => [],
  null: () => [],
  unknown: () => [],
  any: () => [],
  literal: () => [],
  enum: () => [],
  custom: () => [],
  array: ({ element }) => [element],
  nullable: ({ innerType }) => [innerType],
  optional: ({ innerType }) => [innerType],
  union: ({ options = [] }) => options,
  record: ({ keyType, valueType }) => [keyType, valueType],
  tuple: ({ items = [], rest }) => [...items, rest],
  object: ({ shape = {} }) => Object.values(shape),
  lazy: ({ getter }) => [getter?.()],
}

const changesByItself = ({ type, coerce, checks = [], catchall }: Def): boolean =>
  // An object that does not say what becomes of other keys drops them.
  coerce === true || checks.some((check) => check._zod.def.check === 'overwrite') || (type === 'object' && catchall === undefined)

export function isVerbatim(schema: z.core.$ZodType): boolean {
  const seen = new Set<z.core.$ZodType>()
  const holds = (one: z.core.$ZodType): boolean => {
    if (seen.has(one)) return true
    seen.add(one)
    const def = one._zod.def as unknown as Def
    const parts = PARTS[def.type]?.(def)
    return parts !== undefined && !changesByItself(def) && parts.every((part) => part == null || holds(part))
  }
  return holds(schema)
}
