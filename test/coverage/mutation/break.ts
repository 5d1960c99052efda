/** Breaks one value in the modules under test. The plugin passes each named constant through `broken` when its module is loaded. */
import { holderOf, lastStepOf } from '../places.ts'

/** The variable that names the broken value for the workers of vitest: a place in the form of `Target`, as JSON. */
export const VARIABLE = 'SALLYPORT_TEST_MUTATION'

export interface Target {
  /** File from the root. */
  readonly file: string
  readonly name: string
  readonly steps: readonly string[]
}

/** Begins the error of a place that cannot be broken, which is not a kill. */
export const UNBREAKABLE = 'cannot be broken:'

/** The value that stands for a row of a table. */
const PRINCIPAL = ['value', 'bit', 'code', 'op', 'type', 'date']
const DAY_MS = 86_400_000
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

const textOf = (text: string): string =>
  ISO_DAY.test(text) ? new Date(Date.parse(text) + DAY_MS).toISOString().slice(0, text.length) : `${text}-broken`

/** Returns another value of the same type. */
export function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value << 1n
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'function') return (given: unknown) => given
  if (value instanceof RegExp) return /(?!)/
  if (value instanceof Set) return new Set([...value].slice(1))
  if (Array.isArray(value)) return value.length === 0 ? ['broken'] : value.slice(0, -1)
  throw new Error(`${UNBREAKABLE} only a number, text, boolean, list, set, pattern or function can`)
}

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value

/** Breaks the value of a key in place. A field of a schema is left out. */
function breakKey(holder: Record<string, unknown>, key: string): void {
  const value = holder[key]
  const row = holderOf(value)
  const principal =
    isSchema(value) || Array.isArray(value) || value instanceof Set ? undefined : PRINCIPAL.find((name) => row?.[name] !== undefined)
  if (isSchema(value)) delete holder[key]
  else if (row !== undefined && principal !== undefined) row[principal] = otherThan(row[principal])
  else holder[key] = otherThan(value)
}

const target = ((): Target | undefined => {
  const text = process.env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as Target)
})()

/** Returns the value of a constant, broken if it is the target. */
export function broken<T>(file: string, name: string, value: T): T {
  if (target === undefined || target.file !== file || target.name !== name) return value
  if (target.steps.length === 0) return otherThan(value) as T
  const last = lastStepOf(value, target.steps)
  if (last === undefined) throw new Error(`${UNBREAKABLE} ${name} of ${file} has no ${target.steps.join('.')}`)
  breakKey(last.holder, last.key)
  return value
}
