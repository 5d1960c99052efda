/** Checks the coverage ledger without running tests: every place exists, every implemented line has a tagged test, every tag has a line. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as protocol from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { COVERAGE, STATEMENTS } from '../coverage/index.ts'
import { constantOf, lastStepOf } from '../coverage/places.ts'
import { isImplemented } from '../coverage/statement.ts'
import { taggedFiles, taggedVectors, vectorFiles } from '../coverage/tags.ts'
import { ROOT } from './source-tree.ts'

const EXPORTS: Readonly<Record<string, unknown>> = protocol

const isThere = (place: string): boolean => {
  const constant = constantOf(place)
  if (constant === undefined) return existsSync(join(ROOT, place))
  const { file, name, steps } = constant
  if (file !== undefined)
    return (
      existsSync(join(ROOT, file)) &&
      new RegExp(`^(?:export )?(?:const|function) ${name}\\b`, 'm').test(readFileSync(join(ROOT, file), 'utf8'))
    )
  return Object.hasOwn(EXPORTS, name) && (steps.length === 0 || lastStepOf(EXPORTS[name], steps) !== undefined)
}

const implementedIds = STATEMENTS.filter(isImplemented).map(({ id }) => id)

describe('the coverage ledger', () => {
  it('has every section of the specification', () => {
    expect(COVERAGE.map(({ number }) => number)).toEqual([
      '1',
      '2.1',
      '2.2',
      '3',
      '4.1',
      '4.1 rules',
      '4.2',
      '4.3',
      '5',
      '6',
      '7',
      '8',
      '9.1',
      '9.2',
    ])
  })

  it('has ids of their section, each once, and no statement twice', () => {
    for (const { number, statements } of COVERAGE)
      for (const { id } of statements) expect(id).toMatch(new RegExp(`^${RegExp.escape(number.replace(' ', '-'))}-[0-9]+$`))
    expect(new Set(STATEMENTS.map(({ id }) => id)).size).toBe(STATEMENTS.length)
    const says = COVERAGE.flatMap(({ number, statements }) => statements.map((statement) => `${number} ${statement.text}`))
    expect(new Set(says).size).toBe(says.length)
  })

  it('has for each statement a place, or a reason and what a caller does instead, or what is not built yet', () => {
    const bare = STATEMENTS.filter((statement) => {
      const { where, excuse, planned } = statement
      return isImplemented(statement) ? where.join('') === '' : [excuse?.reason, excuse?.instead, planned].includes('')
    })
    expect(bare.map(({ id }) => id)).toEqual([])
  })

  it('names only rows, constants and files that exist', () => {
    expect(STATEMENTS.flatMap(({ id, where }) => where.filter((place) => !isThere(place)).map((place) => `${id} ${place}`))).toEqual([])
  })
})

describe('the tags of tests', () => {
  const files = taggedFiles()

  it('are on at least one test for each implemented line', () => {
    expect(implementedIds.filter((id) => !files.has(id))).toEqual([])
  })

  it('name implemented lines', () => {
    expect([...files].filter(([id]) => !implementedIds.includes(id)).map(([id, paths]) => `${id} ${paths.join(', ')}`)).toEqual([])
  })

  it('are not only on vectors that expect the absence of the desktop client', () => {
    const absent = vectorFiles().flatMap((path) =>
      taggedVectors(path)
        .filter(({ steps }) => steps.some(({ error }) => error === protocol.ERRORS.SERVICE_UNAVAILABLE.code))
        .filter(({ steps }) => steps.every(({ call, error }) => call === undefined || error !== undefined))
        .flatMap(({ ledger }) => (ledger ?? []).map((id) => ({ id, path }))),
    )
    expect(absent.filter(({ id, path }) => files.get(id)?.every((file) => file === path)).map(({ id }) => id)).toEqual([])
  })
})
