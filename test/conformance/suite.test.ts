/** Runs every vector against the bridge over a real socket. Only the HTTP API is a fake. */
import { COMMANDS, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import { createForwarder } from '../../daemon/src/platform/api/forwarder.ts'
import { Warnings } from '../../daemon/src/platform/api/warnings.ts'
import type { TestBridge } from '../support/bridge.ts'
import { frame, handshake, jsonOf, OP } from '../support/frames.ts'
import { serveBridge } from '../support/served-bridge.ts'
import { SocketGame } from '../support/socket-game.ts'
import { tokenOf } from '../support/tokens.ts'
import { loadVectors, type Step, type Vector } from '../support/vectors.ts'
import { BASE_URL, fakePlatform } from './platform.ts'

/** Objects can have more fields than expected; other values must be equal. */
function expectLike(actual: unknown, expected: unknown): void {
  if (typeof expected === 'object' && expected !== null) expect(actual).toMatchObject(expected)
  else expect(actual).toEqual(expected)
}

const payloadOf = (payload: unknown): Buffer | string | object | null =>
  typeof payload === 'string' ? payload : (payload as object | null)

async function expectResponse(game: SocketGame, step: Extract<Step, { call: string }>, nonce: string | number): Promise<void> {
  const response = await game.message()
  expect(Object.keys(response).toSorted()).toEqual(['cmd', 'data', 'evt', 'nonce'])
  expect({ cmd: response.cmd, nonce: response.nonce }).toEqual({ cmd: step.call, nonce })
  if (step.error === undefined) {
    expect({ evt: response.evt, ...(response.evt === 'ERROR' ? { data: response.data } : {}) }).toEqual({ evt: null })
    expectLike(response.data, step.data)
  } else {
    expect({ evt: response.evt, code: response.data?.code }).toEqual({ evt: 'ERROR', code: step.error })
    expect(response.data.message.length).toBeGreaterThan(5)
    if (step.path !== undefined) expect(response.data.path).toBe(step.path)
    if (step.contains !== undefined) expect(response.data.message).toContain(step.contains)
  }
}

async function expectClosed(game: SocketGame, code: number, contains = ''): Promise<void> {
  const { opcode, payload } = await game.next()
  expect({ opcode, ...jsonOf(payload) }).toMatchObject({ opcode: OP.CLOSE, code, message: expect.stringContaining(contains) })
  expect(jsonOf(payload).message.length).toBeGreaterThan(10)
  expect(await game.frame()).toBeUndefined()
}

async function play(game: SocketGame, step: Step, { hub }: TestBridge, index: number): Promise<void> {
  if ('call' in step) {
    const nonce = step.nonce ?? `step-${index}`
    const { call: cmd, args, evt, times = 1 } = step
    const one = frame(OP.FRAME, { cmd, nonce, ...(args === undefined ? {} : { args }), ...(evt === undefined ? {} : { evt }) })
    game.send(times === 1 ? one : Buffer.concat(Array.from({ length: times }, () => one)), step.chunk)
    for (let count = 0; count < times; count++) await expectResponse(game, step, nonce)
  } else if ('signIn' in step) {
    const response = await game.call('AUTHENTICATE', { access_token: tokenOf(['identify', ...step.signIn]) })
    expect(response).toMatchObject({ evt: null })
  } else if ('frame' in step) {
    const one = frame(step.frame[0], payloadOf(step.frame[1]))
    game.send(Buffer.concat(Array.from({ length: step.times ?? 1 }, () => one)), step.chunk)
  } else if ('bytes' in step) {
    game.send(Buffer.from(step.bytes.replaceAll(' ', ''), 'hex'))
  } else if ('gets' in step) {
    const { opcode, payload } = await game.next()
    expect(opcode).toBe(step.gets[0])
    if (typeof step.gets[1] === 'string') expect(payload.toString()).toBe(step.gets[1])
    else expectLike(jsonOf(payload), step.gets[1])
  } else if ('message' in step) {
    expectLike(await game.message(), step.message)
  } else if ('publish' in step) {
    hub.publish({ name: step.publish, args: step.args ?? {} }, step.data)
  } else if ('quiet' in step) {
    game.send(frame(OP.PING, '"quiet?"'))
    const { opcode, payload } = await game.next()
    expect({ opcode, payload: payload.toString() }).toEqual({ opcode: OP.PONG, payload: '"quiet?"' })
  } else if ('closed' in step) {
    await expectClosed(game, step.closed, step.contains)
  } else if ('ended' in step) {
    expect(await game.frame()).toBeUndefined()
  } else if ('end' in step) {
    game.socket.end()
  } else {
    game.vanish()
  }
}

/** Runs one vector with its own daemon, and a second game that must not be affected. */
async function run(vector: Vector): Promise<void> {
  const { send, seen } = fakePlatform(vector.platform)
  const forwarder = createForwarder({
    profile: { baseUrl: BASE_URL, userAgent: 'test' },
    send,
    clock: systemClock,
    log: silentLogger,
    warnings: new Warnings(systemClock, silentLogger),
    random: () => 0,
  })
  const bridge = await serveBridge({ forwarder, ...(vector.bot ? { botToken: new Secret('bot-token') } : {}) })
  bridge.consent.decide = async () => {}
  const games: SocketGame[] = []
  try {
    const other = await SocketGame.greeted(bridge.path)
    games.push(other)
    const game = await SocketGame.connect(bridge.path)
    games.push(game)
    if (vector.hello !== null) {
      game.send(handshake(vector.hello))
      expect(await game.message()).toMatchObject({ cmd: 'DISPATCH', evt: 'READY', nonce: null })
    }
    for (const [index, step] of vector.steps.entries()) await play(game, step, bridge, index)
    expect(seen).toMatchObject(vector.requests as object[])
    expect(seen).toHaveLength(vector.requests.length)
    // Other connections are still served, and no internal error is logged.
    expect(await other.call('SET_ACTIVITY', { pid: 1, activity: { details: 'Still here' } })).toMatchObject({
      evt: null,
      data: { details: 'Still here' },
    })
    expect(bridge.log.problems).toEqual([])
  } finally {
    for (const one of games) one.vanish()
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
    test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => run(vector))
  })
}

describe('the vectors', () => {
  const all = FAMILIES.flatMap(({ vectors }) => vectors)

  test('cover all rows, and only existing rows', () => {
    const tables = { command: COMMANDS, event: EVENTS, endpoint: ENDPOINTS }
    const rows = Object.entries(tables).flatMap(([kind, table]) => Object.keys(table).map((name) => `${kind}:${name}`))
    const covered = new Set(all.flatMap(({ covers }) => covers))
    expect(rows.filter((row) => !covered.has(row))).toEqual([])
    expect([...covered].filter((row) => !rows.includes(row))).toEqual([])
  })

  test('use the rows that they claim to cover', () => {
    const idle = all.flatMap(({ name, covers, steps }) => {
      const text = JSON.stringify(steps)
      return covers.filter((row) => !text.includes(`"${nameInSteps(row)}"`)).map((row) => `${name}: ${row}`)
    })
    expect(idle).toEqual([])
  })

  test('have a rule and a unique name', () => {
    expect(all.filter(({ rule }) => rule.length < 10).map(({ name }) => name)).toEqual([])
    for (const { family, vectors } of FAMILIES) expect(new Set(vectors.map(({ name }) => name)).size, family).toBe(vectors.length)
  })
})
