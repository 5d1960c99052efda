/** What the gateway sends, read without trust: whatever is not of the form that is looked for is as good as absent. */

export type Fields = Readonly<Record<string, unknown>>

const NOTHING: Fields = {}
const ID = /^[0-9]{1,20}$/

/** The fields of an object; none when it is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NOTHING

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const idOf = (value: unknown): string | undefined => (typeof value === 'string' && ID.test(value) ? value : undefined)

/** Undefined for what is no text, or longer than anything of its kind may be. */
export const textOf = (value: unknown, max = 256): string | undefined =>
  typeof value === 'string' && value.length <= max ? value : undefined

export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** The fields of these names that are there. */
export function picked(from: Fields, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of names) if (from[name] !== undefined) kept[name] = from[name]
  return kept
}

/** What tells one version of a message from another. */
export const messageVersion = (d: Fields) => ({
  id: idOf(d['id']) ?? '',
  content: textOf(d['content'], Number.POSITIVE_INFINITY),
  edited_timestamp: textOf(d['edited_timestamp']),
})
