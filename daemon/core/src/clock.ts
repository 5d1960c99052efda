/** The clock; tests replace it. */
import { uptime } from 'node:os'
import { SECOND_MS } from './durations.ts'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Monotonic milliseconds; changes of the system time do not affect it. */
  elapsed(): number
  /** Milliseconds since the system was started, its sleep included, during which `elapsed` may stand still. */
  sinceBoot(): number
  /** Runs `task` once after `delayMs`; returns a function that cancels it. Does not keep the process alive. */
  after(delayMs: number, task: () => void): () => void
}

/** Longest timer of Node; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sinceBoot: () => uptime() * SECOND_MS,
  after(delayMs, task) {
    if (delayMs > LONGEST_MS) return afterLong(delayMs, task)
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Chains timers, because one timer cannot wait that long. */
function afterLong(delayMs: number, task: () => void): () => void {
  let cancel = systemClock.after(LONGEST_MS, () => {
    cancel = systemClock.after(delayMs - LONGEST_MS, task)
  })
  return () => cancel()
}
