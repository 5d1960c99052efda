/** Finds tests that the coverage ledger names and that did not run, because a name in a file may not be a test. Pure. */
import type { Section } from './coverage/statement.ts'

/** Full names of the tests of each file, `suite > test`; files by their path below `test/`. */
export type RanTests = Readonly<Record<string, readonly string[]>>

/** Where a table of cases gives the name its words. */
const BLANK = /%[sijdp]|\$\w+/

const matcher = (title: string): RegExp => new RegExp(title.split(BLANK).map(RegExp.escape).join('.+'), 's')

/** What the ledger names and nothing ran for, as `section-number file > title`. Cases that are data (.json) have no names of their own. */
export const untested = (sections: readonly Section[], ran: RanTests): readonly string[] =>
  sections.flatMap(({ number, statements }) =>
    statements.flatMap(({ tests }, index) =>
      tests
        .filter((test) => {
          const [file = '', title = ''] = test.split(' > ')
          const named = matcher(title)
          return !file.endsWith('.json') && !(ran[file] ?? []).some((name) => named.test(name))
        })
        .map((test) => `${number}-${index + 1} ${test}`),
    ),
  )
