/**
 * One presence per player, who is a user of an application: the newest of their live sessions wins, and when it goes the one before it shows
 * again. Outward at most five updates of a player in twenty seconds; the newest replaces one that waits, and the game is never kept waiting.
 */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { ByPlayer } from './by-player.ts'
import type { Player, Presence, PresenceSink } from './sink.ts'

interface PlayerState {
  readonly player: Player
  /** What the player wants to show. */
  newest: Presence | undefined
  /** Times of the last updates outward. */
  readonly sentAt: number[]
  /** What the sinks were told last. */
  shown: Presence | undefined
  /** They are to be told again, though nothing changed. */
  isStale: boolean
  cancelUpdate: (() => void) | undefined
}

export interface ArbiterParts {
  readonly clock: Clock
  readonly sinks: readonly PresenceSink[]
  /** For whom a session shows what it sets; undefined: nobody is known. */
  readonly userOf: (sessionId: number) => string | undefined
}

export class PresenceArbiter {
  readonly #parts: ArbiterParts
  /** By application and session; what was set last is last. */
  readonly #bySession = new Map<string, Map<number, Presence>>()
  readonly #players = new ByPlayer<PlayerState>()

  constructor(parts: ArbiterParts) {
    this.#parts = parts
  }

  set(given: Omit<Presence, 'userId'>): void {
    const presence = { ...given, userId: this.#parts.userOf(given.sessionId) }
    const { applicationId, sessionId } = presence
    const sessions = this.#bySession.get(applicationId) ?? new Map<number, Presence>()
    this.#bySession.set(applicationId, sessions)
    // Removed first, so that the newest is last.
    sessions.delete(sessionId)
    sessions.set(sessionId, presence)
    const state = this.#stateOf(presence)
    state.newest = presence
    this.#update(state)
  }

  /** The session shows nothing, by its own wish or because it ended. */
  clear(applicationId: string, sessionId: number): void {
    const sessions = this.#bySession.get(applicationId)
    const gone = sessions?.get(sessionId)
    if (sessions === undefined || gone === undefined) return
    sessions.delete(sessionId)
    if (sessions.size === 0) this.#bySession.delete(applicationId)
    const state = this.#stateOf(gone)
    if (state.newest === gone) this.#lookAgain(state)
  }

  /** Somebody signed in or out: what sessions of the application show may be another player's now. */
  usersChanged(applicationId: string): void {
    const gained = new ByPlayer<Player>()
    const lost = new ByPlayer<Player>()
    const sessions = this.#bySession.get(applicationId)
    for (const [sessionId, before] of sessions ?? []) {
      const userId = this.#parts.userOf(sessionId)
      if (userId === before.userId) continue
      const now = { ...before, userId }
      // Stays in its place.
      sessions?.set(sessionId, now)
      gained.set(now, now)
      lost.set(before, before)
    }
    // Shown there before it is cleared here, so that who shows both goes from one to the other.
    for (const player of [...gained.all(), ...lost.all()]) this.#lookAgain(this.#stateOf(player))
  }

  /** A way out came back and knows nothing of what was shown before; what it is sent counts as an update. */
  again(player: Player): void {
    const state = this.#players.get(player)
    if (state?.newest === undefined) return
    state.isStale = true
    this.#update(state)
  }

  /** What a player wants to show now, whether or not it has gone out. */
  of(player: Player): Presence | undefined {
    return this.#players.get(player)?.newest
  }

  /** What all players want to show now. */
  current(): readonly Presence[] {
    return this.#players.all().flatMap((state) => state.newest ?? [])
  }

  stop(): void {
    for (const state of this.#players.all()) state.cancelUpdate?.()
  }

  #stateOf({ applicationId, userId }: Player): PlayerState {
    const player = { applicationId, userId }
    let state = this.#players.get(player)
    if (state === undefined) {
      this.#forgetIdle()
      state = { player, newest: undefined, sentAt: [], shown: undefined, isStale: false, cancelUpdate: undefined }
      this.#players.set(player, state)
    }
    return state
  }

  /** Finds the newest of a player anew. */
  #lookAgain(state: PlayerState): void {
    const { applicationId, userId } = state.player
    const sessions = [...(this.#bySession.get(applicationId)?.values() ?? [])]
    state.newest = sessions.findLast((one) => one.userId === userId)
    this.#update(state)
  }

  #update(state: PlayerState): void {
    if (state.cancelUpdate !== undefined || (state.newest === state.shown && !state.isStale)) return
    const { sentAt } = state
    const now = this.#parts.clock.now()
    const windowMs = LIMITS.presenceWindowMs.value
    // Those of a time to come were before the clock was set back.
    while (sentAt[0] !== undefined && (sentAt[0] <= now - windowMs || sentAt[0] > now)) sentAt.shift()
    const [oldest] = sentAt
    if (oldest === undefined || sentAt.length < LIMITS.presenceUpdates.value) {
      sentAt.push(now)
      this.#show(state)
      return
    }
    state.cancelUpdate = this.#parts.clock.after(oldest + windowMs - now, () => {
      state.cancelUpdate = undefined
      this.#update(state)
    })
  }

  #show(state: PlayerState): void {
    state.isStale = false
    state.shown = state.newest
    for (const sink of this.#parts.sinks) sink.show(state.player, state.shown)
  }

  /** A player who shows nothing, and whose window has passed, costs no memory. */
  #forgetIdle(): void {
    const windowStart = this.#parts.clock.now() - LIMITS.presenceWindowMs.value
    for (const { player, newest, shown, cancelUpdate, sentAt } of this.#players.all()) {
      const isQuiet = newest === undefined && shown === undefined && cancelUpdate === undefined
      if (isQuiet && (sentAt.at(-1) ?? 0) <= windowStart) this.#players.delete(player)
    }
  }
}
