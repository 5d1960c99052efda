/** Readers for JSON of unknown shape. A value with the wrong type counts as absent. */

export type Fields = Readonly<Record<string, unknown>>

const NOTHING: Fields = {}
const ID = /^[0-9]{1,20}$/

/** The fields of an object; none for other values. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NOTHING

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A snowflake. */
export const idOf = (value: unknown): string | undefined => (typeof value === 'string' && ID.test(value) ? value : undefined)

/** A string of at most `max` characters; otherwise undefined. */
export const textOf = (value: unknown, max = 256): string | undefined =>
  typeof value === 'string' && value.length <= max ? value : undefined

/** The same, and undefined for an empty string. */
export const nonEmptyTextOf = (value: unknown, max = 256): string | undefined => textOf(value, max) || undefined

/** A finite number. */
export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** The present fields with these names. */
export function picked(from: Fields, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of names) if (from[name] !== undefined) kept[name] = from[name]
  return kept
}
