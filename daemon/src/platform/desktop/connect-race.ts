/**
 * Connects to several endpoints in order, in the manner of Happy Eyeballs (RFC 8305). An attempt without a result delays the next one only
 * by its head start. The first success wins, and the others are cancelled.
 */
import type { Clock } from '@sallyport/core/clock'
import type { CancelListener, CancelSignal } from '@sallyport/core/cancel'
import type { SocketEndpoint } from '../../ipc/transport/dial.ts'
import type { ClientConnection } from './connection.ts'

/**
 * `not-found`: no client. `rejected`: a client that rejects this application. `refused`: a socket exists, but no process listens on it (yet).
 * `timeout`: a process listens, but has not sent READY (yet).
 */
export type NotFound = 'not-found' | 'rejected' | 'refused' | 'timeout'
export type Ready = Readonly<Record<string, unknown>>

export interface FoundClient {
  readonly endpoint: SocketEndpoint
  readonly connection: ClientConnection
  readonly ready: Ready
}
export type Found = FoundClient | NotFound

/** One connection attempt in progress. */
export interface ConnectAttempt {
  /** Delay before the next attempt starts, in ms. */
  readonly headStartMs: number
  /** Never rejects. */
  readonly outcome: Promise<Found>
  cancel(): void
}

/** Outcomes in ascending order; the highest is the result of the race. */
const RANK: readonly NotFound[] = ['not-found', 'rejected', 'refused', 'timeout']

/** Of several outcomes, the highest. */
export const worstOf = (outcomes: readonly NotFound[]): NotFound =>
  outcomes.reduce<NotFound>((worst, one) => (RANK.indexOf(one) > RANK.indexOf(worst) ? one : worst), 'not-found')

class ConnectRace implements CancelListener {
  readonly found: Promise<Found>
  readonly #clock: Clock
  readonly #endpoints: SocketEndpoint[]
  readonly #attemptAt: (endpoint: SocketEndpoint) => ConnectAttempt
  readonly #open = new Set<ConnectAttempt>()
  #outcome: NotFound = 'not-found'
  #isSettled = false
  #cancelHeadStart: () => void = () => {}
  #resolve: (found: Found) => void = () => {}

  constructor(clock: Clock, endpoints: readonly SocketEndpoint[], attemptAt: (endpoint: SocketEndpoint) => ConnectAttempt) {
    this.#clock = clock
    this.#endpoints = [...endpoints]
    this.#attemptAt = attemptAt
    this.found = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#next()
  }

  /** The caller cancelled the race. */
  handleEvent(): void {
    this.#end(this.#outcome)
  }

  #next(): void {
    this.#cancelHeadStart()
    const endpoint = this.#endpoints.shift()
    if (endpoint === undefined) {
      if (this.#open.size === 0) this.#end(this.#outcome)
      return
    }
    const attempt = this.#attemptAt(endpoint)
    this.#open.add(attempt)
    if (this.#endpoints.length > 0) this.#cancelHeadStart = this.#clock.after(attempt.headStartMs, () => this.#next())
    void attempt.outcome.then((found) => this.#onOutcome(attempt, found))
  }

  #onOutcome(attempt: ConnectAttempt, found: Found): void {
    this.#open.delete(attempt)
    if (typeof found !== 'object') {
      this.#outcome = worstOf([this.#outcome, found])
      if (!this.#isSettled) this.#next()
    } else if (this.#isSettled) found.connection.close()
    else this.#end(found)
  }

  #end(found: Found): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#cancelHeadStart()
    for (const attempt of this.#open) attempt.cancel()
    this.#resolve(found)
  }
}

/** Never rejects. `signal` cancels the race. */
export async function raceConnect(
  clock: Clock,
  endpoints: readonly SocketEndpoint[],
  attemptAt: (endpoint: SocketEndpoint) => ConnectAttempt,
  signal?: CancelSignal,
): Promise<Found> {
  if (signal?.aborted === true) return 'not-found'
  const race = new ConnectRace(clock, endpoints, attemptAt)
  signal?.addEventListener('abort', race)
  try {
    return await race.found
  } finally {
    signal?.removeEventListener('abort', race)
  }
}
