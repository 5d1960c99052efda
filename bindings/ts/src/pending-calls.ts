/**
 * The pending calls: each ends exactly once, by its response, its deadline, its signal, or the loss of the connection. One with a key outlives the
 * connection, and is sent again on the next one.
 */
import { type KeyedCall, repeatDecision, type RepeatConditions } from './call-keys.ts'
import { CallError, CallTimeoutError, errorFrom } from './errors.ts'
import type { Clock } from './environment.ts'
import type { Message } from './wire/message.ts'

interface PendingCall {
  readonly command: string
  readonly resolve: (data: unknown) => void
  readonly reject: (error: unknown) => void
  readonly release: () => void
  readonly keyed: KeyedCall | undefined
  /** Sends it under another nonce. */
  readonly sendAgain: () => void
  /** Its connection ended; it waits for the next. */
  held: Error | undefined
}

export interface CallLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export class PendingCalls {
  readonly #clock: Clock
  readonly #pending = new Map<string, PendingCall>()
  /** Never reset, so that a response to a call of an earlier connection matches no later call. */
  #lastNonce = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#pending.size
  }

  /** Registers a call and sends it with `send`; an error of `send` rejects the call. `keyed`: `send` may be called again, with another nonce. */
  open(command: string, { timeoutMs, signal }: CallLimits, send: (nonce: string) => void, keyed?: KeyedCall): Promise<unknown> {
    let nonce = this.#nextNonce()
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(errorFrom(signal.reason))
      const abort = () => this.#remove(nonce)?.reject(errorFrom(signal?.reason))
      const expire = () =>
        this.#remove(nonce)?.reject(new CallTimeoutError(`${command} timed out after ${timeoutMs} ms; the server may still execute it`))
      const cancelDeadline = this.#clock.after(timeoutMs, expire, true)
      signal?.addEventListener('abort', abort, { once: true })
      const release = () => {
        cancelDeadline()
        signal?.removeEventListener('abort', abort)
      }
      const trySend = (lost?: Error) => {
        try {
          send(nonce)
        } catch (error) {
          // The server may have executed a call that was sent before.
          this.#remove(nonce)?.reject(lost ?? error)
        }
      }
      const sendAgain = () => {
        const lost = call.held
        this.#pending.delete(nonce)
        nonce = this.#nextNonce()
        call.held = undefined
        this.#pending.set(nonce, call)
        trySend(lost)
      }
      const call: PendingCall = { command, resolve, reject, release, keyed, sendAgain, held: undefined }
      this.#pending.set(nonce, call)
      trySend()
    })
  }

  /** Settles the call with the nonce of the message. Drops late responses to cancelled calls. */
  settle(message: Extract<Message, { kind: 'response' | 'error' }>): void {
    const call = message.nonce === undefined ? undefined : this.#remove(message.nonce)
    if (message.kind === 'response') call?.resolve(message.data)
    else call?.reject(new CallError(call.command, message.data))
  }

  rejectAll(error: Error): void {
    for (const nonce of Array.from(this.#pending.keys())) this.#remove(nonce)?.reject(error)
  }

  /** The connection ended, and another one follows: calls with a key wait for it. */
  hold(error: Error): void {
    for (const [nonce, call] of Array.from(this.#pending)) {
      if (call.keyed === undefined) this.#remove(nonce)?.reject(error)
      else call.held ??= error
    }
  }

  /** Sends held calls again, or rejects them where that could take effect a second time. */
  repeatHeld(now: RepeatConditions): void {
    for (const [nonce, call] of Array.from(this.#pending)) {
      if (call.held === undefined || call.keyed === undefined) continue
      const decision = repeatDecision(call.keyed, now)
      if (decision === 'send') call.sendAgain()
      else if (decision === 'give-up') this.#remove(nonce)?.reject(call.held)
    }
  }

  #nextNonce(): string {
    this.#lastNonce += 1
    return String(this.#lastNonce)
  }

  #remove(nonce: string): PendingCall | undefined {
    const call = this.#pending.get(nonce)
    this.#pending.delete(nonce)
    call?.release()
    return call
  }
}
