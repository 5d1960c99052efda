/** Emits the coverage ledger as a page with one entry per statement of the platform's specification. */
import { item, page, wrapped } from '#protocol/codegen/emit/text.ts'
import { isEdits } from './second/edit.ts'
import { SECOND } from './second/index.ts'
import { isImplemented, type Section, type Statement } from './statement.ts'

const INTRO = `One entry per statement of the platform's specification, by section: the rows, constants and files that implement it, the files of
the tests that carry its number as a tag, and its second dimension: what else the mutation run confuses, or why nothing. A statement that a local bridge cannot carry has a reason and an alternative. What is not built
yet is planned.`

type Files = ReadonlyMap<string, readonly string[]>

function secondOf(id: string): string {
  const second = SECOND[id] ?? []
  return isEdits(second) ? `also broken: ${[...new Set(second.map(({ kind }) => kind))].join(', ')}` : `not broken further: ${second}`
}

const facts = ({ id, where, excuse, planned }: Statement, files: Files): readonly string[] => {
  if (planned !== undefined) return [`not built yet: ${planned}`]
  if (excuse !== undefined) return [`not implemented: ${excuse.reason}`, `instead: ${excuse.instead}`]
  return [`in ${where.join(', ')}`, `tests: ${(files.get(id) ?? []).join(', ')}`, secondOf(id)]
}

const entry = (statement: Statement, files: Files): string => {
  const nested = facts(statement, files).map((fact) => item(fact, '  '))
  return [item(`**${statement.id}** ${statement.text}`), ...nested].join('\n')
}

const total = (sections: readonly Section[]): string => {
  const all = sections.flatMap(({ statements }) => statements)
  const built = all.filter(isImplemented).length
  const later = all.filter(({ planned }) => planned !== undefined).length
  return `${all.length} statements: ${built} implemented and tested, ${later} planned, ${all.length - built - later} that a local bridge cannot carry.`
}

/** `files`: files of the tests by the id that they carry. */
export function coveragePage(sections: readonly Section[], files: Files): string {
  const parts = sections.map((section) =>
    [`## ${section.number} ${section.title}\n`, ...section.statements.map((statement) => entry(statement, files))].join('\n'),
  )
  return page('Coverage', wrapped(INTRO), wrapped(total(sections)), ...parts)
}
