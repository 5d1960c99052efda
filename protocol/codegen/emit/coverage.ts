/** Emits the coverage ledger as a page with one line per statement of the platform's specification. */
import type { Section, Statement } from '../../coverage/statement.ts'
import { cell } from './fields-table.ts'
import { NOTICE } from './json.ts'

const INTRO = `One line per statement of the platform's specification, by section: where the bridge implements it, and the test that fails if it is
violated. A statement that a local bridge cannot implement has a reason and an alternative.`

const implementation = ({ where, tests }: Statement): readonly string[] => [
  where.join(', '),
  tests.map((test) => test.replace(' > ', ': ')).join(', '),
]

const line = (section: Section, statement: Statement, index: number): string => {
  const [where, test] =
    statement.reason === undefined
      ? implementation(statement)
      : [`*not implemented*: ${statement.reason}`, `*instead*: ${statement.instead ?? ''}`]
  return `| ${[`${section.number}-${index + 1}`, statement.text, where ?? '', test ?? ''].map(cell).join(' | ')} |`
}

const total = (sections: readonly Section[]): string => {
  const all = sections.flatMap(({ statements }) => statements)
  const beyond = all.filter(({ reason: because }) => because !== undefined).length
  return `${all.length} statements: ${all.length - beyond} implemented and tested, ${beyond} that a local bridge cannot implement.`
}

export function emitCoverage(sections: readonly Section[]): string {
  const tables = sections.map((section) =>
    [
      `## ${section.number} ${section.title}\n`,
      '| | Statement | Implemented in | Test |',
      '|---|---|---|---|',
      ...section.statements.map((statement, index) => line(section, statement, index)),
    ].join('\n'),
  )
  return `${[`<!-- ${NOTICE} -->`, '# Coverage', INTRO, total(sections), ...tables].join('\n\n')}\n`
}
