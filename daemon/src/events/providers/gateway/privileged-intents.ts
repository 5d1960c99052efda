/** Which privileged intents an application has, by its flags and by what the gateway refused. The developer portal can change both at any time. */
import { HOUR_MS, MINUTE_MS } from '@sallyport/core/durations'
import { PRIVILEGED_INTENTS, type PrivilegedIntentRow } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'

interface PrivilegedIntentsDeps {
  readonly clock: Clock
  /** Reads the flags of the application. Rejects with BridgeError. */
  readonly flags: () => Promise<number>
}

const ROWS: readonly PrivilegedIntentRow[] = Object.values(PRIVILEGED_INTENTS)
const ALL = ROWS.reduce((sum, { intent }) => sum | intent, 0)

/** The flags are read at most this often. */
export const INTENTS_CHECK_MS = MINUTE_MS
/** After this time an intent that the gateway refused in spite of the flags is requested again. */
const REFUSED_MS = HOUR_MS

/** The privileged part of these intents. */
export const privilegedPart = (intents: number): number => intents & ALL

export class PrivilegedIntents {
  readonly #deps: PrivilegedIntentsDeps
  /** Those that the flags allow. Until they are read, the gateway decides. */
  #allowed = ALL
  /** Those that the gateway refused in spite of the flags. */
  #refused = 0
  #refusedAt = 0
  #readAt: number | undefined
  #reading: Promise<void> | undefined

  constructor(deps: PrivilegedIntentsDeps) {
    this.#deps = deps
  }

  /** The privileged ones of these intents that the application does not have. */
  missingOf(intents: number): number {
    return privilegedPart(intents) & (~this.#allowed | this.#refused)
  }

  /** The gateway refused a session with these intents, so the flags are read at the next `update`. */
  refuse(intents: number): void {
    this.#refused = privilegedPart(intents)
    this.#refusedAt = this.#deps.clock.now()
    this.#readAt = undefined
  }

  /** A new sign-in: the gateway decides again. */
  forgetRefusal(): void {
    this.#refused = 0
  }

  /** Reads the flags, unless they were read less than a minute ago. If they cannot be read, what is known stays. */
  update(): Promise<void> {
    const age = this.#deps.clock.now() - (this.#readAt ?? Number.NEGATIVE_INFINITY)
    // The clock may have been set back.
    if (this.#reading === undefined && age >= 0 && age < INTENTS_CHECK_MS) return Promise.resolve()
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const { clock, flags } = this.#deps
    this.#readAt = clock.now()
    try {
      const known = await flags()
      this.#allowed = ROWS.reduce(
        (sum, { intent, approvedFlag, limitedFlag }) => ((known & (approvedFlag | limitedFlag)) === 0 ? sum : sum | intent),
        0,
      )
    } catch (failure) {
      if (!(failure instanceof BridgeError)) throw failure
    }
    // Flags that lack a refused intent explain the refusal; the other intents of that session are fine.
    if ((this.#refused & ~this.#allowed) !== 0 || clock.now() - this.#refusedAt >= REFUSED_MS) this.#refused = 0
  }
}
