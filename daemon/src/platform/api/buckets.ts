/** All rate-limit buckets: which call belongs to which, who waits, and when to go on. The arithmetic is in bucket.ts. */
import type { Clock } from '@sallyport/core/clock'
import { block, estimateMs, giveUp, isIdle, learn, take, waitMs } from './bucket.ts'
import type { Call } from './call.ts'
import { rateLimited } from './failure.ts'
import type { RateReading } from './rate-limit.ts'
import { Shelf, Waiter } from './shelf.ts'

export interface Buckets {
  /**
   * A turn of this call's bucket: at once, or when it comes. Every turn must be given back by `settle`.
   * Throws or rejects with RATE_LIMITED when it would come after the deadline or too many wait; rejects with undefined when the call ends.
   */
  turn(call: Call, isReturned: boolean): Shelf | Promise<Shelf>
  /** Gives a turn back with what the reply said, or undefined when there was none. */
  settle(shelf: Shelf, call: Call, reading: RateReading | undefined): void
}

/** Calls that may wait over all buckets. */
const MAX_WAITING = 16_384
/** Buckets kept before idle ones are looked for. */
const SWEEP_FROM = 1024

export function createBuckets(clock: Clock): Buckets {
  /** Row name → the platform's name of its bucket. */
  const names = new Map<string, string>()
  const shelves = new Map<string, Shelf>()
  /** Row name → the shelf of its last call: a program mostly asks again what it asked before, and making a key costs more than comparing. */
  const recent = new Map<string, Shelf>()
  /** Credential → until when all its calls are refused. All times here are of a clock that nobody sets. */
  const globalBlocks = new Map<string, number>()
  let waiting = 0
  let sweepAt = SWEEP_FROM

  const shelfAt = (key: string, name: string | undefined, call: Call): Shelf => {
    const known = shelves.get(key)
    if (known !== undefined) return known
    if (shelves.size >= sweepAt) sweep()
    const shelf = new Shelf(key, name, call)
    shelves.set(key, shelf)
    return shelf
  }

  const shelfFor = (call: Call): Shelf => {
    const last = recent.get(call.row.name)
    if (last !== undefined && !last.isForgotten && last.credentialId === call.credentialId && last.major === call.major) return last
    const name = names.get(call.row.name)
    const shelf = shelfAt(keyOf(name ?? UNNAMED + call.row.name, call), name, call)
    recent.set(call.row.name, shelf)
    return shelf
  }

  const forget = (key: string, shelf: Shelf) => {
    shelves.delete(key)
    shelf.isForgotten = true
  }

  const sweep = () => {
    const now = clock.elapsed()
    for (const [key, shelf] of shelves) if (shelf.waiting === 0 && isIdle(shelf.bucket, now)) forget(key, shelf)
    for (const [id, until] of globalBlocks) if (now >= until) globalBlocks.delete(id)
    // Twice what is left, so that a busy table is not searched at every new bucket.
    sweepAt = Math.max(SWEEP_FROM, shelves.size * 2)
  }

  const blockedUntil = (shelf: Shelf): number => globalBlocks.get(shelf.credentialId) ?? 0

  const delayMs = (shelf: Shelf, now: number): number => Math.max(waitMs(shelf.bucket, now), blockedUntil(shelf) - now)

  const disarm = (shelf: Shelf) => {
    shelf.wake?.cancel()
    shelf.wake = undefined
  }

  const pump = (shelf: Shelf) => {
    for (let waiter = shelf.next(); waiter !== undefined; waiter = shelf.next()) {
      const now = clock.elapsed()
      const delay = delayMs(shelf, now)
      if (delay > 0) return arm(shelf, now, delay)
      take(shelf.bucket)
      waiter.serve(shelf)
    }
    disarm(shelf)
  }

  const arm = (shelf: Shelf, now: number, delay: number) => {
    const at = Math.ceil(now + delay)
    if (shelf.wake?.at === at) return
    disarm(shelf)
    // Without an end in sight, a call that is under way pumps again when it comes back.
    if (at === Infinity) return
    shelf.refuseHopeless(now, blockedUntil(shelf), clock.now() - now)
    if (shelf.waiting === 0) return
    const cancel = clock.after(at - now, () => {
      shelf.wake = undefined
      pump(shelf)
    })
    shelf.wake = { at, cancel }
  }

  const onLeave = () => {
    waiting -= 1
  }

  /** The shelf of the bucket that the platform just named for a call of `shelf`. */
  const named = (shelf: Shelf, call: Call, name: string): Shelf => {
    if (shelf.name === name && names.get(call.row.name) === name) return shelf
    names.set(call.row.name, name)
    recent.delete(call.row.name)
    if (shelf.name === name) return shelf
    const key = keyOf(name, call)
    const existing = shelves.get(key)
    // A shelf that has a name stays, since other rows may still belong to it.
    if (shelf.name !== undefined) return existing ?? shelfAt(key, name, call)
    shelves.delete(shelf.key)
    if (existing === undefined) {
      shelf.key = key
      shelf.name = name
      shelves.set(key, shelf)
      return shelf
    }
    shelf.isForgotten = true
    shelf.mergedInto = existing
    disarm(shelf)
    existing.bucket.inFlight += shelf.bucket.inFlight
    existing.takeOver(shelf)
    return existing
  }

  return {
    turn(call, isReturned) {
      const shelf = shelfFor(call)
      const now = clock.elapsed()
      const ahead = isReturned ? shelf.returned.size : shelf.waiting
      if (ahead === 0 && delayMs(shelf, now) <= 0) {
        take(shelf.bucket)
        return shelf
      }
      const delay = Math.max(estimateMs(shelf.bucket, ahead, now), blockedUntil(shelf) - now)
      if (waiting >= MAX_WAITING || clock.now() + delay > call.deadlineAt) throw rateLimited(delay)
      const waiter = new Waiter(call, isReturned, onLeave)
      waiting += 1
      shelf.add(waiter)
      if (shelf.wake === undefined) pump(shelf)
      return waiter.turn
    },

    settle(shelf, call, reading) {
      let own = shelf
      while (own.mergedInto !== undefined) own = own.mergedInto
      if (reading === undefined) {
        giveUp(own.bucket)
      } else {
        own.bucket.inFlight -= 1
        const told = reading.bucket === undefined ? own : named(own, call, reading.bucket)
        const now = clock.elapsed()
        learn(told.bucket, reading.window, now)
        if (reading.refusal?.scope === 'global') globalBlocks.set(call.credentialId, now + reading.refusal.retryAfterMs)
        else if (reading.refusal !== undefined) block(told.bucket, reading.refusal, now)
        if (told !== own) {
          pump(told)
          own = own.mergedInto ?? own
        }
      }
      pump(own)
    },
  }
}

/** Marks keys whose bucket the platform has not named; no header value can begin with it. */
const UNNAMED = '\n'

const keyOf = (name: string, call: Call): string => `${name} ${call.major} ${call.credentialId}`
