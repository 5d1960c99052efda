/** Every row of COMMANDS, EVENTS and ENDPOINTS has what must exist for it (a handler, a conformance vector, a line in the reference), and none of these exists without its row. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, type CommandRow, type EndpointRow, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { HANDLERS } from '../../daemon/src/rpc/handlers/index.ts'
import { isVerbatim } from '../support/verbatim.ts'
import { codeOnly, ROOT } from './source-tree.ts'

const VECTORS = join(ROOT, 'test/conformance/vectors')
const REFERENCE = join(ROOT, 'protocol/generated/reference')

const TABLES = {
  commands: Object.keys(COMMANDS),
  events: Object.keys(EVENTS),
  endpoints: Object.keys(ENDPOINTS),
} as const
type TableName = keyof typeof TABLES
const TABLE_NAMES = Object.keys(TABLES) as TableName[]

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort()
const without = (names: readonly string[], others: Iterable<string>): readonly string[] => {
  const known = new Set(others)
  return sorted(names.filter((name) => !known.has(name)))
}

/** Names that a page of the reference has a section for. */
const documented = (table: TableName): readonly string[] =>
  [...readFileSync(join(REFERENCE, `${table}.md`), 'utf8').matchAll(/^## `?([A-Z][A-Z0-9_]*)`?\s*$/gm)].map((match) => match[1] ?? '')

interface VectorFile {
  readonly cases: readonly { readonly covers?: readonly string[] }[]
}

/** Each case of a vector file names the rows it proves, as `command:NAME`, `event:NAME` or `endpoint:NAME`. */
const vectorRows = (): readonly string[] =>
  readdirSync(VECTORS)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => (JSON.parse(readFileSync(join(VECTORS, name), 'utf8')) as VectorFile).cases)
    .flatMap(({ covers = [] }) => covers)
    .map((row) => row.replace(':', 's/'))

const qualified = (table: TableName): readonly string[] => TABLES[table].map((name) => `${table}/${name}`)

describe('the tables', () => {
  it('are as large as the protocol is', () => {
    expect(TABLES.commands.length).toBeGreaterThan(80)
    expect(TABLES.events.length).toBeGreaterThan(30)
    expect(TABLES.endpoints.length).toBeGreaterThanOrEqual(10)
  })

  it('are keyed by the names of their rows', () => {
    for (const table of [COMMANDS, EVENTS, ENDPOINTS]) {
      expect(Object.values<{ readonly name: string }>(table).map(({ name }) => name)).toEqual(Object.keys(table))
    }
  })
})

describe('an endpoint row', () => {
  it('describes its answer by a schema that changes nothing: the text of the platform goes on to the game as it came', () => {
    const changing = Object.values<EndpointRow>(ENDPOINTS).filter(({ response }) => !isVerbatim(response))
    expect(changing.map(({ name }) => name)).toEqual([])
  })
})

describe('a command row', () => {
  const answeredBy = (by: CommandRow['handledBy']): readonly string[] =>
    Object.values<CommandRow>(COMMANDS)
      .filter((row) => row.handledBy === by)
      .map(({ name }) => name)

  it('that the bridge answers has a handler, and the reverse', () => {
    expect(sorted(Object.keys(HANDLERS))).toEqual(sorted(answeredBy('bridge')))
    for (const handler of Object.values(HANDLERS)) expect(handler).toBeTypeOf('function')
  })

  it('that the HTTP API answers has an endpoint row of its name', () => {
    expect(without(answeredBy('api'), TABLES.endpoints)).toEqual([])
  })
})

describe('an endpoint row', () => {
  it('has a handler in the sandbox, and the sandbox has no other', () => {
    const operations = codeOnly(readFileSync(join(ROOT, 'daemon/sandbox/src/api/operations.ts'), 'utf8'))
    const table = /\bHANDLERS: Handlers = \{([^}]*)\}/.exec(operations)?.[1] ?? ''
    const handled = [...table.matchAll(/^\s*([A-Z][A-Z0-9_]*): \w+,$/gm)].map((match) => match[1] ?? '')
    // Endpoints that issue tokens, or need none, are called without a token, so they are outside the table.
    const withoutToken = Object.values<EndpointRow>(ENDPOINTS).filter(({ auth }) => auth === 'client' || auth === 'none')
    expect(sorted([...handled, ...withoutToken.map(({ name }) => name)])).toEqual(sorted(TABLES.endpoints))
  })
})

describe.each(TABLE_NAMES)('%s', (table) => {
  it('have each a section in the generated reference, and the reverse', () => {
    const page = documented(table)
    expect(without(TABLES[table], page)).toEqual([])
    expect(without(page, TABLES[table])).toEqual([])
  })

  it('have each a conformance vector', () => {
    expect(existsSync(VECTORS)).toBe(true)
    expect(without(qualified(table), vectorRows())).toEqual([])
  })
})

describe('a conformance vector', () => {
  it('names rows that exist', () => {
    expect(without(vectorRows(), TABLE_NAMES.flatMap(qualified))).toEqual([])
  })
})
