/** The connection's state machine and its back-off, as pure functions. */
import { expect, test } from 'vitest'
import { DEFAULT_BACK_OFF, delayBefore } from '../../../bindings/ts/src/backoff.ts'
import { type ConnectionState, type Input, type Policy, step } from '../../../bindings/ts/src/machine.ts'

const policy: Policy = { reconnect: true, backOff: DEFAULT_BACK_OFF }
const error = new Error('gone')
const restored = { signIn: 'none', subscriptions: 0, refused: 0, presence: 'none' } as const
const server = { path: '/x/discord-ipc-0', slot: 0, encoding: 'json' } as const

const failed = (nowMs: number): Input => ({ type: 'failed', error, nowMs, random: 0.999 })
const readyAt = (nowMs: number): Input => ({ type: 'restored', server, restored, nowMs })

function play(inputs: readonly Input[], { from = { name: 'offline' }, rules = policy }: { from?: ConnectionState; rules?: Policy } = {}) {
  const effects: string[] = []
  let state = from
  for (const input of inputs) {
    const [next, wanted] = step(state, input, rules)
    state = next
    effects.push(...wanted.map(({ type }) => type))
  }
  return { state, effects }
}

const ready = play([{ type: 'connect', nowMs: 0, waitMs: 0 }, { type: 'greeted' }, readyAt(10)]).state

test('offline → connecting → ready, searching and restoring once', () => {
  const { state, effects } = play([{ type: 'connect', nowMs: 0, waitMs: 0 }, { type: 'greeted' }, readyAt(400)])
  expect(state).toMatchObject({ name: 'ready', outageMs: 400, readyAtMs: 400 })
  expect(effects).toEqual(['find', 'restore'])
})

test('ready → waiting → connecting → ready after a loss', () => {
  const { state, effects } = play([failed(5_000), { type: 'retry' }, { type: 'greeted' }, readyAt(5_400)], { from: ready })
  expect(state).toMatchObject({ name: 'ready', outageMs: 400 })
  expect(effects).toEqual(['drop', 'wait', 'find', 'restore'])
})

test('a first search without patience ends offline with its error; with patience it waits, never beyond it', () => {
  expect(play([{ type: 'connect', nowMs: 0, waitMs: 0 }, failed(1)]).state).toEqual({ name: 'offline', error })
  const waiting = play([{ type: 'connect', nowMs: 0, waitMs: 30 }, failed(10)]).state
  expect(waiting).toMatchObject({ name: 'waiting', reason: 'no-server', delayMs: 20 })
  expect(play([{ type: 'retry' }, failed(30)], { from: waiting }).state.name).toBe('offline')
})

test('a client that was connected never gives up', () => {
  let state = play([failed(1_000)], { from: ready }).state
  for (let round = 1; round < 500; round += 1) state = play([{ type: 'retry' }, failed(1_000 + round * 60_000)], { from: state }).state
  expect(state).toMatchObject({ name: 'waiting', attempt: 500 })
})

test('a loss while things are put back counts as a loss of the same outage', () => {
  const { state } = play([failed(9_000), { type: 'retry' }, { type: 'greeted' }, failed(9_500)], { from: ready })
  expect(state).toMatchObject({ name: 'waiting', reason: 'lost', attempt: 2, sinceMs: 9_000 })
})

test('a connection that held starts the count anew; one that broke at once goes on counting', () => {
  const flapping = play([failed(20), { type: 'retry' }, { type: 'greeted' }, readyAt(30), failed(40)], { from: ready }).state
  expect(flapping).toMatchObject({ name: 'waiting', attempt: 2 })
  const held = play([failed(20), { type: 'retry' }, { type: 'greeted' }, readyAt(30), failed(30 + DEFAULT_BACK_OFF.stableMs)], {
    from: ready,
  }).state
  expect(held).toMatchObject({ name: 'waiting', attempt: 1 })
})

test('a server that lets nobody stay is looked for as seldom as one that stays away', () => {
  let state = ready
  let delayMs = 0
  for (let nowMs = 20; nowMs < 120_000; nowMs += delayMs + 20) {
    const waiting = play([failed(nowMs)], { from: state }).state
    delayMs = waiting.name === 'waiting' ? waiting.delayMs : 0
    state = play([{ type: 'retry' }, { type: 'greeted' }, readyAt(nowMs + delayMs + 10)], { from: waiting }).state
  }
  expect(state).toMatchObject({ name: 'ready', sinceMs: 0 })
  expect(delayMs).toBeGreaterThan(4_000)
})

test('without reconnect a loss ends offline', () => {
  const { state, effects } = play([failed(5_000)], { from: ready, rules: { ...policy, reconnect: false } })
  expect(state).toEqual({ name: 'offline', error })
  expect(effects).toEqual(['drop'])
})

test('closed is the end: nothing leads out of it, and late news change no state that does not expect them', () => {
  const { state, effects } = play([{ type: 'close' }], { from: ready })
  expect([state, effects]).toEqual([{ name: 'closed' }, ['drop']])
  const everything: Input[] = [
    { type: 'connect', nowMs: 0, waitMs: 9 },
    { type: 'retry' },
    { type: 'greeted' },
    readyAt(1),
    failed(1),
    { type: 'close' },
  ]
  expect(play(everything, { from: state })).toEqual({ state, effects: [] })
  for (const late of [{ type: 'retry' }, { type: 'greeted' }, readyAt(1)] as const) expect(step(ready, late, policy)).toEqual([ready, []])
  expect(step({ name: 'offline' }, failed(1), policy)).toEqual([{ name: 'offline' }, []])
})

test('the first retry comes within 250 ms, a young outage is looked at every second, an old one every five', () => {
  for (const random of [0, 0.5, 0.999]) {
    expect(delayBefore(0, 0, random, DEFAULT_BACK_OFF)).toBeLessThanOrEqual(250)
    for (let attempt = 0; attempt < 200; attempt += 1) {
      expect(delayBefore(attempt, 59_000, random, DEFAULT_BACK_OFF)).toBeLessThanOrEqual(800)
      expect(delayBefore(attempt, 3_600_000, random, DEFAULT_BACK_OFF)).toBeLessThanOrEqual(5_000)
      expect(delayBefore(attempt, 0, random, DEFAULT_BACK_OFF)).toBeGreaterThan(0)
    }
  }
  expect(delayBefore(50, 3_600_000, 0.999, DEFAULT_BACK_OFF)).toBeGreaterThan(4_000)
  expect(delayBefore(1, 0, 0, DEFAULT_BACK_OFF)).not.toBe(delayBefore(1, 0, 0.9, DEFAULT_BACK_OFF))
})
