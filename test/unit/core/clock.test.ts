import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '@sallyport/core/clock'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('runs a task once after its delay', () => {
  const task = vi.fn()
  systemClock.after(100, task)
  vi.advanceTimersByTime(99)
  expect(task).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(task).toHaveBeenCalledTimes(1)
})

test('does not run a cancelled task', () => {
  const task = vi.fn()
  systemClock.after(100, task)()
  vi.advanceTimersByTime(1000)
  expect(task).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('does not keep the process alive', () => {
  vi.useRealTimers()
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const cancel = systemClock.after(60_000, () => {})
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(before)
  cancel()
})

test.each([2 ** 31, 2 ** 32 + 5, 35 * 24 * 3_600_000])('waits for %d ms, longer than one timer', (delayMs) => {
  const task = vi.fn()
  systemClock.after(delayMs, task)
  vi.advanceTimersByTime(delayMs - 1)
  expect(task).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(task).toHaveBeenCalledTimes(1)
})

test('cancels a long task at any step', () => {
  for (const waitedMs of [0, 2 ** 31 + 1]) {
    const task = vi.fn()
    const cancel = systemClock.after(2 ** 33, task)
    vi.advanceTimersByTime(waitedMs)
    cancel()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(2 ** 34)
    expect(task).not.toHaveBeenCalled()
  }
})

test('an infinite delay never ends', () => {
  const task = vi.fn()
  const cancel = systemClock.after(Infinity, task)
  vi.advanceTimersByTime(2 ** 36)
  expect(task).not.toHaveBeenCalled()
  cancel()
  expect(vi.getTimerCount()).toBe(0)
})
