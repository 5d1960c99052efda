/** Checks the coverage ledger: every place exists, every test is in its file, and each statement has both or a reason. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { COVERAGE } from '../coverage/index.ts'
import { ROOT } from './source-tree.ts'

const TABLES: Readonly<Record<string, object>> = { command: COMMANDS, endpoint: ENDPOINTS, event: EVENTS }

const isThere = (place: string): boolean => {
  const [table = '', name] = place.split(':')
  return name === undefined ? existsSync(join(ROOT, place)) : Object.hasOwn(TABLES[table] ?? {}, name)
}

/** `file > part of a title`: the part stands in the file, inside quotes. */
const isTested = (test: string): boolean => {
  const [file = '', title = ''] = test.split(' > ')
  const path = join(ROOT, 'test', file)
  if (title === '' || !existsSync(path)) return false
  return readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => line.includes(title) && /['"`]/.test(line))
}

const lines = COVERAGE.flatMap(({ number, statements }) =>
  statements.map((statement, index) => ({ id: `${number}-${index + 1}`, statement })),
)

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

  it('has for each statement a place and a test, or a reason and what a caller gets instead', () => {
    const bare = lines.filter(({ statement: { where, tests, reason: because, instead } }) =>
      because === undefined ? where.length === 0 || tests.length === 0 : because === '' || !instead,
    )
    expect(bare.map(({ id, statement }) => `${id} ${statement.text}`)).toEqual([])
  })

  it('names only rows and files that exist', () => {
    expect(
      lines.flatMap(({ id, statement }) => statement.where.filter((place) => !isThere(place)).map((place) => `${id} ${place}`)),
    ).toEqual([])
  })

  it('names only tests that exist', () => {
    expect(lines.flatMap(({ id, statement }) => statement.tests.filter((test) => !isTested(test)).map((test) => `${id} ${test}`))).toEqual(
      [],
    )
  })

  it('has no duplicates', () => {
    const says = COVERAGE.flatMap(({ number, statements }) => statements.map((statement) => `${number} ${statement.text}`))
    expect(new Set(says).size).toBe(says.length)
  })
})
