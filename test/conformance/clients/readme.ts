/** The matrix in the README of the bindings: written by the command, compared by the tests. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { matrixTable } from './matrix.ts'
import type { Outcome } from './run.ts'

const README = resolve(import.meta.dirname, '../../../bindings/README.md')
const BEGIN = '<!-- matrix: npm run conformance:clients -- --readme -->'
const END = '<!-- end of matrix -->'

/** What is before the matrix, the matrix, and what is after it. */
function parts(): readonly [before: string, table: string, after: string] {
  const [before = '', rest = ''] = readFileSync(README, 'utf8').split(BEGIN)
  const [table, after] = rest.split(END)
  if (table === undefined || after === undefined) throw new Error(`${README} has no place for the matrix: ${BEGIN} … ${END}`)
  return [before, table, after]
}

export function writeMatrix(outcomes: readonly Outcome[]): void {
  const [before, , after] = parts()
  writeFileSync(README, `${before}${BEGIN}\n\n${matrixTable(outcomes)}\n\n${END}${after}`)
}

/** The cells of a client in the README, by feature. */
export function writtenColumn(client: string): Readonly<Record<string, string>> {
  const [, table] = parts()
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const column = rows[0]?.indexOf(client) ?? -1
  return Object.fromEntries(rows.slice(1).map((row) => [row[1] ?? '', row[column] ?? '']))
}
