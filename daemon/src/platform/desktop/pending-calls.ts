/** Pending calls to the server, and its capability inferred from missing responses: some servers of this protocol support presence only. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { CancelListener, CancelSignal } from '@sallyport/core/cancel'
import { clientError } from './client-error.ts'
import type { IncomingMessage } from './incoming.ts'

export interface CallOptions {
  /** The event, for SUBSCRIBE and UNSUBSCRIBE. */
  readonly evt?: string
  /** Cancels the call. */
  readonly signal?: CancelSignal
  /** Timeout for the response, in ms; absent: until the connection ends. */
  readonly timeoutMs?: number
  /** An argument that must not appear in an error. */
  readonly secret?: string
}

interface PendingCall {
  readonly cmd: string
  readonly secret: string | undefined
  resolve(data: unknown): void
  reject(failure: BridgeError): void
}

/**
 * A server that never responded and leaves a call unanswered for this time supports presence only. A full client responds immediately, unless
 * it prompts its user. Shorter than the shortest deadline, which a clock change may shorten.
 */
const SILENCE_MS = 4_000
/** The command that every presence server responds to. */
const PRESENCE = 'SET_ACTIVITY'
/** Sent to presence-only servers as well: their callers do not block, and a response reveals a full client. */
const SENT_TO_PRESENCE_SERVERS: ReadonlySet<string> = new Set([PRESENCE, 'SUBSCRIBE', 'UNSUBSCRIBE'])

export const cancelled = (): BridgeError => new BridgeError('TRANSACTION_ABORTED', 'The call was cancelled.')

const presenceOnlyError = (cmd: string): BridgeError =>
  new BridgeError(
    'SERVICE_UNAVAILABLE',
    `${cmd} needs the platform's desktop client; the server running in its place supports presence only.`,
  )

export class PendingCalls {
  readonly #clock: Clock
  readonly #onCapabilityChange: () => void
  readonly #pending = new Map<string, PendingCall>()
  #lastNonce = 0
  /** Known capability of the server. */
  #capability: 'unknown' | 'full' | 'presence-only'

  /** `onCapabilityChange` is called after `isPresenceOnly` has changed. */
  constructor(clock: Clock, isPresenceOnly: boolean, onCapabilityChange: () => void) {
    this.#clock = clock
    this.#capability = isPresenceOnly ? 'presence-only' : 'unknown'
    this.#onCapabilityChange = onCapabilityChange
  }

  get size(): number {
    return this.#pending.size
  }

  /** Whether the server left a call unanswered and has responded to presence only. */
  get isPresenceOnly(): boolean {
    return this.#capability === 'presence-only'
  }

  nextNonce(): string {
    return String(++this.#lastNonce)
  }

  /** The error for a call that must not be sent; undefined if it may be sent. */
  refusalOf(cmd: string): BridgeError | undefined {
    return this.isPresenceOnly && !SENT_TO_PRESENCE_SERVERS.has(cmd) ? presenceOnlyError(cmd) : undefined
  }

  track(nonce: string, cmd: string, { signal, timeoutMs, secret }: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sentAt = this.#clock.elapsed()
      const finish = (settle: () => void): void => {
        this.#pending.delete(nonce)
        signal?.removeEventListener('abort', onCancel)
        cancelTimer?.()
        settle()
      }
      const fail = (failure: BridgeError): void => {
        finish(() => reject(failure))
        this.#onUnanswered(cmd, this.#clock.elapsed() - sentAt)
      }
      const onCancel: CancelListener = { handleEvent: () => fail(cancelled()) }
      const onTimeout = () => fail(new BridgeError('SERVICE_UNAVAILABLE', `The desktop client did not respond to ${cmd}.`))
      const cancelTimer = timeoutMs === undefined ? undefined : this.#clock.after(timeoutMs, onTimeout)
      signal?.addEventListener('abort', onCancel)
      this.#pending.set(nonce, {
        cmd,
        secret,
        resolve: (data) => finish(() => resolve(data)),
        reject: (failure) => finish(() => reject(failure)),
      })
    })
  }

  /** Settles the call of a response. Returns false if no such call is pending. */
  settle({ cmd, evt, data, nonce }: IncomingMessage): boolean {
    if (typeof nonce !== 'string' && typeof nonce !== 'number') return false
    const pending = this.#pending.get(String(nonce))
    const isOurs = Number(nonce) >= 1 && Number(nonce) <= this.#lastNonce
    if (isOurs && (pending?.cmd ?? cmd) !== PRESENCE) this.setCapability('full')
    if (pending === undefined) return false
    if (evt === 'ERROR') pending.reject(clientError(data, pending.secret))
    else pending.resolve(data ?? null)
    return true
  }

  /** Sets the observed capability of the server. */
  setCapability(capability: 'full' | 'presence-only'): void {
    const before = this.isPresenceOnly
    this.#capability = capability
    if (before === this.isPresenceOnly) return
    if (this.isPresenceOnly) {
      for (const call of [...this.#pending.values()]) if (!SENT_TO_PRESENCE_SERVERS.has(call.cmd)) call.reject(presenceOnlyError(call.cmd))
    }
    this.#onCapabilityChange()
  }

  /** Rejects every pending call. */
  rejectAll(failure: () => BridgeError): void {
    for (const call of [...this.#pending.values()]) call.reject(failure())
  }

  #onUnanswered(cmd: string, forMs: number): void {
    if (this.#capability === 'unknown' && cmd !== PRESENCE && forMs >= SILENCE_MS) this.setCapability('presence-only')
  }
}
