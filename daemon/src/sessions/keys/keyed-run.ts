/**
 * One call with a key, from its first request to its end. Several connections can wait for it. Before a request has left, it ends with the last of
 * them; after that it goes on alone, until its deadline, so that a repeat gets its result.
 */
import { Canceller, type CancelListener, type CancelSignal } from '@sallyport/core/cancel'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { CallLimits, RequestEffect, RequestFollower } from '../../platform/api/forwarder-port.ts'
import type { AwaitedWork } from '../timed-call.ts'
import { type UnknownReason, unknownOutcome } from './stored-call.ts'

/** `none`: it did nothing. `final`: the platform refused it, and would again, or it is unknown whether it took effect. */
export type Outcome = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'final' | 'none'; readonly error: unknown }

interface RunDeps {
  readonly clock: Clock
  readonly argumentsHash: string
  readonly deadlineAt: number
  /** Why it is unknown whether an earlier call with this key took effect; undefined if there was none. */
  readonly earlier: UnknownReason | undefined
  /** The first request leaves: stores the key. Throws BridgeError to keep the request back. */
  readonly onLeaving: () => void
  /** A request leaves after one whose effect is unknown. Throws BridgeError to keep it back. */
  readonly onLeavingAgain: () => void
  /** Charges the arguments of a call that goes on alone; undefined: there is no room for it. */
  readonly detach: () => (() => void) | undefined
}

export class KeyedRun implements CallLimits, RequestFollower, AwaitedWork, CancelListener {
  readonly argumentsHash: string
  readonly deadlineAt: number
  readonly #deps: RunDeps
  readonly #canceller = new Canceller()
  #waiting = 0
  #hasLeft = false
  #isUnderWay = false
  #effect: RequestEffect
  #reason: UnknownReason
  #isStopped = false
  #hasNoRoom = false
  #isSettled = false
  #release: (() => void) | undefined
  #cancelTimer: (() => void) | undefined
  readonly #ended = Promise.withResolvers<Outcome>()

  constructor(deps: RunDeps) {
    this.#deps = deps
    this.argumentsHash = deps.argumentsHash
    this.deadlineAt = deps.deadlineAt
    this.#effect = deps.earlier === undefined ? 'none' : 'unknown'
    this.#reason = deps.earlier ?? 'lost'
  }

  get cancelSignal(): CancelSignal {
    return this.#canceller
  }

  /** What all requests with this key did. */
  get effect(): RequestEffect {
    return this.#effect
  }

  /** As long as no request has left, it did nothing. */
  lateError(): BridgeError | undefined {
    return this.#isUnderWay || this.#effect !== 'none' ? unknownOutcome('late') : undefined
  }

  get hasLeft(): boolean {
    return this.#hasLeft
  }

  /** Why the effect is unknown, if it is. */
  get reason(): UnknownReason {
    return this.#reason
  }

  /** Waits for its end. The signal says that the caller waits no longer. */
  join(signal: CancelSignal): Promise<Outcome> {
    this.#waiting += 1
    if (signal.aborted) this.handleEvent()
    else signal.addEventListener('abort', this)
    return this.#ended.promise
  }

  leaving(): void {
    if (this.#canceller.aborted) throw callEnded()
    if (this.#effect === 'unknown') this.#deps.onLeavingAgain()
    else if (!this.#hasLeft) this.#deps.onLeaving()
    this.#hasLeft = true
    this.#isUnderWay = true
  }

  ended(effect: RequestEffect, isAnswered: boolean): void {
    this.#isUnderWay = false
    if (effect === 'unknown') this.#reason = isAnswered ? 'failed' : this.#reasonOfBreak()
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
      this.#hasNoRoom = this.#release === undefined
      if (this.#hasNoRoom) return this.#canceller.cancel()
    }
    this.#cancelTimer ??= clock.after(leftMs, () => this.#canceller.cancel())
  }

  /** The daemon stops. Resolves when nothing is left to store: what has not left may wait for a file that cannot be read, and leaves no more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#canceller.cancel()
    if (this.#hasLeft) await this.#ended.promise
  }

  settle(outcome: Outcome): void {
    this.#isSettled = true
    this.#cancelTimer?.()
    this.#release?.()
    this.#ended.resolve(outcome)
  }

  #reasonOfBreak(): UnknownReason {
    if (this.#isStopped) return 'stopped'
    if (this.#hasNoRoom) return 'left'
    return this.#canceller.aborted || this.#deps.clock.elapsed() >= this.deadlineAt ? 'late' : 'lost'
  }
}

export const callEnded = (): BridgeError => new BridgeError('TRANSACTION_ABORTED', 'The call ended before it was sent.')
