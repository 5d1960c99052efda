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

/** The part of the process that stops without a signal of the system. */
export interface StoppedProcess {
  emit(signal: 'SIGTERM', name: 'SIGTERM', cause: string): boolean
  exit(code: number): void
}

/** Stops as at SIGTERM: gracefully, or at once if the process does not wait for a signal. `cause`: for the log. */
export function stop(source: StoppedProcess, cause: string): void {
  if (!source.emit('SIGTERM', 'SIGTERM', cause)) source.exit(SIGNAL_EXIT_BASE + constants.signals.SIGTERM)
}

/** The part of the process that a launcher is connected to. */
export interface LaunchedProcess extends StoppedProcess {
  /** Only where the launcher could not become this process. */
  readonly channel?: { unref(): void } | undefined
  once(event: 'disconnect', listener: () => void): unknown
}

/** Stops with the launcher. Their channel closes when the launcher ends in any way, and a killed launcher forwards no signal. */
export function stopWithLauncher(launched: LaunchedProcess): void {
  if (launched.channel === undefined) return
  launched.once('disconnect', () => stop(launched, 'the launcher ended'))
  launched.channel.unref()
}

/** The part of the process that handles signals. */
export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal, cause?: unknown) => void): unknown
  exit(code: number): void
}

/** Resolves with the name of the first signal, or with what else ended this process. `now`: milliseconds. The system does not say who sent a signal. */
export function untilStopped(source: SignalSource, now: () => number): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (signal: StopSignal, cause: unknown) => {
      if (firstAt === undefined) {
        firstAt = now()
        // Of the system, it is the number of the signal.
        resolve(typeof cause === 'string' ? cause : signal)
      } else if (now() - firstAt > DUPLICATE_MS) {
        source.exit(SIGNAL_EXIT_BASE + constants.signals[signal])
      }
    }
    for (const signal of SIGNALS) source.on(signal, onSignal)
  })
}
