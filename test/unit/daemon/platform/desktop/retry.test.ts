import { expect, test } from 'vitest'
import type { NotFound } from '../../../../../daemon/src/platform/desktop/search.ts'
import { Retry } from '../../../../../daemon/src/platform/desktop/retry.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'

/** When it tries, in ms, with every try ending alike. */
function triesOf(
  outcome: NotFound,
  isTold: boolean,
  withinMs: number,
): { readonly at: number[]; readonly clock: FakeClock; readonly retry: Retry } {
  const clock = new FakeClock()
  const retry = new Retry(clock)
  const begin = clock.now()
  const at: number[] = []
  const again = (): void => {
    at.push(clock.now() - begin)
    retry.after(outcome, isTold, again)
  }
  retry.after(outcome, isTold, again)
  clock.advance(withinMs)
  return { at, clock, retry }
}

test('where the system tells of sockets nothing is tried until it does', () => {
  const { at, clock } = triesOf('nobody', true, 3_600_000)
  expect(at).toEqual([])
  expect(clock.pending).toBe(0)
})

test('at a socket on which nobody listens yet, soon, less and less, and then no more', () => {
  const { at, clock, retry } = triesOf('refused', true, 3_600_000)
  expect(at).toEqual([50, 150, 350, 750, 1550, 3150])
  expect(clock.pending).toBe(0)
  retry.restart()
  retry.after('refused', true, () => {})
  expect(clock.pending).toBe(1)
  retry.stop()
  expect(clock.pending).toBe(0)
})

test('where nothing tells, once a minute at most', () => {
  const { at, clock } = triesOf('nobody', false, 120_000)
  const before = at.length
  clock.advance(600_000)
  expect(at.length - before).toBe(10)
})

test('one that says nothing is not asked in a hurry', () => {
  expect(triesOf('silent', true, 20_000).at).toEqual([5000, 10_000, 15_000, 20_000])
})

test('what turned the application away is left alone until something new is there', () => {
  expect(triesOf('turned-away', true, 3_600_000).at).toEqual([])
})

test('what was refused for the moment is asked for again once, however much it was', () => {
  const clock = new FakeClock()
  const retry = new Retry(clock)
  let count = 0
  for (let refusal = 0; refusal < 20; refusal++) retry.afterRefusal(() => count++)
  clock.advance(5000)
  expect([count, clock.pending]).toEqual([1, 0])
})
