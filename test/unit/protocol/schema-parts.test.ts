/** Schemas are made in parts, so that none keeps the daemon from other games for long. The work of a turn is counted in instances of zod. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type * as protocolModule from '#protocol/src/index.ts'

/** What one turn may make: an instance takes about 20 µs when its code runs for the first time. */
const MOST_IN_A_TURN = 220

/** Has every field whose schema is behind `z.lazy`. */
const RICH = { embeds: [{}], components: [{}], data: {}, options: [{}] }

type Protocol = typeof protocolModule

const counted = { made: 0 }
let protocol: Protocol

/** Tables of which nothing is made yet. */
beforeEach(async () => {
  vi.resetModules()
  protocol = await import('#protocol/src/index.ts')
  counted.made = 0
  z.config({ postProcessor: () => (counted.made += 1) })
  return () => z.config({ postProcessor: undefined })
})

/** Makes what a value needs, one part in each turn. Returns what each turn made. */
function turnsOf(parser: { makeParts(value: unknown, mayGoOn: () => boolean): boolean }, value: unknown): readonly number[] {
  const turns: number[] = []
  for (let isOver = false; !isOver; ) {
    counted.made = 0
    isOver = parser.makeParts(value, () => false)
    turns.push(counted.made)
  }
  return turns
}

function rows(): readonly (readonly [string, () => z.ZodType])[] {
  const { COMMANDS, ENDPOINTS, EVENTS } = protocol
  return [
    ...Object.values(COMMANDS).map((row) => [`${row.name} args`, () => row.args] as const),
    ...Object.values(ENDPOINTS).map((row) => [`${row.name} response`, () => row.response] as const),
    ...Object.values(EVENTS).map((row) => [`${row.name} data`, () => row.data] as const),
  ]
}

test('a turn makes a part of any schema of the tables, and no more', () => {
  const most = rows().map(([name, make]) => [name, Math.max(...turnsOf(protocol.parserOf(make), {}))] as const)
  expect(most.filter(([, made]) => made > MOST_IN_A_TURN)).toEqual([])
  expect(most.length).toBeGreaterThan(500)
})

test('a schema that one turn can make makes nothing besides itself', async () => {
  const { ENDPOINTS, responseParser } = protocol
  expect(responseParser(ENDPOINTS.GET_CURRENT_USER_GUILDS).makeParts(undefined, () => true)).toBe(true)
  const inTurn = counted.made
  vi.resetModules()
  const fresh: Protocol = await import('#protocol/src/index.ts')
  counted.made = 0
  expect(fresh.ENDPOINTS.GET_CURRENT_USER_GUILDS.response).toBeDefined()
  expect(inTurn).toBe(counted.made)
  expect(inTurn).toBeGreaterThan(0)
})

describe.each(['CREATE_MESSAGE', 'CREATE_INTERACTION_RESPONSE', 'EDIT_MESSAGE', 'EDIT_GUILD_APPLICATION_COMMAND'] as const)(
  'the largest schemas: %s',
  (name) => {
    test('the first call takes several turns, and so do the parts that only some calls need', () => {
      const parser = protocol.commandArgsParser(protocol.COMMANDS[name])
      expect(parser.ifMade({})).toBeUndefined()
      const plain = turnsOf(parser, {})
      expect(plain.length).toBeGreaterThan(3)
      expect(parser.ifMade({})).toBeDefined()
      expect(parser.ifMade(RICH)).toBeUndefined()
      const rich = turnsOf(parser, RICH)
      expect(rich.length).toBeGreaterThan(2)
      expect(Math.max(...plain, ...rich)).toBeLessThanOrEqual(MOST_IN_A_TURN)
      counted.made = 0
      expect(parser.ifMade(RICH)).toBeDefined()
      expect(counted.made).toBe(0)
    })

    test('in parts it is the same schema as at once', async () => {
      const inParts = protocol.COMMANDS[name]
      turnsOf(protocol.commandArgsParser(inParts), RICH)
      const before = z.toJSONSchema(inParts.args, { reused: 'inline' })
      vi.resetModules()
      const { COMMANDS }: Protocol = await import('#protocol/src/index.ts')
      expect(z.toJSONSchema(COMMANDS[name].args, { reused: 'inline' })).toEqual(before)
    })
  },
)
