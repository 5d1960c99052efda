/** Calls that wait for their answers, and what those that get none say of the other side: some servers of this protocol take presence and no more. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { StopListener, CancelSignal } from '@sallyport/core/cancel'
import { clientError } from './client-error.ts'
import type { Incoming } from './incoming.ts'

export interface CallOptions {
  /** Of SUBSCRIBE and UNSUBSCRIBE. */
  readonly evt?: string
  /** The caller does not wait any more. */
  readonly stop?: CancelSignal
  /** How long an answer may take, in ms; as long as the connection lives when absent. */
  readonly withinMs?: number
  /** What of the arguments must not be repeated in an error. */
  readonly secret?: string
}

interface Waiting {
  readonly cmd: string
  readonly secret: string | undefined
  resolve(data: unknown): void
  reject(failure: BridgeError): void
}

/**
 * Without an answer for so long, by one that never gave any: it gives none. A client that answers does so at once, but for what its user is asked.
 * Below the shortest deadline of our own, which a clock may shorten.
 */
const SILENCE_MS = 4_000
/** What every server of presence answers. */
const PRESENCE = 'SET_ACTIVITY'
/** Sent to a server of presence, too: nobody waits for long, and an answer would show that it does more after all. */
const ALWAYS_SENT: ReadonlySet<string> = new Set([PRESENCE, 'SUBSCRIBE', 'UNSUBSCRIBE'])

export const givenUp = (): BridgeError => new BridgeError('TRANSACTION_ABORTED', 'It was given up.')

const presenceOnly = (cmd: string): BridgeError =>
  new BridgeError(
    'SERVICE_UNAVAILABLE',
    `${cmd} needs the platform's own desktop client; what runs here in its place takes presence and answers nothing else.`,
  )

export class OpenCalls {
  readonly #clock: Clock
  readonly #onStanding: () => void
  readonly #waiting = new Map<string, Waiting>()
  #lastNonce = 0
  /** What it is known to do. */
  #standing: 'unknown' | 'answers' | 'presence-only'

  /** `onAuthChange` hears when `isPresenceOnly` has changed. */
  constructor(clock: Clock, isPresenceOnly: boolean, onStanding: () => void) {
    this.#clock = clock
    this.#standing = isPresenceOnly ? 'presence-only' : 'unknown'
    this.#onStanding = onStanding
  }

  get size(): number {
    return this.#waiting.size
  }

  /** It left a call without an answer, and never answered anything but presence. */
  get isPresenceOnly(): boolean {
    return this.#standing === 'presence-only'
  }

  nextNonce(): string {
    return String(++this.#lastNonce)
  }

  /** Undefined when a call may be sent. */
  objection(cmd: string): BridgeError | undefined {
    return this.isPresenceOnly && !ALWAYS_SENT.has(cmd) ? presenceOnly(cmd) : undefined
  }

  wait(nonce: string, cmd: string, { stop, withinMs, secret }: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sentAt = this.#clock.now()
      const end = (tell: () => void): void => {
        this.#waiting.delete(nonce)
        stop?.removeEventListener('abort', giveUp)
        cancelTimer?.()
        tell()
      }
      const without = (failure: BridgeError): void => {
        end(() => reject(failure))
        this.#unanswered(cmd, this.#clock.now() - sentAt)
      }
      const giveUp: StopListener = { handleEvent: () => without(givenUp()) }
      const late = () => without(new BridgeError('SERVICE_UNAVAILABLE', `The desktop client did not answer ${cmd}.`))
      const cancelTimer = withinMs === undefined ? undefined : this.#clock.after(withinMs, late)
      stop?.addEventListener('abort', giveUp)
      this.#waiting.set(nonce, {
        cmd,
        secret,
        resolve: (data) => end(() => resolve(data)),
        reject: (failure) => end(() => reject(failure)),
      })
    })
  }

  /** Takes an answer. False: nobody waits for it, or it is to none of these calls. */
  take({ cmd, evt, data, nonce }: Incoming): boolean {
    if (typeof nonce !== 'string' && typeof nonce !== 'number') return false
    const waiting = this.#waiting.get(String(nonce))
    const isOurs = Number(nonce) >= 1 && Number(nonce) <= this.#lastNonce
    if (isOurs && (waiting?.cmd ?? cmd) !== PRESENCE) this.does('answers')
    if (waiting === undefined) return false
    if (evt === 'ERROR') waiting.reject(clientError(data, waiting.secret))
    else waiting.resolve(data ?? null)
    return true
  }

  /** It showed that it does more than presence, or that it does not. */
  does(standing: 'answers' | 'presence-only'): void {
    const before = this.isPresenceOnly
    this.#standing = standing
    if (before === this.isPresenceOnly) return
    if (this.isPresenceOnly) {
      for (const call of [...this.#waiting.values()]) if (!ALWAYS_SENT.has(call.cmd)) call.reject(presenceOnly(call.cmd))
    }
    this.#onStanding()
  }

  /** No answer comes any more. */
  end(failure: () => BridgeError): void {
    for (const call of [...this.#waiting.values()]) call.reject(failure())
  }

  #unanswered(cmd: string, forMs: number): void {
    if (this.#standing === 'unknown' && cmd !== PRESENCE && forMs >= SILENCE_MS) this.does('presence-only')
  }
}
