/** All rate-limit buckets: assigns calls to buckets, queues them, and schedules their release. The arithmetic is in bucket.ts. */
import type { Clock } from '@sallyport/core/clock'
import { block, estimateMs, freeIn, releaseUnanswered, isIdle, update, take, waitMs } from './bucket.ts'
import type { Call } from './call.ts'
import { rateLimitError } from './failure.ts'
import type { RateReading } from './rate-limit.ts'
import { BucketQueue, Waiter } from './bucket-queue.ts'
import type { WaitMeter } from './wait-meter.ts'

/** Maximum waiting calls over all buckets. */
const MAX_WAITING = 16_384
/** Number of buckets from which idle ones are swept. */
const SWEEP_FROM = 1024

export function createBuckets(clock: Clock, meter?: WaitMeter) {
  /** Row name → the platform's name of its bucket. */
  const names = new Map<string, string>()
  const queues = new Map<string, BucketQueue>()
  /** Row name → queue of its last call. Programs mostly repeat calls, and a comparison is cheaper than building a key. */
  const recent = new Map<string, BucketQueue>()
  /** Credential → end of its global block. All times here are monotonic. */
  const globalBlocks = new Map<string, number>()
  let waiting = 0
  let sweepAt = SWEEP_FROM

  const queueAt = (key: string, name: string | undefined, call: Call): BucketQueue => {
    const known = queues.get(key)
    if (known !== undefined) return known
    if (queues.size >= sweepAt) sweep()
    const queue = new BucketQueue(key, name, call)
    queues.set(key, queue)
    return queue
  }

  const queueFor = (call: Call): BucketQueue => {
    const last = recent.get(call.row.name)
    if (last !== undefined && !last.isForgotten && last.credentialId === call.credentialId && last.major === call.major) return last
    const name = names.get(call.row.name)
    const queue = queueAt(keyOf(name ?? UNNAMED + call.row.name, call), name, call)
    recent.set(call.row.name, queue)
    return queue
  }

  const forget = (key: string, queue: BucketQueue) => {
    queues.delete(key)
    queue.isForgotten = true
  }

  const sweep = () => {
    const now = clock.elapsed()
    for (const [key, queue] of queues) if (queue.waiting === 0 && isIdle(queue.bucket, now)) forget(key, queue)
    for (const [id, until] of globalBlocks) if (now >= until) globalBlocks.delete(id)
    // Twice the remaining size, so that a busy table is not swept at every new bucket.
    sweepAt = Math.max(SWEEP_FROM, queues.size * 2)
  }

  const blockedUntil = (queue: BucketQueue): number => globalBlocks.get(queue.credentialId) ?? 0

  const delayMs = (queue: BucketQueue, now: number): number => Math.max(waitMs(queue.bucket, now), blockedUntil(queue) - now)

  const disarm = (queue: BucketQueue) => {
    queue.timer?.cancel()
    queue.timer = undefined
  }

  const pump = (queue: BucketQueue) => {
    for (let waiter = queue.next(); waiter !== undefined; waiter = queue.next()) {
      const now = clock.elapsed()
      const delay = delayMs(queue, now)
      if (delay > 0) return arm(queue, now, delay)
      take(queue.bucket)
      waiter.serve(queue)
      meter?.waited(queue.name ?? waiter.call.row.name, now - waiter.since)
    }
    disarm(queue)
  }

  const arm = (queue: BucketQueue, now: number, delay: number) => {
    const at = Math.ceil(now + delay)
    if (queue.timer?.at === at) return
    disarm(queue)
    // Infinity: a call in flight pumps again when it returns.
    if (at === Infinity) return
    queue.rejectUnmeetable(now, blockedUntil(queue))
    if (queue.waiting === 0) return
    const cancel = clock.after(at - now, () => {
      queue.timer = undefined
      pump(queue)
    })
    queue.timer = { at, cancel }
  }

  const onRemoved = () => {
    waiting -= 1
  }

  /** The queue for the bucket name in a reply to a call of `queue`. */
  const queueNamed = (queue: BucketQueue, call: Call, name: string): BucketQueue => {
    if (queue.name === name && names.get(call.row.name) === name) return queue
    names.set(call.row.name, name)
    recent.delete(call.row.name)
    if (queue.name === name) return queue
    const key = keyOf(name, call)
    const existing = queues.get(key)
    // A named queue stays, because other rows may still use it.
    if (queue.name !== undefined) return existing ?? queueAt(key, name, call)
    queues.delete(queue.key)
    if (existing === undefined) {
      queue.key = key
      queue.name = name
      queues.set(key, queue)
      return queue
    }
    queue.isForgotten = true
    queue.mergedInto = existing
    disarm(queue)
    existing.bucket.inFlight += queue.bucket.inFlight
    existing.absorb(queue)
    return existing
  }

  return {
    /**
     * Acquires a slot of the call's bucket, immediately or after a wait. Every slot must be returned with `release`.
     * Throws or rejects with RATE_LIMITED if the slot would come after the deadline or too many calls wait. Rejects with undefined if the call ends.
     */
    acquire(call: Call, isRetry: boolean): BucketQueue | Promise<BucketQueue> {
      const queue = queueFor(call)
      const now = clock.elapsed()
      const ahead = isRetry ? queue.retries.size : queue.waiting
      if (ahead === 0 && delayMs(queue, now) <= 0) {
        take(queue.bucket)
        return queue
      }
      const delay = Math.max(estimateMs(queue.bucket, ahead, now), blockedUntil(queue) - now)
      if (waiting >= MAX_WAITING || now + delay > call.deadlineAt) throw rateLimitError(delay)
      const waiter = new Waiter(call, isRetry, now, onRemoved)
      waiting += 1
      queue.add(waiter)
      if (queue.timer === undefined) pump(queue)
      return waiter.acquired
    },

    /** Returns a slot with the limits from the reply, or undefined without a reply. */
    release(queue: BucketQueue, call: Call, reading: RateReading | undefined): void {
      let own = queue
      while (own.mergedInto !== undefined) own = own.mergedInto
      if (reading === undefined) {
        releaseUnanswered(own.bucket)
      } else {
        own.bucket.inFlight -= 1
        const target = reading.bucket === undefined ? own : queueNamed(own, call, reading.bucket)
        const now = clock.elapsed()
        update(target.bucket, reading.window, now)
        if (reading.refusal?.scope === 'global') globalBlocks.set(call.credentialId, now + reading.refusal.retryAfterMs)
        else if (reading.refusal !== undefined) block(target.bucket, reading.refusal, now)
        if (target !== own) {
          pump(target)
          own = own.mergedInto ?? own
        }
      }
      pump(own)
    },

    /** The fullest `most` ones that are in use and have a limit, the fullest first. */
    fullest(most: number): readonly BucketState[] {
      const now = clock.elapsed()
      const used: BucketState[] = []
      for (const [row, queue] of recent) {
        const free = freeIn(queue.bucket, now)
        if (free === undefined || queue.isForgotten || (isIdle(queue.bucket, now) && queue.waiting === 0)) continue
        used.push({ command: row, limit: queue.bucket.limit ?? free, free, waiting: queue.waiting })
      }
      return used.toSorted((one, other) => one.free / one.limit - other.free / other.limit || other.waiting - one.waiting).slice(0, most)
    },
  }
}

/** A bucket, by the command that used it last. */
export interface BucketState {
  readonly command: string
  /** Calls in a window. */
  readonly limit: number
  /** Of these, what may be sent now. */
  readonly free: number
  /** Calls that wait. */
  readonly waiting: number
}

/** Prefix of keys for unnamed buckets; no header value can begin with it. */
const UNNAMED = '\n'

const keyOf = (name: string, call: Call): string => `${name} ${call.major} ${call.credentialId}`
