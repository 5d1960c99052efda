/** A map with a limited size and age of its entries, without a timer. */
import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'

/** The platform retries for ten minutes, and clocks may differ by that much. */
const TTL_MS = 20 * 60_000
const MAX_ENTRIES = 10_000

/** A hash, because the keys are external and may be long. */
const keyOf = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

export class ExpiringMap<Value> {
  readonly #clock: Clock
  /** Oldest first. */
  readonly #entries = new BoundedMap<string, { readonly value: Value; readonly at: number }>(MAX_ENTRIES)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The value; undefined if missing or expired. */
  get(parts: readonly string[]): Value | undefined {
    const entry = this.#entries.get(keyOf(parts))
    return entry !== undefined && this.#clock.elapsed() - entry.at < TTL_MS ? entry.value : undefined
  }

  set(parts: readonly string[], value: Value): void {
    const now = this.#clock.elapsed()
    this.#entries.deleteOldest(({ at }) => now - at >= TTL_MS)
    this.#entries.set(keyOf(parts), { value, at: now })
  }
}
