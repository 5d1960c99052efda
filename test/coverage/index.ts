/** The coverage ledger, in the order of the specification. */
import { LIMIT_SECTIONS } from './limits.ts'
import { OPERATIONS } from './operations.ts'
import { RESOURCES } from './resources.ts'
import { RULES } from './rules.ts'
import type { Section, Statement } from './statement.ts'

export const COVERAGE: readonly Section[] = [...RESOURCES, ...OPERATIONS, ...RULES, ...LIMIT_SECTIONS]

export const STATEMENTS: readonly Statement[] = COVERAGE.flatMap(({ statements }) => statements)

/** Ids of the lines that name a place: the tags of a test that is made from a table of rows. */
export const linesNaming = (place: string): string[] => STATEMENTS.filter(({ where }) => where.includes(place)).map(({ id }) => id)
