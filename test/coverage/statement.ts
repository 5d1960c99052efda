/** Types of the coverage ledger: statements of the platform's specification and what implements them. Tests name a statement by its id. */

export interface Statement {
  /** Number of the section and of the statement, `5-7`. Tests carry it as a tag, so it never changes. */
  readonly id: string
  /** The statement in own words; one fact. */
  readonly text: string
  /** Rows, constants (`LIMITS.lobbyMessages`) and files that implement it; see places.ts. Empty if it is not implemented. */
  readonly where: readonly string[]
  /** Why a local bridge cannot carry it, and what a caller does instead. */
  readonly excuse?: { readonly reason: string; readonly instead: string }
  /** What is not built yet. The README lists it. */
  readonly planned?: string
}

export interface Section {
  /** Number in the specification. */
  readonly number: string
  readonly title: string
  readonly statements: readonly Statement[]
}

export const isImplemented = ({ excuse, planned }: Statement): boolean => excuse === undefined && planned === undefined

/** Creates an implemented statement. Several places are separated by ` | `; those that the statement is about come first. */
export const implemented = (id: string, says: string, where: string): Statement => ({
  id,
  text: says,
  where: where.split(' | ').map((part) => part.trim()),
})

/** Creates a statement that a local bridge cannot carry. */
export const unsupported = (id: string, says: string, reason: string, instead: string): Statement => ({
  id,
  text: says,
  where: [],
  excuse: { reason, instead },
})

/** Creates a statement that this project will implement and has not yet. */
export const planned = (id: string, says: string, missing: string): Statement => ({ id, text: says, where: [], planned: missing })
