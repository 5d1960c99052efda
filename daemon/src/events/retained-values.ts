/**
 * The last value of each retained event that each subscriber received, from any route, so that a repetition is not delivered. While a SUBSCRIBE
 * awaits its response, the newest value is kept back.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '@sallyport/core/json-read'
import { EVENTS, type EventName, type EventRow } from '@sallyport/protocol'

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value for subscribers; those that get the same one share the object. */
export interface Delivery {
  readonly value: unknown
}

interface LastValue {
  /** The user whose value this is. */
  readonly userId: string | undefined
  /** Undefined: nothing yet. */
  delivered: Delivery | undefined
  /** The newest value while deliveries are held. */
  pending: Delivery | undefined
}

interface Entry {
  last: LastValue
  /** Number of SUBSCRIBE calls without a response. */
  holds: number
}

interface User {
  readonly signedIn?: { readonly userId: string } | undefined
}

/** Whether the event reports current state. */
export const isRetained = (event: string): boolean => {
  const row: EventRow = EVENTS[event as EventName]
  return row.retained !== undefined
}

const nothingYet = (userId: string | undefined): LastValue => ({ userId, delivered: undefined, pending: undefined })

/**
 * Returns what follows a delivery: the new value, or undefined when it is equal. A key that `data` lacks keeps its value; one that was never known
 * gets that of `defaults`. Compares once for all subscribers with the same last value.
 */
function successor(data: unknown, defaults: Fields): (last: Delivery | undefined) => Delivery | undefined {
  const first: Delivery = { value: isFields(data) ? { ...defaults, ...data } : data }
  const byLast = new Map<Delivery | undefined, Delivery | undefined>([[undefined, first]])
  const completed = new Map<string, Delivery>()
  const after = (last: unknown): Delivery | undefined => {
    if (!isFields(data) || !isFields(last)) return isDeepStrictEqual(last, data) ? undefined : first
    const value = { ...defaults, ...last, ...data }
    if (isDeepStrictEqual(last, value)) return undefined
    if (Object.keys(value).every((key) => Object.hasOwn(data, key))) return first
    const text = JSON.stringify(value)
    const known = completed.get(text) ?? { value }
    completed.set(text, known)
    return known
  }
  let previous: Delivery | undefined
  let next: Delivery | undefined = first
  return (last) => {
    // Most subscribers have the same last value.
    if (last === previous) return next
    if (!byLast.has(last)) byLast.set(last, after(last?.value))
    previous = last
    next = byLast.get(last)
    return next
  }
}

export class RetainedValues<S extends User> {
  readonly #bySubscriber = new Map<S, Map<string, Entry>>()

  /** Prepares a publication. The returned function gives what a subscriber gets, and records it; undefined: nothing, now. */
  publication(key: string, data: unknown, defaults: Fields): (subscriber: S) => Delivery | undefined {
    const next = successor(data, defaults)
    return (subscriber) => {
      const entry = this.#entry(subscriber, key)
      const { last } = entry
      const change = next(last.pending ?? last.delivered)
      if (change === undefined) return undefined
      if (entry.holds > 0) {
        last.pending = change
        return undefined
      }
      last.delivered = change
      return change
    }
  }

  /**
   * Keeps back what is published to the subscriber until the returned function is called, which returns the newest value then. Forgets the last
   * value, because SUBSCRIBE gets the current one again.
   */
  hold(subscriber: S, key: string): () => Delivery | undefined {
    const entry = this.#entry(subscriber, key)
    entry.holds++
    entry.last = nothingYet(entry.last.userId)
    return () => {
      entry.holds--
      if (entry.holds > 0 || this.#bySubscriber.get(subscriber)?.get(key) !== entry) return undefined
      const { last } = this.#entry(subscriber, key)
      last.delivered = last.pending ?? last.delivered
      const due = last.pending
      last.pending = undefined
      return due
    }
  }

  /** The next value is delivered even if it equals the last one. */
  forget(subscriber: S, key: string): void {
    const entry = this.#bySubscriber.get(subscriber)?.get(key)
    if (entry !== undefined) entry.last = nothingYet(entry.last.userId)
  }

  /** The subscription ended. */
  delete(subscriber: S, key: string): void {
    const entries = this.#bySubscriber.get(subscriber)
    if (entries?.delete(key) === true && entries.size === 0) this.#bySubscriber.delete(subscriber)
  }

  /** The connection ended. */
  deleteAll(subscriber: S): void {
    this.#bySubscriber.delete(subscriber)
  }

  /** The values of another user do not count. */
  #entry(subscriber: S, key: string): Entry {
    let entries = this.#bySubscriber.get(subscriber)
    if (entries === undefined) this.#bySubscriber.set(subscriber, (entries = new Map<string, Entry>()))
    const userId = subscriber.signedIn?.userId
    let entry = entries.get(key)
    if (entry === undefined) entries.set(key, (entry = { last: nothingYet(userId), holds: 0 }))
    else if (entry.last.userId !== userId) entry.last = nothingYet(userId)
    return entry
  }
}
