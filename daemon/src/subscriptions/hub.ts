/**
 * Who wants which event. A subscription is a wish that is kept until it is withdrawn or its connection ends, whatever happens to
 * the sources of events meanwhile.
 */
import { EVENTS, type EventRow, LIMITS, satisfies } from '@sallyport/protocol'
import { BridgeError } from '../core/errors.ts'

/** What the hub needs of a subscriber. */
export interface Subscriber {
  readonly scopes: ReadonlySet<string>
  readonly channel: {
    readonly encoding: { readonly name: string }
    /** The whole frame of an event, in the encoding of this channel. */
    encodeEvent(name: string, data: unknown): Buffer
    deliver(frame: Buffer): void
  }
}

export interface DesiredEvent {
  readonly name: string
  readonly args: object
}

/** Same event and same arguments give the same key: an argument that is null says no more than one that is left out, and order says nothing. */
const keyOf = ({ name, args }: DesiredEvent): string => {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return `${name} ${JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))}`
}

export class SubscriptionHub {
  readonly #byKey = new Map<string, { readonly event: DesiredEvent; readonly subscribers: Set<Subscriber> }>()
  readonly #bySubscriber = new Map<Subscriber, Set<string>>()

  /** Subscribing twice is subscribing once. */
  subscribe(subscriber: Subscriber, event: DesiredEvent): void {
    const key = keyOf(event)
    const own = this.#bySubscriber.get(subscriber) ?? new Set()
    if (own.has(key)) return
    if (own.size >= LIMITS.subscriptions.value) {
      throw new BridgeError('RATE_LIMITED', `This connection has ${own.size} subscriptions, the most it may have; unsubscribe from some.`)
    }
    this.#bySubscriber.set(subscriber, own.add(key))
    const entry = this.#byKey.get(key) ?? { event, subscribers: new Set() }
    entry.subscribers.add(subscriber)
    this.#byKey.set(key, entry)
  }

  /** Withdrawing what was never asked for is fine. */
  unsubscribe(subscriber: Subscriber, event: DesiredEvent): void {
    const key = keyOf(event)
    if (this.#bySubscriber.get(subscriber)?.delete(key)) this.#remove(subscriber, key)
  }

  /** The connection ended. */
  drop(subscriber: Subscriber): void {
    for (const key of this.#bySubscriber.get(subscriber) ?? []) this.#remove(subscriber, key)
    this.#bySubscriber.delete(subscriber)
  }

  /** Everything that somebody wants. */
  desired(): readonly DesiredEvent[] {
    return [...this.#byKey.values()].map((entry) => entry.event)
  }

  /** The wishes of one subscriber. */
  desiredBy(subscriber: Subscriber): readonly DesiredEvent[] {
    return [...(this.#bySubscriber.get(subscriber) ?? [])].flatMap((key) => this.#byKey.get(key)?.event ?? [])
  }

  /** Sends to every subscriber that still holds the scopes; encodes once per encoding. Returns how many got it. */
  publish(event: DesiredEvent, data: unknown): number {
    const row: EventRow = EVENTS[event.name as keyof typeof EVENTS]
    const frames = new Map<string, Buffer>()
    let delivered = 0
    for (const subscriber of this.#byKey.get(keyOf(event))?.subscribers ?? []) {
      if (!satisfies(row.requires, subscriber.scopes)) continue
      const { channel } = subscriber
      const frame = frames.get(channel.encoding.name) ?? channel.encodeEvent(event.name, data)
      frames.set(channel.encoding.name, frame)
      channel.deliver(frame)
      delivered++
    }
    return delivered
  }

  #remove(subscriber: Subscriber, key: string): void {
    const entry = this.#byKey.get(key)
    entry?.subscribers.delete(subscriber)
    if (entry?.subscribers.size === 0) this.#byKey.delete(key)
  }
}
