/** Which tests carry the ids of the ledger, read from their sources: `{ tags: ['5-7'] }` of a test, `"ledger": ["5-7"]` of a vector. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATEMENTS } from './index.ts'

const TEST = join(import.meta.dirname, '..')
const FOLDERS = ['unit', 'architecture', 'conformance', 'fuzz', 'e2e']
/** Tags of tests that are made from a table: a template with the name of the row. */
const FROM_PLACES = /linesNaming\(`([^`]*)`\)/g
const TAGS = /\btags: \[([^\]]*)\]/g
/** Other things in tests have tags too. */
const ID = /'([0-9][\w.-]*-[0-9]+)'/g

export interface Vector {
  readonly name: string
  readonly ledger?: readonly string[]
  readonly steps: readonly { readonly call?: string; readonly error?: number }[]
}

/** Files below `test/`, with forward slashes. */
const filesOf = (ending: string): readonly string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(TEST, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(ending))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  ).toSorted()

const read = (path: string): string => readFileSync(join(TEST, path), 'utf8')

/** Ids of the lines that name a place of this form. */
function linesLike(template: string): readonly string[] {
  const form = new RegExp(
    `^${template
      .split(/\$\{[^}]*\}/)
      .map(RegExp.escape)
      .join('[^.]+')}$`,
  )
  return STATEMENTS.filter(({ where }) => where.some((place) => form.test(place))).map(({ id }) => id)
}

const tagsOf = (source: string): readonly string[] => [
  ...[...source.matchAll(FROM_PLACES)].flatMap(([, template = '']) => linesLike(template)),
  ...[...source.matchAll(TAGS)].flatMap(([, list = '']) => [...list.matchAll(ID)].map(([, tag = '']) => tag)),
]

/** Vectors of a file that carry ids. */
export const taggedVectors = (path: string): readonly Vector[] =>
  (JSON.parse(read(path)) as { readonly cases: readonly Vector[] }).cases.filter(({ ledger }) => ledger !== undefined)

export const vectorFiles = (): readonly string[] => filesOf('.json').filter((path) => path.startsWith('conformance/vectors/'))

/** Files by the id that their tests carry. */
export function taggedFiles(): ReadonlyMap<string, readonly string[]> {
  const tests = filesOf('.test.ts').map((path) => [path, tagsOf(read(path))] as const)
  const vectors = vectorFiles().map((path) => [path, taggedVectors(path).flatMap(({ ledger }) => ledger ?? [])] as const)
  const found = new Map<string, readonly string[]>()
  for (const [path, ids] of [...tests, ...vectors]) for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), path])
  return found
}
