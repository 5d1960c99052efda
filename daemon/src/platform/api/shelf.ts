/** One bucket with the calls that wait for it. Calls that the platform sent back with a 429 go before those that were not sent yet. */
import type { StopListener } from '@sallyport/core/cancel'
import { type Bucket, estimateMs, newBucket } from './bucket.ts'
import type { Call } from './call.ts'
import { rateLimited } from './failure.ts'

export class Shelf {
  readonly bucket: Bucket = newBucket()
  readonly credentialId: string
  readonly major: string
  /** What the platform calls the bucket; undefined until it has. */
  name: string | undefined
  /** Nobody may be given a turn of it any more. */
  isForgotten = false
  /** Under which it is kept; changes once, when the platform first names the bucket. */
  key: string
  /** Set when it turned out to be the same bucket as another. */
  mergedInto: Shelf | undefined
  /** The timer that serves the next ones; `at` in ms of a clock that nobody sets. */
  wake: { readonly at: number; readonly cancel: () => void } | undefined
  readonly returned = new Line()
  readonly fresh = new Line()

  constructor(key: string, name: string | undefined, { credentialId, major }: Pick<Call, 'credentialId' | 'major'>) {
    this.key = key
    this.name = name
    this.credentialId = credentialId
    this.major = major
  }

  get waiting(): number {
    return this.returned.size + this.fresh.size
  }

  /** The one to be served next. */
  next(): Waiter | undefined {
    return this.returned.first ?? this.fresh.first
  }

  add(waiter: Waiter): void {
    const line = waiter.isReturned ? this.returned : this.fresh
    line.add(waiter)
  }

  /** Takes over all who wait at another shelf, behind those who wait here. */
  takeOver(other: Shelf): void {
    for (let waiter = other.next(); waiter !== undefined; waiter = other.next()) {
      waiter.line?.remove(waiter)
      this.add(waiter)
    }
  }

  /** Refuses those that can no longer be served before their deadline. `toEpochMs`: from the time of `now` to that of deadlines. */
  refuseHopeless(now: number, blockedUntil: number, toEpochMs: number): void {
    let ahead = 0
    for (const lane of [this.returned, this.fresh]) {
      for (let waiter = lane.first; waiter !== undefined; waiter = waiter.behind) {
        const delayMs = Math.max(estimateMs(this.bucket, ahead, now), blockedUntil - now)
        if (now + toEpochMs + delayMs > waiter.call.deadlineAt) waiter.refuse(rateLimited(delayMs))
        else ahead += 1
      }
    }
  }
}

/** First in, first out; a linked list because callers leave from the middle, and a Set would step over all who left before. */
class Line {
  first: Waiter | undefined
  last: Waiter | undefined
  size = 0

  add(waiter: Waiter): void {
    waiter.line = this
    waiter.ahead = this.last
    waiter.behind = undefined
    if (this.last === undefined) this.first = waiter
    else this.last.behind = waiter
    this.last = waiter
    this.size += 1
  }

  /** The one who leaves keeps its `behind`, so that a walk along the line can go on from it. */
  remove(waiter: Waiter): void {
    if (waiter.ahead === undefined) this.first = waiter.behind
    else waiter.ahead.behind = waiter.behind
    if (waiter.behind === undefined) this.last = waiter.ahead
    else waiter.behind.ahead = waiter.ahead
    waiter.line = undefined
    this.size -= 1
  }
}

/** A call that waits for its turn. */
export class Waiter implements StopListener {
  readonly call: Call
  readonly isReturned: boolean
  readonly turn: Promise<Shelf>
  line: Line | undefined
  ahead: Waiter | undefined
  behind: Waiter | undefined
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
    call.addEventListener('abort', this)
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
    this.call.removeEventListener('abort', this)
    this.line?.remove(this)
    this.#onLeave()
  }
}
