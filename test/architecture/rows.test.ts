/** Checks that every row of COMMANDS, EVENTS and ENDPOINTS has its handler and reference section, and that none exists without a row. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, type CommandRow, type EndpointRow, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { createHandlers } from '#daemon/src/rpc/handlers/index.ts'
import { testBridge } from '#test/support/bridge.ts'
import { isVerbatim } from '#test/support/verbatim.ts'
import { codeOnly, ROOT } from './source-tree.ts'

const REFERENCE = join(ROOT, 'protocol/generated/reference')
const SANDBOX_API = join(ROOT, 'daemon/sandbox/src/api')

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

/** Names that the pages of a table in the reference have a section for. */
const sections = (table: TableName): readonly string[] =>
  readdirSync(join(REFERENCE, table)).flatMap((page) =>
    [...readFileSync(join(REFERENCE, table, page), 'utf8').matchAll(/^## ([A-Z][A-Z0-9_]*)$/gm)].map((match) => match[1] ?? ''),
  )

/** An endpoint is a command too, with one section for both. */
const documented = (table: TableName): readonly string[] =>
  table === 'commands' ? [...sections(table), ...sections('endpoints').filter((name) => Object.hasOwn(COMMANDS, name))] : sections(table)

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
    const handlers = createHandlers(testBridge().handlerDeps)
    expect(sorted(Object.keys(handlers))).toEqual(sorted(answeredBy('bridge')))
    for (const handler of Object.values(handlers)) expect(handler).toBeTypeOf('function')
  })

  it('that the HTTP API answers has an endpoint row of its name', () => {
    expect(without(answeredBy('api'), TABLES.endpoints)).toEqual([])
  })
})

describe('an endpoint row', () => {
  it('has one handler in the sandbox, and the sandbox has no other', () => {
    const code = readdirSync(SANDBOX_API).map((file) => codeOnly(readFileSync(join(SANDBOX_API, file), 'utf8')))
    const tables = code.flatMap((text) =>
      [...text.matchAll(/Handlers = \{([^}]*)\} satisfies Partial<Handlers>/g)].map((match) => match[1] ?? ''),
    )
    const handled = tables.flatMap((table) => [...table.matchAll(/^\s*([A-Z][A-Z0-9_]*): \w+,$/gm)].map((match) => match[1] ?? ''))
    // Endpoints that issue tokens, or need none, are called without a token, so they are outside the table.
    const withoutToken = Object.values<EndpointRow>(ENDPOINTS).filter(({ auth }) => auth === 'client' || auth === 'none')
    const known = [...handled, ...withoutToken.map(({ name }) => name)]
    expect(without(TABLES.endpoints, known), 'write a handler for each in daemon/sandbox/src/api').toEqual([])
    expect(without(known, TABLES.endpoints), 'write a row for each in protocol/src/endpoints').toEqual([])
  })
})

describe.each(TABLE_NAMES)('%s', (table) => {
  it('have each a section in the generated reference, and the reverse', () => {
    const page = documented(table)
    expect(page.toSorted(), 'run npm run codegen').toEqual(TABLES[table].toSorted())
  })
})
