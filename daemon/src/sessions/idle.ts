/** Notices that no game has been connected for a while, so that a bridge that a service manager starts on demand can end. */
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import type { ConsentPrompts } from '../auth/consent/consent-prompts.ts'
import type { LifecycleEvents } from './lifecycle.ts'
import type { SessionRegistry } from './registry.ts'

interface IdleOptions {
  readonly seconds: number | 'off'
  readonly clock: Clock
  readonly registry: Pick<SessionRegistry, 'size'>
  readonly lifecycle: LifecycleEvents
  /** Questions to the user. One may outlast the connection of its game. */
  readonly prompts: Pick<ConsentPrompts, 'pending' | 'changed'>
}

/**
 * Resolves after that many seconds in a row without a session and without a prompt; never if off. A timer exists only while there are none.
 */
export function untilIdle({ seconds, clock, registry, lifecycle, prompts }: IdleOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (seconds === 'off') return promise
  let cancel: (() => void) | undefined
  const check = () => {
    if (registry.size > 0 || prompts.pending().length > 0) {
      cancel?.()
      cancel = undefined
    } else cancel ??= clock.after(seconds * SECOND_MS, resolve)
  }
  lifecycle.on('sessionChanged', check)
  prompts.changed.on(check)
  check()
  return promise
}
