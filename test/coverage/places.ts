/**
 * Places that a statement names:
 *   COMMANDS.AUTHORIZE.args.state              a value of an export of the protocol; a step into a schema is one of its fields
 *   VERSIONS[create-guild-unavailable].date    a key that is no identifier
 *   ISSUER_RULES[https].holds                  an element of a list, by one of its texts
 *   daemon/src/platform/x.ts#NAME.step         a constant or function of a file, or a value in it
 *   daemon/src/platform/x.ts                   a file
 */
import type { Statement } from './statement.ts'

/** A row or constant. The mutation script breaks it, and expects a tagged test to fail. */
export interface Constant {
  /** From the root; undefined: the file of the protocol that exports it. */
  readonly file: string | undefined
  readonly name: string
  readonly steps: readonly string[]
}

const STEP = /\.?([\w$]+)|\[([^\]]+)\]/g

/** Returns the constant that a place names; undefined for a file. */
export function constantOf(place: string): Constant | undefined {
  const hash = place.indexOf('#')
  if (hash < 0 && place.includes('/')) return undefined
  const [name = '', ...steps] = [...place.slice(hash + 1).matchAll(STEP)].map(([, word, key]) => word ?? key ?? '')
  return { file: hash < 0 ? undefined : place.slice(0, hash), name, steps }
}

export const fileOf = (place: string): string | undefined => (constantOf(place) === undefined ? place : constantOf(place)?.file)

/** Places of a statement that a mutation can break. */
export const constantsOf = ({ where }: Statement): readonly string[] => where.filter((place) => constantOf(place) !== undefined)

interface Schema {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isSchema = (value: unknown): value is Schema => isObject(value) && isObject(value['_zod'])

/** What a schema wraps: the type of an optional, nullable, list or piped one. */
const wrapped = ({ _zod: { def } }: Schema): unknown => def['innerType'] ?? def['element'] ?? def['in']

/** Returns the object that holds the next step of a value: the fields of a schema, or the value itself; undefined if it holds nothing. */
export function holderOf(value: unknown): Record<string, unknown> | undefined {
  if (!isSchema(value)) return isObject(value) ? value : undefined
  const { shape } = value._zod.def
  return isObject(shape) ? shape : holderOf(wrapped(value))
}

/** Key of a step: of a list, the index of the element that has this text among its values. */
function keyOf(holder: Record<string, unknown>, step: string): string {
  if (!Array.isArray(holder)) return step
  const index = holder.findIndex(
    (one) => isObject(one) && Object.values(one).some((value) => value === step || (Array.isArray(value) && value[0] === step)),
  )
  return index < 0 ? step : String(index)
}

/** A value with a further step; a function with one makes the schema that has it. */
const made = (value: unknown): unknown => (typeof value === 'function' ? (value as () => unknown)() : value)

/** Returns the holder and the key of the last step; undefined if a step does not exist. */
export function lastStepOf(root: unknown, steps: readonly string[]): { holder: Record<string, unknown>; key: string } | undefined {
  let holder = holderOf(made(root))
  for (const [index, step] of steps.entries()) {
    if (holder === undefined) return undefined
    const key = keyOf(holder, step)
    if (!Object.hasOwn(holder, key)) return undefined
    if (index === steps.length - 1) return { holder, key }
    holder = holderOf(made(holder[key]))
  }
  return undefined
}
