/** Finds lines of the coverage ledger that a whole run did not prove: no test with their tag passed. Pure. */
import { isImplemented, type Statement } from './coverage/statement.ts'

/** Ids of the implemented lines without a passed test. `passed`: the tags of the tests that passed. */
export const unproven = (statements: readonly Statement[], passed: Iterable<string>): readonly string[] => {
  const proven = new Set(passed)
  return statements.filter((statement) => isImplemented(statement) && !proven.has(statement.id)).map(({ id }) => id)
}
