/** The state machine of the connection and its backoff. */
import { expect, test } from 'vitest'
import { DEFAULT_BACKOFF, delayBefore } from '#bindings/ts/src/backoff.ts'
import { type ConnectionState, type Input, type Policy, step } from '#bindings/ts/src/machine.ts'

const policy: Policy = { reconnect: true, backoff: DEFAULT_BACKOFF }
const error = new Error('gone')
const restored = { signIn: 'none', activeSubscriptions: 0, refusedSubscriptions: 0, presence: 'none' } as const
const server = { path: '/x/discord-ipc-0', slot: 0, encoding: 'json' } as const

const failed = (nowMs: number): Input => ({ type: 'failed', error, nowMs, random: 0.999 })
const readyAt = (nowMs: number): Input => ({ type: 'restored', server, restored, nowMs })

function play(inputs: readonly Input[], { from = { name: 'offline' }, rules = policy }: { from?: ConnectionState; rules?: Policy } = {}) {
  const effects: string[] = []
  let state = from
  for (const input of inputs) {
    const [next, produced] = step(state, input, rules)
    state = next
    effects.push(...produced.map(({ type }) => type))
  }
  return { state, effects }
}

const ready = play([{ type: 'connect', nowMs: 0, timeoutMs: 0 }, { type: 'connected' }, readyAt(10)]).state

test('offline → connecting → ready, searching and restoring once', () => {
  const { state, effects } = play([{ type: 'connect', nowMs: 0, timeoutMs: 0 }, { type: 'connected' }, readyAt(400)])
  expect(state).toMatchObject({ name: 'ready', outageMs: 400, readyAtMs: 400 })
  expect(effects).toEqual(['find', 'restore'])
})

test('ready → waiting → connecting → ready after a loss', () => {
  const { state, effects } = play([failed(5_000), { type: 'retry' }, { type: 'connected' }, readyAt(5_400)], { from: ready })
  expect(state).toMatchObject({ name: 'ready', outageMs: 400 })
  expect(effects).toEqual(['disconnect', 'wait', 'find', 'restore'])
})

test('a first search without timeout ends offline with its error; with a timeout it waits at most that long', () => {
  expect(play([{ type: 'connect', nowMs: 0, timeoutMs: 0 }, failed(1)]).state).toEqual({ name: 'offline', error })
  const waiting = play([{ type: 'connect', nowMs: 0, timeoutMs: 30 }, failed(10)]).state
  expect(waiting).toMatchObject({ name: 'waiting', reason: 'no-server', delayMs: 20 })
  expect(play([{ type: 'retry' }, failed(30)], { from: waiting }).state.name).toBe('offline')
})

test('a client that was connected never stops searching', () => {
  let state = play([failed(1_000)], { from: ready }).state
  for (let round = 1; round < 500; round += 1) state = play([{ type: 'retry' }, failed(1_000 + round * 60_000)], { from: state }).state
  expect(state).toMatchObject({ name: 'waiting', attempt: 500 })
})

test('a loss during the restore belongs to the same outage', () => {
  const { state } = play([failed(9_000), { type: 'retry' }, { type: 'connected' }, failed(9_500)], { from: ready })
  expect(state).toMatchObject({ name: 'waiting', reason: 'lost', attempt: 2, sinceMs: 9_000 })
})

test('a stable connection resets the count; one that ended at once does not', () => {
  const flapping = play([failed(20), { type: 'retry' }, { type: 'connected' }, readyAt(30), failed(40)], { from: ready }).state
  expect(flapping).toMatchObject({ name: 'waiting', attempt: 2 })
  const held = play([failed(20), { type: 'retry' }, { type: 'connected' }, readyAt(30), failed(30 + DEFAULT_BACKOFF.stableMs)], {
    from: ready,
  }).state
  expect(held).toMatchObject({ name: 'waiting', attempt: 1 })
})

test('a server that closes every connection gets the same delays as a missing one', () => {
  let state = ready
  let delayMs = 0
  for (let nowMs = 20; nowMs < 120_000; nowMs += delayMs + 20) {
    const waiting = play([failed(nowMs)], { from: state }).state
    delayMs = waiting.name === 'waiting' ? waiting.delayMs : 0
    state = play([{ type: 'retry' }, { type: 'connected' }, readyAt(nowMs + delayMs + 10)], { from: waiting }).state
  }
  expect(state).toMatchObject({ name: 'ready', sinceMs: 0 })
  expect(delayMs).toBeGreaterThan(4_000)
})

test('without reconnect a loss ends offline', () => {
  const { state, effects } = play([failed(5_000)], { from: ready, rules: { ...policy, reconnect: false } })
  expect(state).toEqual({ name: 'offline', error })
  expect(effects).toEqual(['disconnect'])
})

test('closed is final, and every state ignores unexpected inputs', () => {
  const { state, effects } = play([{ type: 'close' }], { from: ready })
  expect([state, effects]).toEqual([{ name: 'closed' }, ['disconnect']])
  const everything: Input[] = [
    { type: 'connect', nowMs: 0, timeoutMs: 9 },
    { type: 'retry' },
    { type: 'connected' },
    readyAt(1),
    failed(1),
    { type: 'close' },
  ]
  expect(play(everything, { from: state })).toEqual({ state, effects: [] })
  for (const late of [{ type: 'retry' }, { type: 'connected' }, readyAt(1)] as const) expect(step(ready, late, policy)).toEqual([ready, []])
  expect(step({ name: 'offline' }, failed(1), policy)).toEqual([{ name: 'offline' }, []])
})

test('the first retry is within 250 ms, later ones every second, then every five seconds', () => {
  for (const random of [0, 0.5, 0.999]) {
    expect(delayBefore(0, 0, random, DEFAULT_BACKOFF)).toBeLessThanOrEqual(250)
    for (let attempt = 0; attempt < 200; attempt += 1) {
      expect(delayBefore(attempt, 59_000, random, DEFAULT_BACKOFF)).toBeLessThanOrEqual(800)
      expect(delayBefore(attempt, 3_600_000, random, DEFAULT_BACKOFF)).toBeLessThanOrEqual(5_000)
      expect(delayBefore(attempt, 0, random, DEFAULT_BACKOFF)).toBeGreaterThan(0)
    }
  }
  expect(delayBefore(50, 3_600_000, 0.999, DEFAULT_BACKOFF)).toBeGreaterThan(4_000)
  expect(delayBefore(1, 0, 0, DEFAULT_BACKOFF)).not.toBe(delayBefore(1, 0, 0.9, DEFAULT_BACKOFF))
})
