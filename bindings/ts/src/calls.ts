/** The calls that wait for their answers: each ends exactly once, by its answer, its deadline, its signal, or the loss of the connection. */
import { CallError, CallTimeout, errorFrom } from './errors.ts'
import type { Clock } from './ports.ts'
import type { Message } from './wire/message.ts'

interface Pending {
  readonly command: string
  readonly resolve: (data: unknown) => void
  readonly reject: (error: unknown) => void
  readonly release: () => void
}

export interface CallLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export class CallBook {
  readonly #clock: Clock
  readonly #pending = new Map<string, Pending>()
  /** Never reset, so an answer to a call of an earlier connection cannot be taken for another's. */
  #lastNonce = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#pending.size
  }

  /** Opens a call and lets `send` put it on the wire; what `send` throws rejects the call. */
  open(command: string, { timeoutMs, signal }: CallLimits, send: (nonce: string) => void): Promise<unknown> {
    this.#lastNonce += 1
    const nonce = String(this.#lastNonce)
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(errorFrom(signal.reason))
      const abort = () => this.#take(nonce)?.reject(errorFrom(signal?.reason))
      const expire = () =>
        this.#take(nonce)?.reject(new CallTimeout(`${command} was not answered within ${timeoutMs} ms; it may still be carried out`))
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
        this.#take(nonce)?.reject(error)
      }
    })
  }

  /** Ends the call the message answers. Late answers to calls that were given up are dropped. */
  settle(message: Extract<Message, { kind: 'answer' | 'error' }>): void {
    const call = message.nonce === undefined ? undefined : this.#take(message.nonce)
    if (message.kind === 'answer') call?.resolve(message.data)
    else call?.reject(new CallError(call.command, message.data))
  }

  rejectAll(error: Error): void {
    for (const nonce of Array.from(this.#pending.keys())) this.#take(nonce)?.reject(error)
  }

  #take(nonce: string): Pending | undefined {
    const call = this.#pending.get(nonce)
    this.#pending.delete(nonce)
    call?.release()
    return call
  }
}
