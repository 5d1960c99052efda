/** Checks the second dimension of the coverage ledger without running a mutation: every line has one or says why not, and every edit fits. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STATEMENTS } from '../coverage/index.ts'
import { edited } from '../coverage/mutation/plugin.ts'
import { constantOf } from '../coverage/places.ts'
import { type Edit, isEdits, KINDS, type WhyNone } from '../coverage/second/edit.ts'
import { SECOND } from '../coverage/second/index.ts'
import { isImplemented, type Statement } from '../coverage/statement.ts'
import { ROOT } from './source-tree.ts'

/** So many lines have edits at least. */
const LEAST = 120

const implemented = STATEMENTS.filter(isImplemented)
const editsOf = (id: string): readonly Edit[] => {
  const second = SECOND[id]
  return second !== undefined && isEdits(second) ? second : []
}
const all = implemented.flatMap(({ id }) => editsOf(id).map((edit) => [id, edit] as const))

/** The file of a place, or the row of a table: `ENDPOINTS.GET_LOBBY`. */
function rootOf(place: string): string {
  const constant = constantOf(place)
  return constant === undefined ? place : (constant.file ?? [constant.name, ...constant.steps.slice(0, 1)].join('.'))
}

/** Files and rows at which a line with edits is, or its edits are. */
const covered = new Set(
  implemented
    .filter(({ id }) => editsOf(id).length > 0)
    .flatMap(({ id, where }) => [...where.map(rootOf), ...editsOf(id).map(({ file }) => file)]),
)

/** Whether a line is what its word says. */
const FITS: Readonly<Record<WhyNone, (statement: Statement) => boolean>> = {
  elsewhere: ({ where }) => where.some((place) => covered.has(rootOf(place))),
  client: ({ where }) => where.some((place) => place.startsWith('bindings/')),
  route: ({ where }) => where.some((place) => place.endsWith('.path') || place.endsWith('.handledBy')),
  value: ({ where }) => where.some((place) => constantOf(place) !== undefined),
  field: ({ where }) => where.some((place) => place.includes('.args.')),
  day: ({ where }) => where.some((place) => place.startsWith('VERSIONS[') || place.endsWith('.since')),
  release: ({ where }) => where.some((place) => place.startsWith('SDK_RELEASES[')),
}

describe('the second dimension', () => {
  it('is there for each implemented line, and for no other', () => {
    expect(Object.keys(SECOND).toSorted()).toEqual(implemented.map(({ id }) => id).toSorted())
  })

  it(`has edits of every kind, for at least ${LEAST} lines`, () => {
    expect(new Set(all.map(([id]) => id)).size).toBeGreaterThanOrEqual(LEAST)
    expect([...new Set(all.map(([, { kind }]) => kind))].toSorted()).toEqual(Object.keys(KINDS).toSorted())
  })

  it('has edits whose text occurs exactly once in its file, each once on a line', () => {
    const broken = all.flatMap(([id, edit]) => {
      const path = join(ROOT, edit.file)
      const source = existsSync(path) ? readFileSync(path, 'utf8') : ''
      const count = source.split(edit.from).length - 1
      const isChange = edited(source, edit) !== source
      return count === 1 && isChange ? [] : [`${id} ${edit.file}: ${JSON.stringify(edit.from)} occurs ${count} times`]
    })
    expect(broken, 'write the text of the edit as it is in the file now').toEqual([])
    const texts = all.map(([id, edit]) => `${id} ${JSON.stringify(edit)}`)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('says why a line has none by a word that its places bear out', () => {
    const wrong = implemented.filter((statement) => {
      const second = SECOND[statement.id] ?? []
      return isEdits(second) ? second.length === 0 : !FITS[second](statement)
    })
    expect(wrong.map(({ id }) => `${id} ${JSON.stringify(SECOND[id])}`)).toEqual([])
  })
})
