/**
 * Who wants which event. A subscription is a wish that is kept until it is withdrawn or its connection ends, whatever happens to
 * the sources of events meanwhile.
 */
import { EVENTS, type EventRow, LIMITS, satisfies } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'

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

/** Something that is wanted, and who wants it. */
export interface Wishes<Who> {
  readonly event: DesiredEvent
  readonly subscribers: ReadonlySet<Who>
}

/** Same event and same arguments give the same key: an argument that is null says no more than one that is left out, and order says nothing. */
const keyOf = ({ name, args }: DesiredEvent): string => {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return `${name} ${JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))}`
}

/** What a wish that names no arguments is kept under. */
const wideKeyOf = ({ name }: DesiredEvent): string => keyOf({ name, args: {} })

const NOBODY: ReadonlySet<never> = new Set()

export class SubscriptionHub<Who extends Subscriber = Subscriber> {
  readonly #byKey = new Map<string, Wishes<Who> & { readonly subscribers: Set<Who> }>()
  /** The wishes of each, and how many times each was told and not taken back. */
  readonly #bySubscriber = new Map<Who, Map<string, { times: number }>>()
  #onChange: () => void = () => {}

  /** Who is told when the union of what is wanted has changed, or what a subscriber may have. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  /**
   * Subscribing twice is subscribing once. Gives back what takes this very call back, to be called once at most: what an earlier one or a later
   * one asked for stays, so that a game which asks again while the platform is slow does not lose what it has.
   */
  subscribe(subscriber: Who, event: DesiredEvent): () => void {
    const key = keyOf(event)
    const own = this.#bySubscriber.get(subscriber) ?? new Map<string, { times: number }>()
    const wish = own.get(key) ?? { times: 0 }
    const withdraw = (): void => {
      wish.times--
      if (wish.times === 0 && this.#bySubscriber.get(subscriber)?.get(key) === wish) this.unsubscribe(subscriber, event)
    }
    wish.times++
    if (own.has(key)) return withdraw
    if (own.size >= LIMITS.subscriptions.value) {
      throw new BridgeError('RATE_LIMITED', `This connection has ${own.size} subscriptions, the most it may have; unsubscribe from some.`)
    }
    this.#bySubscriber.set(subscriber, own.set(key, wish))
    const known = this.#byKey.get(key)
    if (known === undefined) {
      this.#byKey.set(key, { event, subscribers: new Set([subscriber]) })
      this.#onChange()
    } else known.subscribers.add(subscriber)
    return withdraw
  }

  /** Withdrawing what was never asked for is fine. */
  unsubscribe(subscriber: Who, event: DesiredEvent): void {
    const key = keyOf(event)
    if (this.#bySubscriber.get(subscriber)?.delete(key)) this.#remove(subscriber, key)
  }

  /** The connection ended. */
  drop(subscriber: Who): void {
    for (const key of this.#bySubscriber.get(subscriber)?.keys() ?? []) this.#remove(subscriber, key)
    this.#bySubscriber.delete(subscriber)
  }

  /** Everything that somebody wants. */
  desired(): readonly DesiredEvent[] {
    return [...this.#byKey.values()].map((entry) => entry.event)
  }

  /** The same, with who wants it. */
  wishes(): Iterable<Wishes<Who>> {
    return this.#byKey.values()
  }

  /** The wishes of one subscriber. */
  desiredBy(subscriber: Who): readonly DesiredEvent[] {
    return [...(this.#bySubscriber.get(subscriber)?.keys() ?? [])].flatMap((key) => this.#byKey.get(key)?.event ?? [])
  }

  /** Those who want this very event. */
  subscribersOf(event: DesiredEvent): readonly Who[] {
    return [...(this.#byKey.get(keyOf(event))?.subscribers ?? [])]
  }

  /** The scopes or the user of a subscriber are others now: what it wishes for may be had, or no more. */
  scopesChanged(subscriber: Who): void {
    if (this.#bySubscriber.has(subscriber)) this.#onChange()
  }

  /**
   * Tells every subscriber that still holds the scopes, or those of them for whom it is: who asked for these very arguments, and who asked for
   * the event without any, each once. Encodes once per encoding. Returns how many got it.
   */
  publish(event: DesiredEvent, data: unknown, isFor: (subscriber: Who) => boolean = () => true): number {
    const row: EventRow = EVENTS[event.name as keyof typeof EVENTS]
    const frames = new Map<string, Buffer>()
    let delivered = 0
    const key = keyOf(event)
    const wideKey = wideKeyOf(event)
    const exact: ReadonlySet<Who> = this.#byKey.get(key)?.subscribers ?? NOBODY
    const wide: ReadonlySet<Who> = key === wideKey ? NOBODY : (this.#byKey.get(wideKey)?.subscribers ?? NOBODY)
    const tell = (subscriber: Who): void => {
      if (!satisfies(row.requires, subscriber.scopes) || !isFor(subscriber)) return
      const { channel } = subscriber
      let frame = frames.get(channel.encoding.name)
      if (frame === undefined) frames.set(channel.encoding.name, (frame = channel.encodeEvent(event.name, data)))
      channel.deliver(frame)
      delivered++
    }
    for (const subscriber of exact) tell(subscriber)
    for (const subscriber of wide) if (!exact.has(subscriber)) tell(subscriber)
    return delivered
  }

  #remove(subscriber: Who, key: string): void {
    const entry = this.#byKey.get(key)
    entry?.subscribers.delete(subscriber)
    if (entry?.subscribers.size !== 0) return
    this.#byKey.delete(key)
    this.#onChange()
  }
}
