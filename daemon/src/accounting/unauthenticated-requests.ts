/**
 * Limits requests to the platform with a token or code that a program supplied and that is not verified. Refused requests count against the
 * machine's IP address, so all such requests have a small budget, and each program a small share of it. Programs with a grant have a reserve.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from '@sallyport/core/durations'
import { BoundedMap } from '@sallyport/core/bounded-map'
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { programKey, type Program } from '../identity/program.ts'
import type { IsGranted } from './ledger.ts'
import type { Reservation, Window } from './window.ts'

const REFUSED = new Set([401, 403, 429])
/** Maximum number of cached refused tokens; no more can be refused within the window of the requests. */
const REMEMBERED = BUDGETS.unauthenticatedFailures.value

interface UnauthenticatedRequestsDeps {
  readonly clock: Clock
  readonly window: Window
  /** Whether the program has a live grant. */
  readonly isGranted: (program: Program) => boolean
}

/** Whether the platform counts this failure as an invalid request. */
export const isCountedRefusal = (failure: unknown): boolean =>
  failure instanceof BridgeError && (failure.error === 'OAUTH2_ERROR' || REFUSED.has(failure.detail.http_status ?? 0))

export const tooManyRefused = (waitMs: number): BridgeError => {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS))
  return new BridgeError(
    'RATE_LIMITED',
    `The platform refused too many requests of this program; try again in ${seconds} s, with a token or code that the platform issued for this application.`,
    { retry_after: seconds },
  )
}

export class UnauthenticatedRequests {
  readonly #clock: Clock
  readonly #window: Window
  readonly #isGranted: (program: Program) => boolean
  /** Requests that wait for the outcome of an earlier one, by program. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** Refused tokens by hash, with expiry and error, in the order of their expiry. */
  readonly #refused = new BoundedMap<string, { readonly until: number; readonly failure: BridgeError }>(REMEMBERED)

  constructor({ clock, window, isGranted }: UnauthenticatedRequestsDeps) {
    this.#clock = clock
    this.#window = window
    this.#isGranted = isGranted
  }

  /** Runs a request of this program. Rejects with RATE_LIMITED when too many of its requests were refused. */
  async run<Result>(program: Program, request: () => Promise<Result>): Promise<Result> {
    const key = programKey(program)
    try {
      const reservation = await this.#reserve(key, () => this.#isGranted(program))
      return await this.#counted(reservation, request)
    } finally {
      this.#runNext(key)
    }
  }

  /** Runs a request that verifies a token. A token that was refused before is rejected without a request. */
  async runForToken<Result>(program: Program, applicationId: string, token: string, request: () => Promise<Result>): Promise<Result> {
    const hash = createHash('sha256').update(`${applicationId} ${token}`).digest('base64url')
    const known = this.#known(hash)
    if (known !== undefined) throw known
    try {
      return await this.run(program, request)
    } catch (failure) {
      if (failure instanceof BridgeError && failure.detail.http_status === 401) this.#remember(hash, failure)
      throw failure
    }
  }

  async #reserve(key: string, isGranted: IsGranted): Promise<Reservation> {
    for (;;) {
      const reservation = this.#window.reserve(key, isGranted)
      if (reservation !== undefined) return reservation
      // Pending requests may still succeed.
      if (!this.#window.isUndecided(key)) throw tooManyRefused(this.#window.waitMs(key, isGranted))
      await new Promise<void>((resolve) => {
        const waiting = this.#waiting.get(key) ?? []
        waiting.push(resolve)
        this.#waiting.set(key, waiting)
      })
    }
  }

  async #counted<Result>(reservation: Reservation, request: () => Promise<Result>): Promise<Result> {
    try {
      const result = await request()
      reservation.giveBack()
      return result
    } catch (failure) {
      if (isCountedRefusal(failure)) reservation.keep()
      else reservation.giveBack()
      throw failure
    }
  }

  #runNext(key: string): void {
    const waiting = this.#waiting.get(key)
    const next = waiting?.shift()
    if (waiting?.length === 0) this.#waiting.delete(key)
    next?.()
  }

  #known(hash: string): BridgeError | undefined {
    const now = this.#clock.now()
    this.#refused.deleteOldest(({ until }) => until <= now)
    return this.#refused.get(hash)?.failure
  }

  #remember(hash: string, failure: BridgeError): void {
    this.#refused.set(hash, { until: this.#clock.now() + BUDGETS.rejectedTokenMs.value, failure })
  }
}
