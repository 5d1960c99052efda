/**
 * Selects one presence per owner, a user of an application: that of the latest session; when it is cleared, the previous one returns.
 * Sends at most five updates of an owner in twenty seconds. The latest replaces a waiting one, and SET_ACTIVITY never waits.
 * While the user pauses presence, or hides that of a program, sinks show nothing; what games set meanwhile is kept, and shown afterwards.
 */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { OwnerMap } from './owner-map.ts'
import type { PresenceOwner, Presence, PresenceSink } from './sink.ts'

interface OwnerState {
  readonly owner: PresenceOwner
  /** The latest presence of the owner. */
  newest: Presence | undefined
  /** Times of the last updates sent. */
  readonly sentAt: number[]
  /** The presence last sent to the sinks. */
  sent: Presence | undefined
  /** Must be sent again, though nothing changed. */
  isStale: boolean
  cancelUpdate: (() => void) | undefined
}

interface ArbiterDeps {
  readonly clock: Clock
  readonly sinks: readonly PresenceSink[]
  /** The user whose presence a session sets; undefined if unknown. */
  readonly userOf: (sessionId: number) => string | undefined
  /** Whether the user has paused presence before this start. */
  readonly isPaused?: boolean
  /** Whether the user hides what a session sets. Absent: nothing is hidden. */
  readonly isHidden?: (sessionId: number) => boolean
}

/** Owners to look at together. Each time there are twice as many as were left, so that the looks cost a new owner the same at any number. */
const MIN_SWEEP = 64

export class PresenceArbiter {
  readonly #deps: ArbiterDeps
  /** By application and session; the latest presence is last. */
  readonly #bySession = new Map<string, Map<number, Presence>>()
  readonly #owners = new OwnerMap<OwnerState>()
  /** Owners at which idle ones are deleted next. */
  #sweepAt = MIN_SWEEP
  #isPaused: boolean

  constructor(deps: ArbiterDeps) {
    this.#deps = deps
    this.#isPaused = deps.isPaused === true
    for (const sink of deps.sinks) sink.resend?.on((owner) => this.#resend(owner))
  }

  /** Returns whose presence it is. */
  set({ applicationId, sessionId, claimedPid, stored, since }: Omit<Presence, 'userId'>): PresenceOwner {
    const presence: Presence = { applicationId, userId: this.#deps.userOf(sessionId), sessionId, claimedPid, stored, since }
    let sessions = this.#bySession.get(applicationId)
    if (sessions === undefined) this.#bySession.set(applicationId, (sessions = new Map<number, Presence>()))
    // Deleted first, so that the latest is last.
    else if (sessions.size > 1) sessions.delete(sessionId)
    sessions.set(sessionId, presence)
    const state = this.#stateOf(presence)
    state.newest = presence
    this.#update(state)
    return presence
  }

  /** Clears the presence of a session, because its game cleared it or the session ended. */
  clear(applicationId: string, sessionId: number): void {
    const sessions = this.#bySession.get(applicationId)
    const gone = sessions?.get(sessionId)
    if (sessions === undefined || gone === undefined) return
    sessions.delete(sessionId)
    if (sessions.size === 0) this.#bySession.delete(applicationId)
    const state = this.#stateOf(gone)
    if (state.newest === gone) this.#recompute(state)
  }

  /** After a sign-in or sign-out: sessions of the application may have other owners. */
  usersChanged(applicationId: string): void {
    const gained = new OwnerMap<PresenceOwner>()
    const lost = new OwnerMap<PresenceOwner>()
    const sessions = this.#bySession.get(applicationId)
    for (const [sessionId, before] of sessions ?? []) {
      const userId = this.#deps.userOf(sessionId)
      if (userId === before.userId) continue
      const now = { ...before, userId }
      // Keeps its position.
      sessions?.set(sessionId, now)
      gained.set(now, now)
      lost.set(before, before)
    }
    // Shown for the new owner before it is cleared for the old one, so that a sink of both switches without a gap.
    for (const owner of [...gained.all(), ...lost.all()]) this.#recompute(this.#stateOf(owner))
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Shows nothing of any owner, or again what each has set last. Counts as an update. */
  pause(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return
    this.#isPaused = isPaused
    this.visibilityChanged()
  }

  /** The user hid the presence of a program, or shows it again. Counts as an update. */
  visibilityChanged(): void {
    for (const state of this.#owners.all()) this.#update(state)
  }

  /** What sinks should show. */
  #visible({ newest }: OwnerState): Presence | undefined {
    const isHidden = newest !== undefined && this.#deps.isHidden?.(newest.sessionId) === true
    return this.#isPaused || isHidden ? undefined : newest
  }

  /** Sends the presence again, for a channel that reconnected. Counts as an update. */
  #resend(owner: PresenceOwner): void {
    const state = this.#owners.get(owner)
    if (state === undefined || this.#visible(state) === undefined) return
    state.isStale = true
    this.#update(state)
  }

  /** The latest presence of an owner, whether or not it was sent. */
  of(owner: PresenceOwner): Presence | undefined {
    return this.#owners.get(owner)?.newest
  }

  /** The latest presence of all owners. */
  current(): readonly Presence[] {
    return this.#owners.all().flatMap((state) => state.newest ?? [])
  }

  stop(): void {
    for (const state of this.#owners.all()) state.cancelUpdate?.()
  }

  #stateOf(of: PresenceOwner): OwnerState {
    let state = this.#owners.get(of)
    if (state === undefined) {
      if (this.#owners.size >= this.#sweepAt) this.#deleteIdle()
      const owner = { applicationId: of.applicationId, userId: of.userId }
      state = { owner, newest: undefined, sentAt: [], sent: undefined, isStale: false, cancelUpdate: undefined }
      this.#owners.set(owner, state)
    }
    return state
  }

  /** Finds the latest presence of an owner again. */
  #recompute(state: OwnerState): void {
    const { applicationId, userId } = state.owner
    const sessions = [...(this.#bySession.get(applicationId)?.values() ?? [])]
    state.newest = sessions.findLast((one) => one.userId === userId)
    this.#update(state)
  }

  #update(state: OwnerState): void {
    if (state.cancelUpdate !== undefined || (this.#visible(state) === state.sent && !state.isStale)) return
    const { sentAt } = state
    const now = this.#deps.clock.elapsed()
    const windowMs = LIMITS.presenceWindowMs.value
    while (sentAt[0] !== undefined && sentAt[0] <= now - windowMs) sentAt.shift()
    const [oldest] = sentAt
    if (oldest === undefined || sentAt.length < LIMITS.presenceUpdates.value) {
      sentAt.push(now)
      this.#show(state)
      return
    }
    state.cancelUpdate = this.#deps.clock.after(oldest + windowMs - now, () => {
      state.cancelUpdate = undefined
      this.#update(state)
    })
  }

  #show(state: OwnerState): void {
    state.isStale = false
    state.sent = this.#visible(state)
    for (const sink of this.#deps.sinks) sink.show(state.owner, state.sent)
  }

  /** Deletes owners that show nothing and whose window has passed. */
  #deleteIdle(): void {
    const windowStart = this.#deps.clock.elapsed() - LIMITS.presenceWindowMs.value
    for (const { owner, newest, sent, cancelUpdate, sentAt } of this.#owners.all()) {
      const isIdle = newest === undefined && sent === undefined && cancelUpdate === undefined
      if (isIdle && (sentAt.at(-1) ?? 0) <= windowStart) this.#owners.delete(owner)
    }
    this.#sweepAt = Math.max(MIN_SWEEP, 2 * this.#owners.size)
  }
}
