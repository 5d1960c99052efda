/** Which nonce the ID token for a code must carry: noted when the code arrives, looked up when it is exchanged. */
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'

/** No platform lets codes live longer. */
const KEPT_MS = 10 * 60_000
/** Beyond these the oldest go: their codes are exchanged long since, or never. */
const KEPT = 256

interface Expectation {
  /** Undefined: the ID token must carry none. */
  readonly nonce: string | undefined
  readonly until: number
}

const keyOf = (code: Secret<string>): string => createHash('sha256').update(code.reveal()).digest('base64url')

export class ExpectedNonces {
  readonly #clock: Clock
  readonly #byCode = new Map<string, Expectation>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(code: Secret<string>, nonce: string | undefined): void {
    const now = this.#clock.now()
    for (const [key, { until }] of this.#byCode) if (until <= now || this.#byCode.size >= KEPT) this.#byCode.delete(key)
    this.#byCode.set(keyOf(code), { nonce, until: now + KEPT_MS })
  }

  /** Undefined for codes that did not come by way of this run. */
  of(code: Secret<string>): { readonly nonce: string | undefined } | undefined {
    const found = this.#byCode.get(keyOf(code))
    return found === undefined || found.until <= this.#clock.now() ? undefined : found
  }
}
