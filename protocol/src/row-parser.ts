/** Parsers of the schemas of rows: generated ones for what games call most, the schema itself for the others. */
import type { CommandRow } from './commands/define.ts'
import { COMMANDS } from './commands/index.ts'
import type { EndpointRow } from './endpoints/define.ts'
import { ENDPOINTS } from './endpoints/index.ts'
import type { EventRow } from './events/define.ts'
import { EVENTS } from './events/index.ts'
import { PARSERS } from './generated/parsers.ts'
import { type GeneratedParser, parserOf } from './parser.ts'

interface NamedRow {
  readonly name: string
}

const TABLES: Readonly<Record<'COMMANDS' | 'ENDPOINTS' | 'EVENTS', Readonly<Record<string, NamedRow>>>> = { COMMANDS, ENDPOINTS, EVENTS }

/** A row of another table, such as one of a test, has none, even if it has the same name. */
const generatedFor = (table: keyof typeof TABLES, row: NamedRow, field: string): (() => GeneratedParser) | undefined =>
  TABLES[table][row.name] === row ? PARSERS[`${table}.${row.name}.${field}`] : undefined

export const commandArgsParser = (row: CommandRow) => parserOf(() => row.args, generatedFor('COMMANDS', row, 'args'))
export const eventArgsParser = (row: EventRow) => parserOf(() => row.args, generatedFor('EVENTS', row, 'args'))
export const responseParser = (row: EndpointRow) => parserOf(() => row.response, generatedFor('ENDPOINTS', row, 'response'))
