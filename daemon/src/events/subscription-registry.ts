/** Which session subscribed to which event. A subscription lasts until it is removed or its connection ends, also while providers fail. */
import { Signal } from '@sallyport/core/signal'
import { EVENTS, type EventRow, LIMITS, satisfies } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { type EventMeter, NO_EVENT_METER } from './event-meter.ts'
import { type Delivery, RetainedValues } from './retained-values.ts'

/** What the registry needs of a subscriber. */
export interface Subscriber {
  readonly scopes: ReadonlySet<string>
  readonly signedIn?: { readonly userId: string } | undefined
  readonly connection: {
    readonly encoding: { readonly name: string }
    /** The whole frame of an event, in the encoding of this connection. */
    encodeEvent(name: string, data: unknown): Buffer
    deliver(frame: Buffer): void
  }
}

export interface EventSelector {
  readonly name: string
  readonly args: object
}

/** Why a subscriber does not get an event: another origin has brought it, a scope is missing, or it has the value. */
export type Withheld = 'copy' | 'scopes' | 'unchanged'

/** What becomes of one event. */
export interface EventSteps<S> {
  delivered(subscriber: S): void
  withheld(subscriber: S, reason: Withheld): void
}

/** Sees every event while an operator watches. */
export interface EventWatcher<S> {
  /** Undefined: this one is not traced. */
  arrived(event: BroughtEvent, data: unknown): EventSteps<S> | undefined
}

/** Of an event. No subscriber gets a copy of one that it has. */
type Recipient = boolean | 'copy'

/** An event, and who brought it. Without an origin it is the bridge. */
interface BroughtEvent extends EventSelector {
  readonly origin?: string | undefined
}

/** A subscription, and its subscribers. */
interface SubscriptionEntry<S> {
  readonly event: EventSelector
  readonly subscribers: ReadonlySet<S>
}

/** Same event and same arguments give the same key. A null argument equals a missing one; order does not matter. */
const keyOf = ({ name, args }: EventSelector): string => {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return `${name} ${JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))}`
}

/** The key of the subscription without arguments. */
const unfilteredKeyOf = ({ name }: EventSelector): string => keyOf({ name, args: {} })

const NO_SUBSCRIBERS: ReadonlySet<never> = new Set()

const rowOf = ({ name }: EventSelector): EventRow => EVENTS[name as keyof typeof EVENTS]

/** The key of what a retained event reports. */
const stateKeyOf = ({ name, args }: EventSelector, retained: readonly string[]): string =>
  keyOf({ name, args: Object.fromEntries(Object.entries(args).filter(([argument]) => retained.includes(argument))) })

/** Sends to a subscriber. Returns whether it did. */
type Send<S> = (subscriber: S) => boolean

/** Sends one event to subscribers, encoded once per encoding. */
function senderOf(name: string, data: unknown): Send<Subscriber> {
  const frames = new Map<string, Buffer>()
  let lastEncoding: string | undefined
  let frame: Buffer | undefined
  return ({ connection }) => {
    // Most subscribers have the encoding of the one before.
    const encoding = connection.encoding.name
    if (frame === undefined || encoding !== lastEncoding) {
      frame = frames.get(encoding) ?? connection.encodeEvent(name, data)
      frames.set(encoding, frame)
      lastEncoding = encoding
    }
    connection.deliver(frame)
    return true
  }
}

/** What the subscriptions of one connection are charged to. */
interface Charge {
  tryCharge(amount: number): boolean
  release(amount: number): void
  close(): void
}

const UNCHARGED: Charge = { tryCharge: () => true, release: () => {}, close: () => {} }

interface Subscriptions {
  /** By key: how many subscribe calls have not been undone. */
  readonly calls: Map<string, { times: number }>
  readonly share: Charge
}

export class SubscriptionRegistry<S extends Subscriber = Subscriber> {
  readonly #byKey = new Map<string, SubscriptionEntry<S> & { readonly subscribers: Set<S> }>()
  readonly #bySubscriber = new Map<S, Subscriptions>()
  readonly #retained = new RetainedValues<S>()
  /** The set of subscriptions, or the user or scopes of a subscriber, changed. */
  readonly changed = new Signal()
  /** A subscriber gained or lost a subscription, also one that others have. */
  readonly subscriberChanged = new Signal()
  readonly #openShare: (subscriber: S) => Charge
  /** Undefined while no operator watches. */
  watcher: EventWatcher<S> | undefined
  readonly #meter: EventMeter

