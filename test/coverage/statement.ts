/** Types of the coverage ledger: statements of the platform's specification, their implementation, and their tests. */

export interface Statement {
  /** The statement in own words; one fact. */
  readonly text: string
  /**
   * Implementation: `command:NAME`, `endpoint:NAME`, `event:NAME`, or a file path from the root. Empty if a local bridge cannot
   * implement it: then `reason` and `instead` are present.
   */
  readonly where: readonly string[]
  /** Tests that fail if it is violated: file below `test/`, then `>` and a part of the test title. */
  readonly tests: readonly string[]
  /** Why a local bridge cannot implement it. */
  readonly reason?: string
  /** The alternative for a caller. */
  readonly instead?: string
}

export interface Section {
  /** Number in the specification. */
  readonly number: string
  readonly title: string
  readonly statements: readonly Statement[]
}

const list = (text: string): readonly string[] =>
  text
    .split(' | ')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Creates an implemented statement. Several places or tests are separated by ` | `. */
export const implemented = (says: string, where: string, tests: string): Statement => ({
  text: says,
  where: list(where),
  tests: list(tests),
})

/** Creates a statement that a local bridge cannot implement. */
export const unsupported = (says: string, because: string, instead: string): Statement => ({
  text: says,
  where: [],
  tests: [],
  reason: because,
  instead,
})
