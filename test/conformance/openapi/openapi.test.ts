/** Compares every endpoint row and its requests with the platform's public OpenAPI description. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EndpointName, ENDPOINTS, type EndpointRow, LEFT_OUT } from '@sallyport/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { differencesOf } from './comparison.ts'
import { Description, shapeOf } from './description.ts'
import { DIFFERENCES, NOT_LISTED, SAMPLES, VALUES } from './differences.ts'
import { linesNaming } from '../../coverage/index.ts'
import { samplesOf } from '#test/support/row-samples.ts'

const EXTRACT = join(import.meta.dirname, 'operations.json')
const SOURCE = 'The public OpenAPI description of HTTP API v10 (MIT): the method and path of every operation.'

const shapeOfLine = (line: string): string => shapeOf(...(line.split(' ') as [string, string]))

const rows = Object.values<EndpointRow>(ENDPOINTS)
const onPurpose = (row: string): readonly string[] =>
  DIFFERENCES.filter(({ rows: named }) => named.some((name) => name === row)).map(({ found }) => found)
const samplesFor = (row: EndpointRow) => SAMPLES[row.name as EndpointName] ?? samplesOf(row, VALUES[row.name as EndpointName])

describe('the list of operations', () => {
  const { operations } = JSON.parse(readFileSync(EXTRACT, 'utf8')) as { readonly operations: readonly string[] }
  const shapes = new Set(operations.map(shapeOfLine))

  it('is sorted and complete', () => {
    expect(operations).toEqual([...new Set(operations)].toSorted())
    expect(operations.length).toBeGreaterThan(200)
  })

  it('has every operation as a row, or left out with a reason, and none as both', () => {
    const byRow = new Set(rows.map(({ method, path }) => shapeOf(method, path)))
    const leftOut = LEFT_OUT.flatMap(({ operations: lines }) => lines)
    const explained = new Set([...byRow, ...leftOut.map(shapeOfLine)])
    expect(
      operations.filter((line) => !explained.has(shapeOfLine(line))),
      'write a row for each, or a reason in protocol/src/endpoints/left-out.ts',
    ).toEqual([])
    expect(leftOut.filter((line) => byRow.has(shapeOfLine(line)))).toEqual([])
    expect(leftOut.filter((line) => !operations.includes(line))).toEqual([])
    expect(leftOut).toEqual([...new Set(leftOut)])
  })

  for (const { name, method, path } of rows)
    it(`has ${name}`, { tags: linesNaming(`ENDPOINTS.${name}.path`) }, () => {
      const isThere = shapes.has(shapeOf(method, path))
      if (onPurpose(name).includes(NOT_LISTED)) expect(isThere, `${name} is listed now: remove its line from differences.ts`).toBe(false)
      else
        expect(isThere, `no operation is listed as ${method} ${path}; if that is right, say why with NOT_LISTED in differences.ts`).toBe(
          true,
        )
    })
})

describe('samples', () => {
  it.each(rows)('of $name are accepted by the row', (row) => {
    for (const args of samplesFor(row)) {
      const { error } = row.args.safeParse(args)
      expect(error?.issues, `write values for ${row.name} in differences.ts; made: ${JSON.stringify(args).slice(0, 500)}`).toBeUndefined()
    }
  })

  it('contain every argument of their row', () => {
    for (const row of rows) {
      const made = new Set(samplesFor(row).flatMap((args) => Object.keys(args)))
      const { shape } = row.args as unknown as { readonly shape: object }
      expect([...made].toSorted(), row.name).toEqual(Object.keys(shape).toSorted())
    }
  })
})

const file = process.env['SALLYPORT_TEST_OPENAPI']

describe('the description', () => {
  beforeEach((context) => context.skip(file === undefined, 'SALLYPORT_TEST_OPENAPI is not the path of the public API description.'))
  const description = file === undefined ? undefined : new Description(file)
  const found = (row: EndpointRow) => (description === undefined ? [] : differencesOf(row, samplesFor(row), description))

  it('has a row for every operation that accepts the token of a user', () => {
    const shapes = new Set(rows.map(({ method, path }) => shapeOf(method, path)))
    const missing = (description?.list ?? []).filter((line) => {
      const [method, path] = line.split(' ') as [string, string]
      return (
        description?.operation(method, path)?.object.security?.some((one) => 'OAuth2' in one) === true && !shapes.has(shapeOfLine(line))
      )
    })
    expect(missing).toEqual([])
  })

  it('has the listed operations (updated by a run with --update)', async () => {
    const text = JSON.stringify({ source: SOURCE, operations: description?.list }, undefined, 2)
    await expect(`${text}\n`).toMatchFileSnapshot(EXTRACT)
  })

  it.each(rows)('agrees with $name', (row) => {
    const expected = onPurpose(row.name)
    const differences = found(row)
    expect(
      differences.filter((one) => !expected.includes(one)),
      `${row.name}: fix the row, or add the reason in differences.ts`,
    ).toEqual([])
    expect(
      expected.filter((one) => !differences.includes(one)),
      `${row.name} no longer differs so: remove the line from differences.ts`,
    ).toEqual([])
  })
})

describe('the differences', () => {
  it('contain existing rows, each once, with a reason', () => {
    const lines = DIFFERENCES.flatMap(({ rows: named, found }) => named.map((name) => `${name}: ${found}`))
    expect(lines).toEqual([...new Set(lines)])
    for (const { rows: named, found, reason } of DIFFERENCES) {
      for (const name of named) expect(Object.hasOwn(ENDPOINTS, name), `${name} is not a row`).toBe(true)
      expect(reason.length, found).toBeGreaterThan(20)
    }
  })
})