  /** `openShare`: opens what the subscriptions of a connection are charged to. */
  constructor(openShare: (subscriber: S) => Charge = () => UNCHARGED, meter: EventMeter = NO_EVENT_METER) {
    this.#openShare = openShare
    this.#meter = meter
  }

  /**
   * Subscribing twice is subscribing once. Returns a function that undoes this call, to be called once at most. It keeps the subscription of an
   * earlier or later call, so that a game which repeats SUBSCRIBE while the platform is slow does not lose it.
   */
  subscribe(subscriber: S, event: EventSelector): () => void {
    const key = keyOf(event)
    const subscriptions: Subscriptions = this.#bySubscriber.get(subscriber) ?? { calls: new Map(), share: this.#openShare(subscriber) }
    const { calls, share } = subscriptions
    const entry = calls.get(key) ?? { times: 0 }
    const undo = (): void => {
      entry.times--
      if (entry.times === 0 && this.#bySubscriber.get(subscriber)?.calls.get(key) === entry) this.unsubscribe(subscriber, event)
    }
    entry.times++
    if (calls.has(key)) return undo
    if (calls.size >= LIMITS.subscriptions.value) {
      throw new BridgeError('RATE_LIMITED', `This connection has ${calls.size} subscriptions, the most it may have; unsubscribe from some.`)
    }
    if (!share.tryCharge(1)) {
      if (calls.size === 0) share.close()
      throw new BridgeError(
        'RATE_LIMITED',
        'The connections of this program have too many subscriptions; unsubscribe from some, or close connections that need none.',
      )
    }
    calls.set(key, entry)
    this.#bySubscriber.set(subscriber, subscriptions)
    const known = this.#byKey.get(key)
    if (known === undefined) {
      this.#byKey.set(key, { event, subscribers: new Set([subscriber]) })
      this.changed.emit()
    } else known.subscribers.add(subscriber)
    this.subscriberChanged.emit()
    return undo
  }

  /** Without such a subscription it does nothing. */
  unsubscribe(subscriber: S, event: EventSelector): void {
    const key = keyOf(event)
    const subscriptions = this.#bySubscriber.get(subscriber)
    if (subscriptions?.calls.delete(key) !== true) return
    subscriptions.share.release(1)
    const { retained } = rowOf(event)
    if (retained !== undefined) this.#retained.delete(subscriber, stateKeyOf(event, retained))
    this.#remove(subscriber, key)
    this.subscriberChanged.emit()
  }

  /** The connection ended. */
  removeSubscriber(subscriber: S): void {
    const subscriptions = this.#bySubscriber.get(subscriber)
    for (const key of subscriptions?.calls.keys() ?? []) this.#remove(subscriber, key)
    subscriptions?.share.close()
    this.#bySubscriber.delete(subscriber)
    this.#retained.deleteAll(subscriber)
  }

  /** All subscriptions. */
  selectors(): readonly EventSelector[] {
    return [...this.#byKey.values()].map((entry) => entry.event)
  }

  /** All subscriptions, with their subscribers. */
  entries(): Iterable<SubscriptionEntry<S>> {
    return this.#byKey.values()
  }

  /** The subscriptions of one subscriber. */
  selectorsOf(subscriber: S): readonly EventSelector[] {
    return [...(this.#bySubscriber.get(subscriber)?.calls.keys() ?? [])].flatMap((key) => this.#byKey.get(key)?.event ?? [])
  }

  /** The subscribers with exactly these arguments. */
  subscribersOf(event: EventSelector): readonly S[] {
    return [...(this.#byKey.get(keyOf(event))?.subscribers ?? [])]
  }

  /** The scopes or the user of a subscriber changed, so it may receive other events now. */
  scopesChanged(subscriber: S): void {
    if (this.#bySubscriber.has(subscriber)) this.changed.emit()
  }

  /**
   * Sends the event to each subscriber with these arguments or with none, once. Subscribers without the scopes, or for which `isRecipient` returns
   * false or 'copy', do not get it, nor do those that have the same value of a retained event. `defaults`: values of keys that neither `data` nor
   * the last value of a retained event has. Encodes once per encoding. Returns how many received it.
   */
  publish(event: BroughtEvent, data: unknown, isRecipient: (subscriber: S) => Recipient = () => true, defaults: object = {}): number {
    const { requires, retained } = rowOf(event)
    let delivered = 0
    const key = keyOf(event)
    const unfilteredKey = unfilteredKeyOf(event)
    const exact: ReadonlySet<S> = this.#byKey.get(key)?.subscribers ?? NO_SUBSCRIBERS
    const unfiltered: ReadonlySet<S> =
      key === unfilteredKey ? NO_SUBSCRIBERS : (this.#byKey.get(unfilteredKey)?.subscribers ?? NO_SUBSCRIBERS)
    const send: Send<S> = retained === undefined ? senderOf(event.name, data) : this.#changeSender(event, retained, data, defaults)
    const steps = this.watcher?.arrived(event, data)
    const deliver = (subscriber: S): void => {
      if (!satisfies(requires, subscriber.scopes)) return steps?.withheld(subscriber, 'scopes')
      const recipient = isRecipient(subscriber)
      if (recipient === false) return
      if (recipient === 'copy') return steps?.withheld(subscriber, 'copy')
      if (!send(subscriber)) return steps?.withheld(subscriber, 'unchanged')
      delivered++
      steps?.delivered(subscriber)
    }
    for (const subscriber of exact) deliver(subscriber)
    for (const subscriber of unfiltered) if (!exact.has(subscriber)) deliver(subscriber)
    this.#meter.published(event.name)
    if (delivered > 0) this.#meter.delivered(event.name, delivered)
    return delivered
  }

  /**
   * Keeps a retained event from a subscriber whose SUBSCRIBE awaits its response. The returned function ends that and sends the newest value.
   * Undefined for an event that is not retained.
   */
  hold(subscriber: S, event: EventSelector): (() => void) | undefined {
    const { requires, retained } = rowOf(event)
    if (retained === undefined) return undefined
    const release = this.#retained.hold(subscriber, stateKeyOf(event, retained))
    return () => {
      const due = release()
      if (due === undefined) return
      const steps = this.watcher?.arrived(event, due.value)
      if (!satisfies(requires, subscriber.scopes)) return steps?.withheld(subscriber, 'scopes')
      senderOf(event.name, due.value)(subscriber)
      steps?.delivered(subscriber)
      this.#meter.delivered(event.name, 1)
    }
  }

  /** Traces an event of the bridge that needs no subscription, and that was sent to one connection. `data` is made only for an operator. */
  traceSent(receiver: S, name: string, data: () => unknown): void {
    this.watcher?.arrived({ name, args: {} }, data())?.delivered(receiver)
  }

  /** Makes the next value of a retained event be sent to these subscribers even if it equals their last one. */
  forget(event: EventSelector, isRecipient: (subscriber: S) => boolean): void {
    const { retained } = rowOf(event)
    if (retained === undefined) return
    const key = stateKeyOf(event, retained)
    for (const subscriber of this.subscribersOf(event)) if (isRecipient(subscriber)) this.#retained.forget(subscriber, key)
  }

  /** Sends a retained event to subscribers that do not have its value. */
  #changeSender(event: EventSelector, retained: readonly string[], data: unknown, defaults: object): Send<S> {
    const deliveryTo = this.#retained.publication(stateKeyOf(event, retained), data, { ...defaults })
    const senders = new Map<Delivery, Send<Subscriber>>()
    return (subscriber) => {
      const delivery = deliveryTo(subscriber)
      if (delivery === undefined) return false
      let send = senders.get(delivery)
      if (send === undefined) senders.set(delivery, (send = senderOf(event.name, delivery.value)))
      return send(subscriber)
    }
  }

  #remove(subscriber: S, key: string): void {
    const entry = this.#byKey.get(key)
    entry?.subscribers.delete(subscriber)
    if (entry?.subscribers.size !== 0) return
    this.#byKey.delete(key)
    this.changed.emit()
  }
}
