/** `npm run wire -- --openapi FILE [--docs FOLDER]` says which fields of the platform's public descriptions the tables do not have. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LEFT_OUT, LEFT_OUT_FIELDS, OTHER_KINDS } from '../../src/index.ts'
import { buildModel } from '../model.ts'
import { compare, type Comparison } from './compare.ts'
import { type DescribedOperation, describedOperations } from './description.ts'
import { documentedOperations } from './documents.ts'

const HELP = `npm run wire -- --openapi FILE [--docs FOLDER]

Compares the endpoint rows with the platform's public descriptions: operations, and the fields of
their requests. FILE is an OpenAPI description, FOLDER has the documents in Markdown. Exceptions are
in protocol/src/endpoints/left-out.ts and left-out-fields.ts.

Exit code: 0 if nothing is missing beyond these tables; 1 if something is; 2 if FILE or FOLDER cannot
be read.
`
const UNREADABLE = 2

function documentsIn(folder: string): readonly DescribedOperation[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.mdx?$/.test(name))
  const found = files.flatMap((name) => documentedOperations(readFileSync(join(folder, name), 'utf8')))
  if (found.length === 0) throw new Error(`No document in ${folder} has an operation.`)
  return found
}

/** Throws with a sentence for a file that cannot be read, or is no JSON. */
function descriptionIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (failure) {
    throw new Error(`${file} cannot be read as JSON (${(failure as Error).message}). Name an OpenAPI description with --openapi.`, {
      cause: failure,
    })
  }
}

/** Returns whether nothing is missing. `isWhole`: everything is described there, so an exception that it does not need is unneeded. */
function report(source: string, { operations, fields, missing, kinds, unneeded }: Comparison, isWhole: boolean): boolean {
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ['missing', missing],
    ['of another kind', kinds],
    ['exceptions that nothing needs', isWhole ? unneeded : []],
  ]
  process.stdout.write(`${source}: ${operations} operations, ${fields} fields\n`)
  for (const [what, lines] of groups) process.stdout.write(`${what}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  return groups.every(([, lines]) => lines.length === 0)
}

function run(args: readonly string[]): number {
  let described: readonly DescribedOperation[]
  let documented: readonly DescribedOperation[] | undefined
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { openapi: { type: 'string' }, docs: { type: 'string' }, help: { type: 'boolean' } },
    })
    if (values.openapi === undefined) {
      process.stdout.write(HELP)
      return values.help === true ? 0 : UNREADABLE
    }
    described = describedOperations(descriptionIn(values.openapi))
    documented = values.docs === undefined ? undefined : documentsIn(values.docs)
  } catch (failure) {
    process.stderr.write(`${(failure as Error).message}\n`)
    return UNREADABLE
  }
  const tables = { ...buildModel(), leftOut: LEFT_OUT, leftOutFields: LEFT_OUT_FIELDS, otherKinds: OTHER_KINDS }
  const isComplete = [
    report('OpenAPI description', compare(described, tables), true),
    documented === undefined || report('Documents', compare(documented, tables), false),
  ].every(Boolean)
  if (documented === undefined) process.stdout.write('Not compared: the documents, for which there was no --docs.\n')
  process.stdout.write('Never compared: responses, headers, scopes, events.\n')
  return isComplete ? 0 : 1
}

process.exitCode = run(process.argv.slice(2))
