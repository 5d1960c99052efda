import { expect, test } from 'vitest'
import { Quiet } from '@sallyport/core/quiet'
import { FakeClock } from '#test/support/fake-clock.ts'

function quietAfter(ms: number) {
  const clock = new FakeClock()
  let runs = 0
  const quiet = new Quiet(clock, { quietMs: ms, latestMs: 10 * ms }, () => (runs += 1))
  return { clock, quiet, runs: () => runs }
}

test('the task runs once after the quiet time, and then no timer runs', () => {
  const { clock, quiet, runs } = quietAfter(100)
  quiet.start()
  clock.advance(99)
  expect(runs()).toBe(0)
  clock.advance(1)
  expect(runs()).toBe(1)
  quiet.touch()
  expect(clock.pending).toBe(0)
  clock.advance(1_000)
  expect(runs()).toBe(1)
})

test('activity postpones the task', () => {
  const { clock, quiet, runs } = quietAfter(100)
  quiet.start()
  clock.advance(50)
  quiet.touch()
  clock.advance(50)
  expect(runs()).toBe(0)
  clock.advance(100)
  expect(runs()).toBe(1)
})

test('a second start while the first waits is the same; one after the task makes it due again', () => {
  const { clock, quiet, runs } = quietAfter(100)
  quiet.start()
  quiet.start()
  expect(clock.pending).toBe(1)
  clock.advance(100)
  quiet.start()
  clock.advance(100)
  expect(runs()).toBe(2)
})

test('after stop, nothing is due', () => {
  const { clock, quiet, runs } = quietAfter(100)
  quiet.start()
  quiet.stop()
  clock.advance(1_000)
  expect([runs(), clock.pending]).toEqual([0, 0])
})

test('activity without end postpones the task only so long', () => {
  const { clock, quiet, runs } = quietAfter(100)
  for (const round of [1, 2]) {
    quiet.start()
    for (let passed = 0; passed < 950; passed += 50) {
      quiet.touch()
      clock.advance(50)
    }
    expect(runs()).toBe(round - 1)
    quiet.touch()
    clock.advance(50)
    expect([runs(), clock.pending]).toEqual([round, 0])
  }
})
