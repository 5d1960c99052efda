/** The book of what the game listens to: one entry per distinct (event, arguments), however many listeners, whatever happens to connections. */
import type { EventName } from '@sallyport/protocol'
import type { Subscription, SubscriptionStatus } from './api.ts'
import { CallError, ConnectionLost, errorFrom } from './errors.ts'
import { concerns, keyOf } from './matching.ts'
import { notify } from './notify.ts'
import { mayPass } from './refusal.ts'

/** Events that arrive unasked; subscribing to them is an error at the server. A test holds this against the EVENTS table. */
export const AUTOMATIC_EVENTS = ['READY', 'ERROR', 'TOKEN_REVOKED'] as const satisfies readonly EventName[]

const isAutomatic = (event: string): boolean => (AUTOMATIC_EVENTS as readonly string[]).includes(event)

/** First after every reconnect: until it is there the platform cannot offer to link an account. */
const FIRST_EVENT = 'AUTHORIZE_REQUEST' satisfies EventName

export interface Entry {
  readonly event: string
  readonly args: object | undefined
  /** On this connection. An automatic event is `active` from the start, without a word to the server. */
  status: 'unsent' | 'sent' | 'active' | 'refused'
  /** Why the server refused it last; undefined once it is in force. */
  refusal: Error | undefined
  /** The server confirmed it on this connection or on an earlier one. */
  wasInForce: boolean
  readonly handles: Set<Handle>
}

interface Handle {
  readonly listener: (data: unknown) => void
  readonly confirm: () => void
  readonly refuse: (error: unknown) => void
}

/** Sends SUBSCRIBE or UNSUBSCRIBE; resolves with the server's answer. */
export type Ask = (command: 'SUBSCRIBE' | 'UNSUBSCRIBE', entry: Entry) => Promise<unknown>

const SHOWN: Readonly<Record<Entry['status'], SubscriptionStatus>> = {
  unsent: 'waiting',
  sent: 'waiting',
  active: 'active',
  refused: 'refused',
}

export class SubscriptionBook {
  readonly #entries = new Map<string, Entry>()
  /** Answers that belong to an earlier connection say nothing of this one. */
  #connection = 0

  /** Adds a listener. `announce` is called when the event has to be subscribed, `retract` when nobody is left to listen. */
  add(
    event: string,
    args: object | undefined,
    listener: (data: unknown) => void,
    announce: () => void,
    retract: (entry: Entry) => void,
  ): Subscription {
    const key = keyOf(event, args)
    const entry: Entry = this.#entries.get(key) ?? newEntry(event, args)
    this.#entries.set(key, entry)
    let settle: Pick<Handle, 'confirm' | 'refuse'> = { confirm() {}, refuse() {} }
    const active = new Promise<void>((resolve, reject) => {
      settle = { confirm: resolve, refuse: reject }
    })
    // A game that does not look at `active` must not be ended by a refusal.
    active.catch(() => {})
    const handle: Handle = { listener, ...settle }
    entry.handles.add(handle)
    if (entry.status === 'active') handle.confirm()
    if (entry.status === 'refused') entry.status = 'unsent'
    if (entry.status === 'unsent') announce()
    return {
      active,
      get status() {
        return entry.handles.has(handle) ? SHOWN[entry.status] : 'closed'
      },
      get refusal() {
        return entry.handles.has(handle) ? entry.refusal : undefined
      },
      close: () => {
        if (!entry.handles.delete(handle)) return
        handle.refuse(new ConnectionLost(`the subscription to ${event} was closed before it was confirmed`))
        if (entry.handles.size > 0) return
        this.#entries.delete(key)
        if (mayBeInForce(entry) && !isAutomatic(event)) retract(entry)
      },
    }
  }

  /** The connection is gone, and what was subscribed on it. */
  forgetConnection(): void {
    this.#connection += 1
    for (const entry of this.#entries.values()) if (!isAutomatic(entry.event)) entry.status = 'unsent'
  }

  /** Refusals are worth another try, e.g. after signing in. */
  reconsider(isWorthIt: (entry: Entry) => boolean = () => true): void {
    for (const entry of this.#entries.values()) if (entry.status === 'refused' && isWorthIt(entry)) entry.status = 'unsent'
  }

  /** Whether something is refused for a reason that may pass by itself. */
  get hasPassingRefusals(): boolean {
    return [...this.#entries.values()].some((entry) => entry.status === 'refused' && mayPass(entry))
  }

  /** Subscribes AUTHORIZE_REQUEST, if it is listened to. Rejects when the connection is lost meanwhile. */
  async applyFirst(ask: Ask): Promise<void> {
    await Promise.all(this.#unsent(true).map((entry) => this.#subscribe(entry, ask)))
  }

  /** Subscribes everything that is not, in one go and in order, AUTHORIZE_REQUEST first. Resolves when all are answered; rejects as `applyFirst`. */
  async apply(ask: Ask): Promise<void> {
    await Promise.all([...this.#unsent(true), ...this.#unsent(false)].map((entry) => this.#subscribe(entry, ask)))
  }

  /** How many are in force now, and how many refused. */
  get standing(): { readonly subscriptions: number; readonly refused: number } {
    const asked = [...this.#entries.values()].filter((entry) => !isAutomatic(entry.event))
    const count = (status: Entry['status']): number => asked.filter((entry) => entry.status === status).length
    return { subscriptions: count('active'), refused: count('refused') }
  }

  /** Passes an event to every listener it concerns. */
  deliver(event: string, data: unknown): void {
    for (const entry of Array.from(this.#entries.values())) {
      if (entry.event !== event || !concerns(entry.args, data)) continue
      for (const handle of Array.from(entry.handles)) if (entry.handles.has(handle)) notify(handle.listener, data)
    }
  }

  /** The client is closed: nothing will be confirmed any more. */
  close(): void {
    for (const entry of this.#entries.values()) {
      for (const handle of entry.handles) handle.refuse(new ConnectionLost('the client was closed'))
      entry.handles.clear()
    }
    this.#entries.clear()
  }

  #unsent(isFirst: boolean): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.status === 'unsent' && (entry.event === FIRST_EVENT) === isFirst)
  }

  async #subscribe(entry: Entry, ask: Ask): Promise<void> {
    const connection = this.#connection
    entry.status = 'sent'
    try {
      await ask('SUBSCRIBE', entry)
      if (connection !== this.#connection) return
      entry.status = 'active'
      entry.refusal = undefined
      entry.wasInForce = true
      for (const handle of entry.handles) handle.confirm()
    } catch (error) {
      const isOfNow = connection === this.#connection
      if (error instanceof ConnectionLost) {
        // It was asked for when the connection was gone already: nothing else would have it asked for again.
        if (isOfNow) entry.status = 'unsent'
        throw error
      }
      if (!isOfNow) return
      entry.status = 'refused'
      entry.refusal = errorFrom(error)
      for (const handle of entry.handles) handle.refuse(error)
    }
  }
}

/** Where the server did not answer in time, it may have said yes since. */
const mayBeInForce = ({ status, refusal }: Entry): boolean =>
  status === 'sent' || status === 'active' || (status === 'refused' && !(refusal instanceof CallError))

const newEntry = (event: string, args: object | undefined): Entry => ({
  event,
  // What the game does with its object later is no wish.
  args: args === undefined ? undefined : { ...args },
  status: isAutomatic(event) ? 'active' : 'unsent',
  refusal: undefined,
  wasInForce: false,
  handles: new Set(),
})
