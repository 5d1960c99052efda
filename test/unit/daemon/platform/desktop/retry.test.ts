import { expect, test } from 'vitest'
import type { NotFound } from '#daemon/src/platform/desktop/connect-race.ts'
import { Retry } from '#daemon/src/platform/desktop/retry.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

/** Times of the attempts in ms, with the same outcome for each. */
function attemptsOf(
  outcome: NotFound,
  isWatched: boolean,
  withinMs: number,
  waitMs = Infinity,
): { readonly at: number[]; readonly clock: FakeClock; readonly retry: Retry } {
  const clock = new FakeClock()
  const retry = new Retry(clock)
  const begin = clock.now()
  const at: number[] = []
  const attempt = (): void => {
    at.push(clock.now() - begin)
    retry.after(outcome, isWatched, waitMs, attempt)
  }
  retry.after(outcome, isWatched, waitMs, attempt)
  clock.advance(withinMs)
  return { at, clock, retry }
}

test('no attempt is made while the system reports changes and there is none', () => {
  const { at, clock } = attemptsOf('not-found', true, 3_600_000)
  expect(at).toEqual([])
  expect(clock.pending).toBe(0)
})

test('at a socket without a listener, attempts back off and then stop', () => {
  const { at, clock, retry } = attemptsOf('refused', true, 3_600_000)
  expect(at).toEqual([50, 150, 350, 750, 1550, 3150])
  expect(clock.pending).toBe(0)
  retry.reset()
  retry.after('refused', true, Infinity, () => {})
  expect(clock.pending).toBe(1)
  retry.stop()
  expect(clock.pending).toBe(0)
})

test('without change events, attempts run once a minute at most', () => {
  const { at, clock } = attemptsOf('not-found', false, 120_000)
  const before = at.length
  clock.advance(600_000)
  expect(at.length - before).toBe(10)
})

test('a server that timed out is retried slowly', () => {
  expect(attemptsOf('timeout', true, 20_000).at).toEqual([5000, 10_000, 15_000, 20_000])
})

test('a server that may not be asked now is asked as soon as it may be, also while the system reports changes', () => {
  const allowedMs = 57_000
  const clock = new FakeClock()
  const retry = new Retry(clock)
  const begin = clock.now()
  const at: number[] = []
  const attempt = (): void => {
    const passed = clock.now() - begin
    at.push(passed)
    if (passed < allowedMs) retry.after('timeout', true, allowedMs - passed, attempt)
  }
  attempt()
  clock.advance(120_000)
  expect(at.at(-1)).toBe(allowedMs)
  retry.after('rejected', true, allowedMs, attempt)
  expect(clock.pending).toBe(1)
})

test('a client that rejected the application is not retried until a change', () => {
  expect(attemptsOf('rejected', true, 3_600_000).at).toEqual([])
})

test('several temporary refusals cause one retry', () => {
  const clock = new FakeClock()
  const retry = new Retry(clock)
  let count = 0
  for (let refusal = 0; refusal < 20; refusal++) retry.afterRefusal(() => count++)
  clock.advance(5000)
  expect([count, clock.pending]).toEqual([1, 0])
})
