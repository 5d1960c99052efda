/** Time as a port, so that tests decide what time it is. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment; goes on at the same pace, however the time of day is set. */
  elapsed(): number
  /** Runs `task` once after `delayMs`; the function it returns cancels. Never keeps the process alive. */
  after(delayMs: number, task: () => void): () => void
}

/** The longest that one timer waits; what is longer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, task) {
    if (delayMs > LONGEST_MS) return afterLong(delayMs, task)
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** In steps, each as long as a timer waits. */
function afterLong(delayMs: number, task: () => void): () => void {
  let cancel = systemClock.after(LONGEST_MS, () => {
    cancel = systemClock.after(delayMs - LONGEST_MS, task)
  })
  return () => cancel()
}
