/** Waits for a stop signal. The first one requests a graceful stop; a later one ends the process at once. */
import { constants } from 'node:os'
import { SIGNAL_EXIT_BASE } from './exit-codes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof SIGNALS)[number]

/**
 * Milliseconds in which further signals are duplicates. One Ctrl-C can arrive several times, because the terminal sends it to the process
 * group, and npm and the launcher forward it.
 */
const DUPLICATE_MS = 500

/** The part of the process that handles signals. */
export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown
  exit(code: number): void
}

/** Resolves with the name of the first signal. `now`: milliseconds. */
export function untilStopped(source: SignalSource, now: () => number): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (signal: StopSignal) => {
      if (firstAt === undefined) {
        firstAt = now()
        resolve(signal)
      } else if (now() - firstAt > DUPLICATE_MS) {
        source.exit(SIGNAL_EXIT_BASE + constants.signals[signal])
      }
    }
    for (const signal of SIGNALS) source.on(signal, onSignal)
  })
}
