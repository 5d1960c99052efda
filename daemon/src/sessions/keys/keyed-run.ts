/**
 * One call with a key, from its first request to its end. Several connections can wait for it. Before a request has left, it ends with the last of
 * them; after that it goes on alone, until its deadline, so that a repeat gets its result.
 */
import { Canceller, type CancelListener, type CancelSignal } from '@sallyport/core/cancel'
import type { Clock } from '@sallyport/core/clock'
import type { CallLimits, RequestEffect, RequestFollower } from '../../platform/api/forwarder-port.ts'
import type { UnknownReason } from './stored-call.ts'

/** `none`: it did nothing. `final`: the platform refused it, and would again. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'final' | 'none'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown; readonly reason: UnknownReason }

interface RunDeps {
  readonly clock: Clock
  readonly argumentsHash: string
  readonly deadlineAt: number
  /** Stores the key. Throws BridgeError to keep the request back. */
  readonly onLeaving: () => void
  /** Charges the arguments of a call that goes on alone; undefined: there is no room for it. */
  readonly detach: () => (() => void) | undefined
}

export class KeyedRun implements CallLimits, RequestFollower, CancelListener {
  readonly argumentsHash: string
  readonly deadlineAt: number
  readonly #deps: RunDeps
  readonly #canceller = new Canceller()
  #waiting = 0
  #hasLeft = false
  #effect: RequestEffect = 'none'
  #isStopped = false
  #isSettled = false
  #release: (() => void) | undefined
  #cancelTimer: (() => void) | undefined
  readonly #ended = Promise.withResolvers<Outcome>()

  constructor(deps: RunDeps) {
    this.#deps = deps
    this.argumentsHash = deps.argumentsHash
    this.deadlineAt = deps.deadlineAt
  }

  get cancelSignal(): CancelSignal {
    return this.#canceller
  }

  /** What all of its requests did. */
  get effect(): RequestEffect {
    return this.#effect
  }

  get hasLeft(): boolean {
    return this.#hasLeft
  }

  /** Why no answer came, if none did. */
  get reason(): UnknownReason {
    if (this.#isStopped) return 'stopped'
    return this.#canceller.aborted || this.#deps.clock.elapsed() >= this.deadlineAt ? 'late' : 'lost'
  }

  /** Waits for its end. The signal says that the caller waits no longer. */
  join(signal: CancelSignal): Promise<Outcome> {
    this.#waiting += 1
    if (signal.aborted) this.handleEvent()
    else signal.addEventListener('abort', this)
    return this.#ended.promise
  }

  leaving(): void {
    if (!this.#hasLeft) this.#deps.onLeaving()
    this.#hasLeft = true
  }

  ended(effect: RequestEffect): void {
    if (effect === 'taken' || this.#effect === 'none') this.#effect = effect
  }

  /** A caller waits no longer: its connection or its time has ended. */
  handleEvent(): void {
    if (this.#isSettled) return
    this.#waiting -= 1
    const { clock, detach } = this.#deps
    const leftMs = this.deadlineAt - clock.elapsed()
    if (leftMs <= 0) return this.#canceller.cancel()
    if (this.#waiting === 0 && this.#release === undefined) {
      if (this.#hasLeft) this.#release = detach()
      if (this.#release === undefined) return this.#canceller.cancel()
    }
    this.#cancelTimer ??= clock.after(leftMs, () => this.#canceller.cancel())
  }

  /** The daemon stops. */
  stop(): Promise<Outcome> {
    this.#isStopped = true
    this.#canceller.cancel()
    return this.#ended.promise
  }

  settle(outcome: Outcome): void {
    this.#isSettled = true
    this.#cancelTimer?.()
    this.#release?.()
    this.#ended.resolve(outcome)
  }
}
