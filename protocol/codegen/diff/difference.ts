/** What two versions of the protocol differ in, and whom that breaks. Pure. */

/**
 * games: a game that is compiled already relies on it: the wire, or behaviour. code: a game must change its source or its generated
 * names. adds: no game must change.
 */
export type Kind = 'games' | 'code' | 'adds'

export interface Difference {
  readonly kind: Kind
  /** For example `commands.AUTHORIZE.args.scopes[]`. */
  readonly path: string
  readonly what: string
}

export const at = (path: string, name: string): string => `${path}.${name}`

const difference = (kind: Kind) => (path: string, what: string) => ({ kind, path, what }) satisfies Difference
export const breaksGames = difference('games')
export const breaksCode = difference('code')
export const adds = difference('adds')

const DOCUMENTS: readonly string[] = ['summary', 'description', '$comment', 'modelHash']
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value without sentences for readers. Names of properties stay. */
export function withoutDocuments(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutDocuments(one))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name, member]) => isNames || !DOCUMENTS.includes(name) || isObject(member))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutDocuments(member, !isNames && name === 'properties')]))
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(withoutDocuments(one)) === JSON.stringify(withoutDocuments(other))
