/** Finds lines of the coverage ledger that a whole run did not prove: no test with their tag passed. Pure. */
import { isImplemented, type Statement } from './coverage/statement.ts'

export interface Unproven {
  /** No test of the line passed or was skipped: it has none any more, or they all failed. */
  readonly failed: readonly string[]
  /** All tests of the line were skipped, because this machine lacks something that they need. */
  readonly skipped: readonly string[]
}

/** Ids of the implemented lines without a passed test. `passed`, `skipped`: the tags of the tests that ended so. */
export function unproven(statements: readonly Statement[], passed: Iterable<string>, skipped: Iterable<string>): Unproven {
  const [proven, untried] = [new Set(passed), new Set(skipped)]
  const open = statements.filter((statement) => isImplemented(statement) && !proven.has(statement.id)).map(({ id }) => id)
  return { failed: open.filter((id) => !untried.has(id)), skipped: open.filter((id) => untried.has(id)) }
}
