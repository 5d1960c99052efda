import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../../../daemon/src/core/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('runs a task once when its time has come', () => {
  const task = vi.fn()
  systemClock.after(100, task)
  vi.advanceTimersByTime(99)
  expect(task).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(task).toHaveBeenCalledTimes(1)
})

test('forgets a task that was cancelled', () => {
  const task = vi.fn()
  systemClock.after(100, task)()
  vi.advanceTimersByTime(1000)
  expect(task).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('keeps no process alive', () => {
  vi.useRealTimers()
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const cancel = systemClock.after(60_000, () => {})
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(before)
  cancel()
})
