/** The shape of the coverage ledger: what the platform's specification states, where the bridge holds it, and which test would notice. */

export interface Statement {
  /** The statement in our words, one fact. */
  readonly says: string
  /**
   * Where it is held: `command:NAME`, `endpoint:NAME`, `event:NAME`, or a file from the root. Empty for what a local bridge cannot
   * carry: then `because` and `instead` are there.
   */
  readonly where: readonly string[]
  /** Tests that fail when it is broken: file below `test/`, then `>` and a part of the test's title. */
  readonly tests: readonly string[]
  /** Why a local bridge cannot carry it. */
  readonly because?: string
  /** What a caller gets instead. */
  readonly instead?: string
}

export interface Section {
  /** As the specification numbers it. */
  readonly number: string
  readonly title: string
  readonly statements: readonly Statement[]
}

const list = (text: string): readonly string[] =>
  text
    .split(' | ')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A statement that holds. Several places or tests are kept apart by ` | `. */
export const held = (says: string, where: string, tests: string): Statement => ({ says, where: list(where), tests: list(tests) })

/** A statement that a local bridge cannot carry. */
export const beyond = (says: string, because: string, instead: string): Statement => ({ says, where: [], tests: [], because, instead })
