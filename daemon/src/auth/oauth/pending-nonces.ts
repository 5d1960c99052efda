/** The nonce that the ID token for a code must carry: stored when the code arrives, looked up at the exchange. */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'

/** No platform's codes are valid for longer. */
const TTL_MS = 10 * 60_000
/** Maximum entries; the oldest are evicted. */
const MAX_ENTRIES = 256

interface PendingNonce {
  /** Undefined: the ID token must carry none. */
  readonly nonce: string | undefined
  /** Monotonic. */
  readonly expiresAt: number
}

const keyOf = (code: Secret<string>): string => createHash('sha256').update(code.reveal()).digest('base64url')

export class PendingNonces {
  readonly #clock: Clock
  readonly #byCode = new BoundedMap<string, PendingNonce>(MAX_ENTRIES)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(code: Secret<string>, nonce: string | undefined): void {
    const now = this.#clock.elapsed()
    for (const [key, { expiresAt }] of this.#byCode) if (expiresAt <= now) this.#byCode.delete(key)
    this.#byCode.set(keyOf(code), { nonce, expiresAt: now + TTL_MS })
  }

  /** Undefined for codes that this process did not receive. */
  of(code: Secret<string>): { readonly nonce: string | undefined } | undefined {
    const found = this.#byCode.get(keyOf(code))
    return found === undefined || found.expiresAt <= this.#clock.elapsed() ? undefined : found
  }
}
