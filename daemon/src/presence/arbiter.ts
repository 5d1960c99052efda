/**
 * One presence per application: the newest live session wins, and when it goes the one before it shows again. Outward at most
 * five updates in twenty seconds; the newest replaces one that waits, and the game is never kept waiting.
 */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '../core/clock.ts'
import type { Presence, PresenceSink } from './sink.ts'

interface ApplicationState {
  /** By session, oldest first. */
  readonly bySession: Map<number, Presence>
  /** The last of them: what the application wants to show. */
  newest: Presence | undefined
  /** Times of the last updates outward. */
  readonly sentAt: number[]
  /** What the sinks were told last. */
  shown: Presence | undefined
  /** They are to be told again, though nothing changed. */
  isStale: boolean
  cancelUpdate: (() => void) | undefined
}

export class PresenceArbiter {
  readonly #clock: Clock
  readonly #sinks: readonly PresenceSink[]
  readonly #applications = new Map<string, ApplicationState>()

  constructor(clock: Clock, sinks: readonly PresenceSink[]) {
    this.#clock = clock
    this.#sinks = sinks
  }

  set(presence: Presence): void {
    const state = this.#stateOf(presence.applicationId)
    // Removed first, so that the newest is last.
    state.bySession.delete(presence.sessionId)
    state.bySession.set(presence.sessionId, presence)
    state.newest = presence
    this.#update(presence.applicationId, state)
  }

  /** The session shows nothing, by its own wish or because it ended. */
  clear(applicationId: string, sessionId: number): void {
    const state = this.#applications.get(applicationId)
    if (state === undefined || !state.bySession.delete(sessionId)) return
    if (state.newest?.sessionId === sessionId) state.newest = [...state.bySession.values()].at(-1)
    this.#update(applicationId, state)
  }

  /** What one session wants to show, whether or not another one shows instead. */
  ofSession(applicationId: string, sessionId: number): Presence | undefined {
    return this.#applications.get(applicationId)?.bySession.get(sessionId)
  }

  /** A way out came back and knows nothing of what was shown before; what it is sent counts as an update. */
  again(applicationId: string): void {
    const state = this.#applications.get(applicationId)
    if (state?.newest === undefined) return
    state.isStale = true
    this.#update(applicationId, state)
  }

  /** What the games want to show now, whether or not it has gone out. */
  current(): readonly Presence[] {
    return [...this.#applications.values()].flatMap((state) => state.newest ?? [])
  }

  stop(): void {
    for (const state of this.#applications.values()) state.cancelUpdate?.()
  }

  #stateOf(applicationId: string): ApplicationState {
    let state = this.#applications.get(applicationId)
    if (state === undefined) {
      this.#forgetIdle()
      state = { bySession: new Map(), newest: undefined, sentAt: [], shown: undefined, isStale: false, cancelUpdate: undefined }
      this.#applications.set(applicationId, state)
    }
    return state
  }

  #update(applicationId: string, state: ApplicationState): void {
    if (state.cancelUpdate !== undefined || (state.newest === state.shown && !state.isStale)) return
    const now = this.#clock.now()
    const windowMs = LIMITS.presenceWindowMs.value
    while (state.sentAt[0] !== undefined && state.sentAt[0] <= now - windowMs) state.sentAt.shift()
    const oldest = state.sentAt[0]
    if (oldest === undefined || state.sentAt.length < LIMITS.presenceUpdates.value) {
      state.sentAt.push(now)
      this.#show(applicationId, state)
      return
    }
    state.cancelUpdate = this.#clock.after(oldest + windowMs - now, () => {
      state.cancelUpdate = undefined
      this.#update(applicationId, state)
    })
  }

  #show(applicationId: string, state: ApplicationState): void {
    state.isStale = false
    state.shown = state.newest
    for (const sink of this.#sinks) sink.show(applicationId, state.shown)
  }

  /** An application that shows nothing, and whose window has passed, costs no memory. */
  #forgetIdle(): void {
    const windowStart = this.#clock.now() - LIMITS.presenceWindowMs.value
    for (const [applicationId, state] of this.#applications) {
      const isIdle = state.bySession.size === 0 && state.cancelUpdate === undefined && (state.sentAt.at(-1) ?? 0) <= windowStart
      if (isIdle) this.#applications.delete(applicationId)
    }
  }
}
