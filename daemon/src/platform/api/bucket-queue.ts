/** One bucket with its queue of waiting calls. Retries after a 429 go before calls that were not sent yet. */
import type { CancelListener } from '@sallyport/core/cancel'
import { type Bucket, estimateMs, newBucket } from './bucket.ts'
import type { Call } from './call.ts'
import { rateLimitError } from './failure.ts'

export class BucketQueue {
  readonly bucket: Bucket = newBucket()
  readonly credentialId: string
  readonly major: string
  /** The platform's name for the bucket; undefined until known. */
  name: string | undefined
  /** The queue was deleted and must not be used for new calls. */
  isForgotten = false
  /** Its key in the table; changes once, when the platform first names the bucket. */
  key: string
  /** Set when this turned out to be the same bucket as another queue's. */
  mergedInto: BucketQueue | undefined
  /** The timer that serves the next calls; `at` in monotonic ms. */
  timer: { readonly at: number; readonly cancel: () => void } | undefined
  readonly retries = new WaitQueue()
  readonly fresh = new WaitQueue()

  constructor(key: string, name: string | undefined, { credentialId, major }: Pick<Call, 'credentialId' | 'major'>) {
    this.key = key
    this.name = name
    this.credentialId = credentialId
    this.major = major
  }

  get waiting(): number {
    return this.retries.size + this.fresh.size
  }

  /** The next waiter to serve. */
  next(): Waiter | undefined {
    return this.retries.first ?? this.fresh.first
  }

  add(waiter: Waiter): void {
    const queue = waiter.isRetry ? this.retries : this.fresh
    queue.add(waiter)
  }

  /** Moves all waiters from another queue to the end of this one. */
  absorb(other: BucketQueue): void {
    for (let waiter = other.next(); waiter !== undefined; waiter = other.next()) {
      waiter.queue?.remove(waiter)
      this.add(waiter)
    }
  }

  /** Rejects waiters that cannot be served before their deadline. `now` and `blockedUntil` in monotonic ms. */
  rejectUnmeetable(now: number, blockedUntil: number): void {
    let ahead = 0
    for (const queue of [this.retries, this.fresh]) {
      for (let waiter = queue.first; waiter !== undefined; waiter = waiter.behind) {
        const delayMs = Math.max(estimateMs(this.bucket, ahead, now), blockedUntil - now)
        if (now + delayMs > waiter.call.deadlineAt) waiter.reject(rateLimitError(delayMs))
        else ahead += 1
      }
    }
  }
}

/** First in, first out. A linked list, because callers are removed from the middle, and a Set would iterate over all removed entries. */
class WaitQueue {
  first: Waiter | undefined
  last: Waiter | undefined
  size = 0

  add(waiter: Waiter): void {
    waiter.queue = this
    waiter.ahead = this.last
    waiter.behind = undefined
    if (this.last === undefined) this.first = waiter
    else this.last.behind = waiter
    this.last = waiter
    this.size += 1
  }

  /** The removed waiter keeps its `behind`, so that an iteration can continue from it. */
  remove(waiter: Waiter): void {
    if (waiter.ahead === undefined) this.first = waiter.behind
    else waiter.ahead.behind = waiter.behind
    if (waiter.behind === undefined) this.last = waiter.ahead
    else waiter.behind.ahead = waiter.ahead
    waiter.queue = undefined
    this.size -= 1
  }
}

/** A call that waits for its bucket. */
export class Waiter implements CancelListener {
  readonly call: Call
  readonly isRetry: boolean
  /** Since when it waits, in monotonic ms. */
  readonly since: number
  readonly acquired: Promise<BucketQueue>
  queue: WaitQueue | undefined
  ahead: Waiter | undefined
  behind: Waiter | undefined
  readonly #onRemoved: () => void
  #resolve!: (queue: BucketQueue) => void
  #reject!: (failure: unknown) => void

  constructor(call: Call, isRetry: boolean, since: number, onRemoved: () => void) {
    this.call = call
    this.isRetry = isRetry
    this.since = since
    this.#onRemoved = onRemoved
    this.acquired = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    call.addEventListener('abort', this)
  }

  /** The call ended while it waited. Rejects with undefined; the call itself has the reason. */
  handleEvent(): void {
    this.reject(undefined)
  }

  serve(queue: BucketQueue): void {
    this.#remove()
    this.#resolve(queue)
  }

  reject(failure: unknown): void {
    this.#remove()
    this.#reject(failure)
  }

  #remove(): void {
    this.call.removeEventListener('abort', this)
    this.queue?.remove(this)
    this.#onRemoved()
  }
}
