/** One bucket with the calls that wait for it. Calls that the platform sent back with a 429 go before those that were not sent yet. */
import { type Bucket, estimateMs, newBucket } from './bucket.ts'
import type { Call } from './call.ts'
import { rateLimited } from './failure.ts'

export class Shelf {
  readonly bucket: Bucket = newBucket()
  readonly credentialId: string
  /** Under which it is kept; changes once, when the platform first names the bucket. */
  key: string
  /** Set when it turned out to be the same bucket as another. */
  mergedInto: Shelf | undefined
  /** The timer that serves the next ones; `at` in ms since the epoch. */
  wake: { readonly at: number; readonly cancel: () => void } | undefined
  /** Insertion order is the order of service; a Set because callers leave from the middle. */
  readonly returned = new Set<Waiter>()
  readonly fresh = new Set<Waiter>()

  constructor(key: string, credentialId: string) {
    this.key = key
    this.credentialId = credentialId
  }

  get waiting(): number {
    return this.returned.size + this.fresh.size
  }

  /** The one to be served next. */
  next(): Waiter | undefined {
    for (const waiter of this.returned) return waiter
    for (const waiter of this.fresh) return waiter
    return undefined
  }

  add(waiter: Waiter): void {
    waiter.shelf = this
    if (waiter.isReturned) this.returned.add(waiter)
    else this.fresh.add(waiter)
  }

  remove(waiter: Waiter): void {
    if (!this.returned.delete(waiter)) this.fresh.delete(waiter)
  }

  /** Refuses those that can no longer be served before their deadline. */
  refuseHopeless(now: number, blockedUntil: number): void {
    let ahead = 0
    for (const lane of [this.returned, this.fresh]) {
      for (const waiter of lane) {
        const delayMs = Math.max(estimateMs(this.bucket, ahead, now), blockedUntil - now)
        if (now + delayMs > waiter.call.deadlineAt) waiter.refuse(rateLimited(delayMs))
        else ahead += 1
      }
    }
  }
}

/** A call that waits for its turn. */
export class Waiter implements EventListenerObject {
  readonly call: Call
  readonly isReturned: boolean
  readonly turn: Promise<Shelf>
  shelf: Shelf | undefined
  readonly #onLeave: () => void
  #resolve!: (shelf: Shelf) => void
  #reject!: (failure: unknown) => void

  constructor(call: Call, isReturned: boolean, onLeave: () => void) {
    this.call = call
    this.isReturned = isReturned
    this.#onLeave = onLeave
    this.turn = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    call.signal.addEventListener('abort', this)
  }

  /** The call ended while it waited; its reason is told by whoever asks it. */
  handleEvent(): void {
    this.refuse(undefined)
  }

  serve(shelf: Shelf): void {
    this.#leave()
    this.#resolve(shelf)
  }

  refuse(failure: unknown): void {
    this.#leave()
    this.#reject(failure)
  }

  #leave(): void {
    this.call.signal.removeEventListener('abort', this)
    this.shelf?.remove(this)
    this.#onLeave()
  }
}
