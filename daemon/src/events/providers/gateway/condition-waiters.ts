/** Callers that wait for a condition, which is checked at each `notify`. */
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'

interface Waiter {
  readonly isMet: () => boolean
  readonly settle: () => void
}

export class ConditionWaiters {
  #waiting: readonly Waiter[] = []

  /** Resolves every caller whose condition is met now. */
  notify(): void {
    const met = this.#waiting.filter(({ isMet }) => isMet())
    this.#waiting = this.#waiting.filter((one) => !met.includes(one))
    for (const { settle } of met) settle()
  }

  /** Resolves when the condition is met. Rejects with TRANSACTION_ABORTED when `stop` fires first. */
  until(isMet: () => boolean, stop?: CancelSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void =>
        reject(new BridgeError('TRANSACTION_ABORTED', 'The call was cancelled before the gateway connection was ready.'))
      if (isMet()) return resolve()
      if (stop?.aborted === true) return cancel()
      const onAbort = {
        handleEvent: () => {
          this.#waiting = this.#waiting.filter((one) => one !== waiter)
          cancel()
        },
      }
      const settle = (): void => {
        stop?.removeEventListener('abort', onAbort)
        resolve()
      }
      const waiter = { isMet, settle }
      this.#waiting = [...this.#waiting, waiter]
      stop?.addEventListener('abort', onAbort)
    })
  }
}
