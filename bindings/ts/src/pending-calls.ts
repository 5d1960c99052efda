/** The pending calls: each ends exactly once, by its response, its deadline, its signal, or the loss of the connection. */
import { CallError, CallTimeoutError, errorFrom } from './errors.ts'
import type { Clock } from './environment.ts'
import type { Message } from './wire/message.ts'

interface PendingCall {
  readonly command: string
  readonly resolve: (data: unknown) => void
  readonly reject: (error: unknown) => void
  readonly release: () => void
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

  /** Registers a call and sends it with `send`; an error of `send` rejects the call. */
  open(command: string, { timeoutMs, signal }: CallLimits, send: (nonce: string) => void): Promise<unknown> {
    this.#lastNonce += 1
    const nonce = String(this.#lastNonce)
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
      this.#pending.set(nonce, { command, resolve, reject, release })
      try {
        send(nonce)
      } catch (error) {
        this.#remove(nonce)?.reject(error)
      }
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

  #remove(nonce: string): PendingCall | undefined {
    const call = this.#pending.get(nonce)
    this.#pending.delete(nonce)
    call?.release()
    return call
  }
}
