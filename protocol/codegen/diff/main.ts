/** `npm run protocol:diff OLD [NEW]` prints what differs between two versions of protocol.json, and whom it breaks. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Model } from '../model.ts'
import { compare, exitCodeOf } from './compare.ts'
import type { Kind } from './difference.ts'

const PRESENT = 'protocol/generated/protocol.json'
const ROOT = join(import.meta.dirname, '../../..')
const MOST_BYTES = 64 * 1_048_576

const HELP = `npm run protocol:diff OLD [NEW]

OLD and NEW are git revisions, or files in the form of protocol.json, also with gzip (.gz). Without
NEW it is the present file.

Exit code: 0 if there are no differences, or only additions; 1 if one breaks generated code, so that
a game must change its source; 2 if one breaks games that are compiled already; 3 if OLD or NEW
cannot be read.
`
const UNREADABLE = 3

const HEADINGS: Readonly<Record<Kind, string>> = {
  games: 'Breaks games',
  code: 'Breaks generated code',
  adds: 'Adds',
}

const fileText = (path: string): string => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)).toString() : readFileSync(path, 'utf8'))

const revisionText = (revision: string): string =>
  execFileSync('git', ['show', `${revision}:${PRESENT}`], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const modelOf = (source: string): Model => JSON.parse(existsSync(source) ? fileText(source) : revisionText(source)) as Model

function run([older, newer = join(ROOT, PRESENT)]: readonly string[]): number {
  if (older === undefined || older === '--help') {
    process.stdout.write(HELP)
    return older === undefined ? UNREADABLE : 0
  }
  let differences
  try {
    differences = compare(modelOf(older), modelOf(newer))
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`)
    return UNREADABLE
  }
  for (const [kind, same] of Map.groupBy(differences, (one) => one.kind))
    process.stdout.write(`${HEADINGS[kind]}:\n${same.map(({ path, what }) => `  ${path}: ${what}\n`).join('')}`)
  if (differences.length === 0) process.stdout.write('No differences.\n')
  return exitCodeOf(differences)
}

process.exitCode = run(process.argv.slice(2))
