/**
 * The second dimension of the coverage ledger. A line names rows, and the mutation run breaks each of them. What a line says also holds for
 * another guild, another user, a null: an edit breaks that, by other text in the source of a module while vitest loads it.
 */

/** What an edit confuses or loses. */
export const KINDS = {
  guild: 'another guild, or a place without one',
  user: 'another user, bot or application',
  scope: 'another scope of a token',
  null: 'an absent, empty or null value',
  limit: 'a number at or beyond a limit',
  order: 'the order of values or of events',
  field: 'a field on the way out',
  time: 'an earlier or later time',
  argument: 'an argument that differs',
} as const

export type Kind = keyof typeof KINDS

export interface Edit {
  readonly kind: Kind
  /** From the root. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly from: string
  readonly to: string
}

export const edit = (kind: Kind, file: string, from: string, to: string): Edit => ({ kind, file, from, to })

/** Why a line has no edit, and which of its places say so. */
export const WHY_NONE = {
  elsewhere: 'A line with edits names the same file or row.',
  client: 'A client does it, in its own process; its own tests show it.',
  route: 'It says that an operation exists; other lines say what the operation does.',
  value: 'It is one number, bit, text or list of a table, which the mutation of the row changes.',
  field: 'It is one field of a schema, which the mutation of the row leaves out.',
  day: 'It is one day of a table, which the mutation of the row moves.',
  release: 'It is one change of a release in a table, which the mutation of the row moves.',
} as const

export type WhyNone = keyof typeof WHY_NONE

/** The edits of a line, or why it has none. */
export type Second = readonly Edit[] | WhyNone

/** By the id of the line. */
export type Seconds = Readonly<Record<string, Second>>

export const isEdits = (second: Second): second is readonly Edit[] => typeof second !== 'string'
