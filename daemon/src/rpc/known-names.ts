/** The names that a schema knows at a path, for the error of an unknown one. */
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
  readonly getter?: () => Schema
}

/** The schema without optional, nullable and lazy around it; all branches of a union. */
function plain(schema: Schema): readonly Definition[] {
  const def = schema._zod.def as unknown as Definition
  if (def.options !== undefined) return def.options.flatMap(plain)
  const inner = def.innerType ?? def.getter?.()
  return inner === undefined ? [def] : plain(inner)
}

function below({ element, items, shape, valueType }: Definition, step: PropertyKey): readonly Schema[] {
  const next = element ?? valueType ?? (typeof step === 'number' ? items?.[step] : undefined) ?? shape?.[String(step)]
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
