/**
 * Requests to the platform with a token or code that a program brought, and of which nobody here knows whether it is good. What the platform
 * refuses counts against the address of all games, so such requests have a small share of that, and each program a small share of it.
 */
import { createHash } from 'node:crypto'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { placeKey, type Program } from '../identity/program.ts'
import type { Reservation, Window } from './window.ts'

const SECOND_MS = 1000
const REFUSED = new Set([401, 403, 429])
/** Refused tokens that are remembered; no more can be refused within the window of the requests. */
const REMEMBERED = LIMITS.strangerRequests.value

export interface StrangersParts {
  readonly clock: Clock
  readonly window: Window
}

/** Whether a platform counts the request that ended so. */
export const isCountedRefusal = (failure: unknown): boolean =>
  failure instanceof BridgeError && (failure.error === 'OAUTH2_ERROR' || REFUSED.has(failure.detail.http_status ?? 0))

export const tooManyRefused = (waitMs: number): BridgeError => {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS))
  return new BridgeError(
    'RATE_LIMITED',
    `The platform refused too many requests of this program; try again in ${seconds} s, with a token or code that the platform gave for this application.`,
    { retry_after: seconds },
  )
}

export class Strangers {
  readonly #clock: Clock
  readonly #window: Window
  /** Programs whose next request waits for the outcome of one before. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** Hash of a refused token → until when it is refused here, and how. In the order in which they end. */
  readonly #refused = new Map<string, { readonly until: number; readonly failure: BridgeError }>()

  constructor({ clock, window }: StrangersParts) {
    this.#clock = clock
    this.#window = window
  }

  /** Makes a request of this program. Rejects with RATE_LIMITED when too many of its requests were refused. */
  async run<Result>(program: Program, request: () => Promise<Result>): Promise<Result> {
    const key = placeKey(program)
    try {
      const place = await this.#place(key)
      return await this.#counted(place, request)
    } finally {
      this.#goOn(key)
    }
  }

  /** The same for a request that asks about a token: one that was refused is refused again, without being asked about. */
  async ask<Result>(program: Program, applicationId: string, token: string, request: () => Promise<Result>): Promise<Result> {
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

  async #place(key: string): Promise<Reservation> {
    for (;;) {
      const place = this.#window.reserve(key)
      if (place !== undefined) return place
      // Requests that are under way may yet turn out to be good.
      if (!this.#window.isUndecided(key)) throw tooManyRefused(this.#window.waitMs(key))
      await new Promise<void>((resolve) => {
        const waiting = this.#waiting.get(key) ?? []
        waiting.push(resolve)
        this.#waiting.set(key, waiting)
      })
    }
  }

  async #counted<Result>(place: Reservation, request: () => Promise<Result>): Promise<Result> {
    try {
      const result = await request()
      place.giveBack()
      return result
    } catch (failure) {
      if (isCountedRefusal(failure)) place.keep()
      else place.giveBack()
      throw failure
    }
  }

  #goOn(key: string): void {
    const waiting = this.#waiting.get(key)
    const next = waiting?.shift()
    if (waiting?.length === 0) this.#waiting.delete(key)
    next?.()
  }

  #known(hash: string): BridgeError | undefined {
    const now = this.#clock.now()
    for (const [one, { until }] of this.#refused) {
      if (until > now) break
      this.#refused.delete(one)
    }
    return this.#refused.get(hash)?.failure
  }

  #remember(hash: string, failure: BridgeError): void {
    const [oldest] = this.#refused.keys()
    if (oldest !== undefined && this.#refused.size >= REMEMBERED) this.#refused.delete(oldest)
    this.#refused.delete(hash)
    this.#refused.set(hash, { until: this.#clock.now() + LIMITS.refusedTokenMs.value, failure })
  }
}
