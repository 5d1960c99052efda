/** Starts the tray when something waits for the user and no tray shows it. */
import type { Clock } from '@sallyport/core/clock'
import type { Signal } from '@sallyport/core/signal'

/** Longer than a tray takes to connect, so that there is never a second one. */
const START_MS = 30_000

interface TrayParts {
  readonly clock: Pick<Clock, 'elapsed'>
  /** What may begin to wait for the user. */
  readonly changed: readonly Pick<Signal, 'on'>[]
  readonly isWaiting: () => boolean
  /** Whether a tray watches the bridge. */
  readonly isShown: () => boolean
  readonly start: () => void
}

export function startTrayForQuestions({ clock, changed, isWaiting, isShown, start }: TrayParts): void {
  let startedAt = Number.NEGATIVE_INFINITY
  const look = (): void => {
    if (!isWaiting() || isShown() || clock.elapsed() - startedAt < START_MS) return
    startedAt = clock.elapsed()
    start()
  }
  for (const signal of changed) signal.on(look)
}
