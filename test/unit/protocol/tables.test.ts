/** All tables are complete, and all schemas can be expressed in JSON Schema. */
import {
  COMMAND_FAMILIES,
  type CommandRow,
  COMMANDS,
  type EndpointRow,
  ENDPOINTS,
  ERRORS,
  type EventRow,
  EVENTS,
  isScopeName,
  LIMITS,
  offeredTo,
  PERMISSIONS,
  SCOPES,
} from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tableOf } from '#protocol/src/table.ts'

const commands = Object.entries<CommandRow>(COMMANDS)
const events = Object.entries<EventRow>(EVENTS)
const endpoints = Object.entries<EndpointRow>(ENDPOINTS)

describe('COMMANDS', () => {
  it('makes embedded and private commands unavailable over a local socket', { tags: ['1-19'] }, () => {
    const families = [COMMAND_FAMILIES.embedded, COMMAND_FAMILIES.private]
    for (const row of families.flatMap((family) => Object.values<CommandRow>(family)))
      expect(
        row.requires.every((set) => set.some((scope) => /^rpc\.(private|embedded_app)/.test(scope))),
        row.name,
      ).toBe(true)
  })

  it('says of exactly the commands that only the platform can serve why the bridge refuses them', { tags: ['1-19'] }, () => {
    for (const [name, row] of commands) {
      expect(row.refusal !== undefined, name).toBe(row.handledBy === 'embedded')
      if (row.handledBy === 'embedded') expect(row.refusal, name).toMatch(/^[A-Z].{20,}\.$/)
    }
    const served = Object.values<CommandRow>(COMMAND_FAMILIES.embedded).filter(({ handledBy }) => handledBy !== 'embedded')
    expect(served.map(({ name }) => name)).toEqual([
      'INVITE_USER_EMBEDDED',
      'CAPTURE_LOG',
      'GET_PLATFORM_BEHAVIORS',
      'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS',
    ])
    for (const { name, requires } of served) expect(offeredTo(requires), name).toEqual(['activity'])
  })

  it('treats absent, null and empty arguments the same for commands without arguments', () => {
    for (const name of ['GET_GUILDS', 'GET_VOICE_SETTINGS', 'GET_BRIDGE_STATUS', 'AUTHENTICATE', 'FORGET_TOKENS'] as const) {
      for (const args of [undefined, null, {}]) expect(COMMANDS[name].args.safeParse(args).success, name).toBe(true)
    }
    expect(COMMANDS.GET_GUILDS.args.safeParse({ surprise: 1 }).success).toBe(false)
  })
})

describe('EVENTS', () => {
  it('identify retained state by arguments that SUBSCRIBE requires', () => {
    const retained = Object.values<EventRow>(EVENTS).flatMap(({ name, args, retained: names = [] }) =>
      names.map((path) => [name, args, path] as const),
    )
    expect(retained.map(([name, , path]) => `${name} ${path}`)).toEqual(['GUILD_STATUS guild_id'])
    for (const [name, args, path] of retained)
      expect(
        args.safeParse({}).error?.issues.map((issue) => issue.path[0]),
        name,
      ).toContain(path)
  })
})

describe('every row', () => {
  const rows = [...commands, ...events, ...endpoints]

  it('has its own name as key, a summary, and existing scopes', () => {
    for (const [name, row] of rows) {
      expect(row.name).toBe(name)
      expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/)
      expect(row.summary, name).toMatch(/^[A-Z].{5,}[.]$/)
      expect(row.since, name).toMatch(/^\d+\.\d+$/)
      for (const scope of row.requires.flat()) expect(isScopeName(scope), `${name}: ${scope}`).toBe(true)
    }
  })

  it('can be expressed in JSON Schema, for input and output', () => {
    const schemas = [
      ...[...commands, ...events].flatMap(([, row]) => [row.args, row.data]),
      ...endpoints.flatMap(([, row]) => [row.args, row.response]),
    ]
    for (const schema of schemas) for (const io of ['input', 'output'] as const) expect(() => z.toJSONSchema(schema, { io })).not.toThrow()
  })

  it('names only existing errors', () => {
    for (const [name, row] of commands) for (const error of row.errors) expect(Object.hasOwn(ERRORS, error), name).toBe(true)
  })
})

describe('the other tables', () => {
  it('have a summary for each error, limit, scope and permission, and a unique code for each error', () => {
    const all = [ERRORS, LIMITS, SCOPES, PERMISSIONS].flatMap((table) => Object.entries<{ readonly summary: string }>(table))
    for (const [name, row] of all) expect(row.summary, name).toMatch(/^[A-Z].*\.$/)
    const codes = Object.values(ERRORS).map((row) => row.code)
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('rejects two rows with one name', () => {
    const row = (name: string) => ({ name, summary: 'A row.' })
    expect(() => tableOf({ one: { a: row('A'), b: row('B') }, other: { c: row('A') } })).toThrow('two rows are named A')
  })
})
