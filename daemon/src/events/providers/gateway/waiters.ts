/** Those who wait for something to get somewhere: told whenever it may have. */
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'

interface Waiter {
  readonly isThere: () => boolean
  readonly settle: () => void
}

export class Waiters {
  #waiting: readonly Waiter[] = []

  /** Something is another way now: whoever waited for it goes on. */
  look(): void {
    const there = this.#waiting.filter(({ isThere }) => isThere())
    this.#waiting = this.#waiting.filter((one) => !there.includes(one))
    for (const { settle } of there) settle()
  }

  /** Resolves when it is there. Rejects with TRANSACTION_ABORTED when nobody waits any more. */
  reached(isThere: () => boolean, stop?: CancelSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const givenUp = (): void => reject(new BridgeError('TRANSACTION_ABORTED', 'The call was given up before the gateway was there.'))
      if (isThere()) return resolve()
      if (stop?.aborted === true) return givenUp()
      const leave = {
        handleEvent: () => {
          this.#waiting = this.#waiting.filter((one) => one !== waiter)
          givenUp()
        },
      }
      const settle = (): void => {
        stop?.removeEventListener('abort', leave)
        resolve()
      }
      const waiter = { isThere, settle }
      this.#waiting = [...this.#waiting, waiter]
      stop?.addEventListener('abort', leave)
    })
  }
}
