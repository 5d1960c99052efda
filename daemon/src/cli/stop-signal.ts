/** Waits for the wish to stop. The first signal asks for a graceful end; another, once the person has had time to grow impatient, ends at once. */
import { constants } from 'node:os'
import { SIGNAL_EXIT_BASE } from './exit-codes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof SIGNALS)[number]

/**
 * One Ctrl-C can arrive more than once: the terminal sends it to the whole group, and npm and our own launcher pass theirs on as well.
 * Echoes come within milliseconds, people do not.
 */
const ECHO_MS = 500

/** The process as far as signals need it. */
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
      } else if (now() - firstAt > ECHO_MS) {
        source.exit(SIGNAL_EXIT_BASE + constants.signals[signal])
      }
    }
    for (const signal of SIGNALS) source.on(signal, onSignal)
  })
}
