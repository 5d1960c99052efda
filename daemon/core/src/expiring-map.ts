/** What happened lately, by the words that tell it from all else: bounded in number and in age, without a timer. */
import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Platforms repeat for ten minutes, and a request may be that much older or younger than it says. */
const KEPT_MS = 20 * 60_000
const KEPT_MAX = 10_000

/** Words come from outside and may be long. */
const keyOf = (words: readonly string[]): string => createHash('sha256').update(JSON.stringify(words)).digest('base64url')

export class Recent<Value> {
  readonly #clock: Clock
  /** The oldest first. */
  readonly #kept = new Map<string, { readonly value: Value; readonly at: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What was kept under these words; undefined when nothing was, or too long ago. */
  get(words: readonly string[]): Value | undefined {
    const entry = this.#kept.get(keyOf(words))
    return entry !== undefined && this.#clock.now() - entry.at < KEPT_MS ? entry.value : undefined
  }

  keep(words: readonly string[], value: Value): void {
    const now = this.#clock.now()
    for (const [key, { at }] of this.#kept) {
      if (now - at < KEPT_MS && this.#kept.size < KEPT_MAX) break
      this.#kept.delete(key)
    }
    const key = keyOf(words)
    // What is kept again is the youngest.
    this.#kept.delete(key)
    this.#kept.set(key, { value, at: now })
  }
}
