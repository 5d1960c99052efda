/** Notices that no game has been connected for a while, so that a bridge that a service manager starts on demand can end. */
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import type { LifecycleEvents } from './lifecycle.ts'
import type { SessionRegistry } from './registry.ts'

interface IdleOptions {
  readonly seconds: number | 'off'
  readonly clock: Clock
  readonly registry: Pick<SessionRegistry, 'size'>
  readonly lifecycle: LifecycleEvents
}

/** Resolves after that many seconds in a row without a session; never if off. A timer exists only while there is none. */
export function untilIdle({ seconds, clock, registry, lifecycle }: IdleOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (seconds === 'off') return promise
  let cancel: (() => void) | undefined
  const check = () => {
    if (registry.size > 0) {
      cancel?.()
      cancel = undefined
    } else cancel ??= clock.after(seconds * SECOND_MS, resolve)
  }
  lifecycle.on('sessionChanged', check)
  check()
  return promise
}
