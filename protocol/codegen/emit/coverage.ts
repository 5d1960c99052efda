/** The coverage ledger as a page: one line for each statement of the platform's specification. */
import type { Section, Statement } from '../../coverage/statement.ts'
import { cell } from './fields-table.ts'
import { NOTICE } from './json.ts'

const INTRO = `One line for each statement of the platform's specification, by its section: where the bridge holds it, and the test that fails when
it is broken. What a local bridge cannot carry says why, and what a caller gets instead.`

const held = ({ where, tests }: Statement): readonly string[] => [
  where.join(', '),
  tests.map((test) => test.replace(' > ', ': ')).join(', '),
]

const line = (section: Section, statement: Statement, index: number): string => {
  const [where, test] =
    statement.because === undefined ? held(statement) : [`*not carried*: ${statement.because}`, `*instead*: ${statement.instead ?? ''}`]
  return `| ${[`${section.number}-${index + 1}`, statement.says, where ?? '', test ?? ''].map(cell).join(' | ')} |`
}

const total = (sections: readonly Section[]): string => {
  const all = sections.flatMap(({ statements }) => statements)
  const beyond = all.filter(({ because }) => because !== undefined).length
  return `${all.length} statements: ${all.length - beyond} held and tested, ${beyond} that a local bridge cannot carry.`
}

export function emitCoverage(sections: readonly Section[]): string {
  const tables = sections.map((section) =>
    [
      `## ${section.number} ${section.title}\n`,
      '| | Statement | Held by | Test |',
      '|---|---|---|---|',
      ...section.statements.map((statement, index) => line(section, statement, index)),
    ].join('\n'),
  )
  return `${[`<!-- ${NOTICE} -->`, '# Coverage', INTRO, total(sections), ...tables].join('\n\n')}\n`
}
