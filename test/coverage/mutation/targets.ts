/**
 * What the mutation run breaks: each constant that an implemented line names, and each edit of its second dimension, with the files of the
 * tests that carry the line.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constantOf, constantsOf } from '../places.ts'
import { type Edit, isEdits } from '../second/edit.ts'
import { SECOND } from '../second/index.ts'
import type { Statement } from '../statement.ts'
import type { Target } from './break.ts'
import { declaredIn } from './plugin.ts'

const PROTOCOL = 'protocol/src'

export interface Mutation {
  readonly id: string
  /** What is broken, for people. */
  readonly place: string
  /** One of these. */
  readonly target?: Target
  readonly edit?: Edit
  /** Test files below `test/`, those that run fastest first. */
  readonly files: readonly string[]
}

/** Files of the protocol by the names of their exported constants and functions. */
function exportsOfProtocol(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of readdirSync(join(root, PROTOCOL), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const file = `${PROTOCOL}/${path.replaceAll('\\', '/')}`
    const source = readFileSync(join(root, file), 'utf8')
    for (const { name } of declaredIn(source))
      if (new RegExp(`^export (?:const|function) ${name}\\b`, 'm').test(source)) found.set(name, file)
  }
  return found
}

/** Vectors are played by one test file; end-to-end tests run the bundle, in which nothing is broken. */
const runnable = (files: readonly string[]): readonly string[] =>
  [
    ...new Set(
      files.filter((file) => !file.startsWith('e2e/')).map((file) => (file.endsWith('.json') ? 'conformance/suite.test.ts' : file)),
    ),
  ].toSorted((a, b) => Number(a.startsWith('conformance/')) - Number(b.startsWith('conformance/')))

const label = ({ kind, file, from, to }: Edit): string => `${kind}: ${file}: ${JSON.stringify(from)} is ${JSON.stringify(to)}`

export function mutationsOf(
  root: string,
  statements: readonly Statement[],
  tagged: ReadonlyMap<string, readonly string[]>,
): readonly Mutation[] {
  const exported = exportsOfProtocol(root)
  return statements.flatMap((statement): readonly Mutation[] => {
    const { id } = statement
    const files = runnable(tagged.get(id) ?? [])
    const rows = constantsOf(statement).flatMap((place): readonly Mutation[] => {
      const constant = constantOf(place)
      if (constant === undefined) return []
      const { file = exported.get(constant.name) ?? '', name, steps } = constant
      return [{ id, place, target: { file, name, steps }, files }]
    })
    const second = SECOND[id]
    const edits = second !== undefined && isEdits(second) ? second : []
    return [...rows, ...edits.map((edit): Mutation => ({ id, place: label(edit), edit, files }))]
  })
}
