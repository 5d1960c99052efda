/** Emits the coverage ledger as a page with one entry per statement of the platform's specification. */
import { item, page, wrapped } from '../../protocol/codegen/emit/text.ts'
import type { Section, Statement } from './statement.ts'

const INTRO = `One entry per statement of the platform's specification, by section: where the bridge implements it, and the test that fails if it is
violated. A statement that a local bridge cannot implement has a reason and an alternative.`

const facts = ({ where, tests, reason, instead }: Statement): readonly string[] =>
  reason === undefined
    ? [`in ${where.join(', ')}`, ...tests.map((test) => `test ${test.replace(' > ', ': ')}`)]
    : [`not implemented: ${reason}`, `instead: ${instead ?? ''}`]

const entry = ({ number }: Section, statement: Statement, index: number): string => {
  const nested = facts(statement).map((fact) => item(fact, '  '))
  return [item(`**${number}-${index + 1}** ${statement.text}`), ...nested].join('\n')
}

const total = (sections: readonly Section[]): string => {
  const all = sections.flatMap(({ statements }) => statements)
  const beyond = all.filter(({ reason }) => reason !== undefined).length
  return `${all.length} statements: ${all.length - beyond} implemented and tested, ${beyond} that a local bridge cannot implement.`
}

export function coveragePage(sections: readonly Section[]): string {
  const parts = sections.map((section) =>
    [`## ${section.number} ${section.title}\n`, ...section.statements.map((statement, index) => entry(section, statement, index))].join(
      '\n',
    ),
  )
  return page('Coverage', wrapped(INTRO), wrapped(total(sections)), ...parts)
}
