/** Which events were here before. A platform repeats what it believes was lost, and an event has no id. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'

/** Platforms repeat for ten minutes, and a request may be that much older or younger than it says. */
const KEPT_MS = 20 * 60_000
const KEPT_MAX = 10_000

export class SeenEvents {
  readonly #clock: Clock
  /** The oldest first. */
  readonly #seenAt = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether these words, which tell an event from all others, are here for the first time. */
  isNew(words: readonly string[]): boolean {
    const now = this.#clock.now()
    for (const [key, at] of this.#seenAt) {
      if (now - at < KEPT_MS && this.#seenAt.size < KEPT_MAX) break
      this.#seenAt.delete(key)
    }
    const key = createHash('sha256').update(JSON.stringify(words)).digest('base64url')
    if (this.#seenAt.has(key)) return false
    this.#seenAt.set(key, now)
    return true
  }
}
