/** Runs every vector against our own bridge over a real socket. Only the HTTP API and the sign-in are fakes. */
import { COMMANDS, type CommandRow, type EndpointRow, ENDPOINTS, type EventRow, EVENTS } from '@sallyport/protocol'
import { systemClock } from '@sallyport/core/clock'
import { Secret } from '@sallyport/core/secret'
import { describe, expect, test } from 'vitest'
import { serveBridge } from '#test/support/served-bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'
import { loadVectors, unknownKeys, type Vector } from '#test/support/vectors.ts'
import { isAnsweredByApi, isForwarded, isOfDesktopClient, isSubscribable } from './covered.ts'
import { needsOf } from './needs.ts'
import { fakePlatform } from './platform.ts'
import { playVector } from './player.ts'

/** Plays one vector on a bridge of its own, and checks the requests to the platform. */
async function run(vector: Vector): Promise<void> {
  const { forwarder, seen } = fakePlatform(systemClock, (method, path) => vector.platform[`${method} ${path}`])
  const bridge = await serveBridge({ forwarder, ...(vector.bot ? { botToken: new Secret('bot-token') } : {}) })
  bridge.consent.decide = async () => {}
  try {
    await playVector(vector, { path: bridge.path, applicationId: '1234567890', token: async (scopes) => tokenOf(scopes) })
    expect(seen).toMatchObject(vector.requests as object[])
    expect(seen).toHaveLength(vector.requests.length)
    expect(bridge.log.problems).toEqual([])
  } finally {
    await bridge.stop()
    await forwarder.close()
  }
}

/** Token endpoints, with the command that uses them. */
const USED_VIA: Readonly<Record<string, string>> = {
  'endpoint:REQUEST_CHILD_TOKEN': 'EXCHANGE_CHILD_TOKEN',
  'endpoint:REQUEST_PROVISIONAL_ACCOUNT_UNMERGE': 'UNMERGE_PROVISIONAL_ACCOUNT',
  'endpoint:REQUEST_PROVISIONAL_TOKEN': 'GET_PROVISIONAL_TOKEN',
  'endpoint:REQUEST_TOKEN': 'GET_TOKEN',
}

/** Returns the name of a row in the steps: its own, or that of the command that uses it. */
const nameInSteps = (row: string): string => USED_VIA[row] ?? row.slice(row.indexOf(':') + 1)

const FAMILIES = loadVectors()

for (const { family, vectors } of FAMILIES) {
  describe(family, () => {
    for (const vector of vectors) test(vector.name, { tags: [...vector.ledger] }, () => run(vector))
  })
}

describe('the vectors', () => {
  const all = FAMILIES.flatMap(({ vectors }) => vectors)
  const covered = new Set(all.flatMap(({ covers }) => covers))

  /** Names of the rows, with whether a property over the table covers them. */
  const rows: readonly (readonly [row: string, byProperty: boolean])[] = [
    ...Object.values<CommandRow>(COMMANDS).map((row) => [`command:${row.name}`, isAnsweredByApi(row) || isOfDesktopClient(row)] as const),
    ...Object.values<EndpointRow>(ENDPOINTS).map((row) => [`endpoint:${row.name}`, isForwarded(row)] as const),
    ...Object.values<EventRow>(EVENTS).map((row) => [`event:${row.name}`, isSubscribable(row)] as const),
  ]

  test('cover every row that no property covers, and only existing rows', () => {
    expect(rows.filter(([row, byProperty]) => !byProperty && !covered.has(row))).toEqual([])
    const names = new Set(rows.map(([row]) => row))
    expect([...covered].filter((row) => !names.has(row))).toEqual([])
  })

  test('use the rows that they claim to cover', () => {
    const idle = all.flatMap(({ name, covers, steps }) => {
      const text = JSON.stringify(steps)
      return covers.filter((row) => !text.includes(`"${nameInSteps(row)}"`)).map((row) => `${name}: ${row}`)
    })
    expect(idle).toEqual([])
  })

  test('have a rule, a unique name and no unknown keys', () => {
    expect(all.filter(({ rule }) => rule.length < 10).map(({ name }) => name)).toEqual([])
    expect(all.flatMap(({ name, steps }) => steps.flatMap(unknownKeys).map((key) => `${name}: ${key}`))).toEqual([])
    for (const { family, vectors } of FAMILIES) expect(new Set(vectors.map(({ name }) => name)).size, family).toBe(vectors.length)
  })

  test('are mostly portable', () => {
    const portable = all.filter((vector) => needsOf(vector).every((need) => need === 'user'))
    expect(portable.length / all.length).toBeGreaterThan(0.7)
  })
})
