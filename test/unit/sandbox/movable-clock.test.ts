import { expect, it } from 'vitest'
import { MovableClock } from '@sallyport/sandbox/movable-clock'
import { FakeClock } from '#test/support/fake-clock.ts'

it('runs what became due, and keeps the rest for the time that is left', () => {
  const base = new FakeClock(1_000)
  const clock = new MovableClock(base)
  const done: string[] = []
  clock.after(100, () => done.push('soon'))
  clock.after(5_000, () => done.push('late'))
  const cancel = clock.after(50, () => done.push('never'))
  cancel()
  clock.move(4_000)
  expect([clock.now(), clock.movedMs]).toEqual([5_000, 4_000])
  base.advance(0)
  expect(done).toEqual(['soon'])
  base.advance(999)
  expect(done).toEqual(['soon'])
  base.advance(1)
  expect(done).toEqual(['soon', 'late'])
  expect(base.pending).toBe(0)
})

it('goes back, and waits longer then', () => {
  const base = new FakeClock(1_000)
  const clock = new MovableClock(base)
  clock.move(3_000)
  const done: string[] = []
  clock.after(1_000, () => done.push('after'))
  clock.move(-3_000)
  expect(clock.now()).toBe(1_000)
  base.advance(3_999)
  expect(done).toEqual([])
  base.advance(1)
  expect(done).toEqual(['after'])
})
