/** The book of what the game listens to: one entry per distinct (event, arguments), however many listeners, whatever happens to connections. */
import type { EventName } from '@sallyport/protocol'
import type { Subscription } from './api.ts'
import { ConnectionLost } from './errors.ts'
import { concerns, keyOf } from './matching.ts'
import { notify } from './notify.ts'

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
  readonly handles: Set<Handle>
}

interface Handle {
  readonly listener: (data: unknown) => void
  readonly confirm: () => void
  readonly refuse: (error: unknown) => void
}

/** Sends SUBSCRIBE or UNSUBSCRIBE; resolves with the server's answer. */
export type Ask = (command: 'SUBSCRIBE' | 'UNSUBSCRIBE', entry: Entry) => Promise<unknown>

export class SubscriptionBook {
  readonly #entries = new Map<string, Entry>()

  /** Adds a listener. `announce` is called when the event has to be subscribed, `retract` when nobody is left to listen. */
  add(
    event: string,
    args: object | undefined,
    listener: (data: unknown) => void,
    announce: () => void,
    retract: (entry: Entry) => void,
  ): Subscription {
    const key = keyOf(event, args)
    const entry: Entry = this.#entries.get(key) ?? { event, args, status: isAutomatic(event) ? 'active' : 'unsent', handles: new Set() }
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
      close: () => {
        if (!entry.handles.delete(handle)) return
        handle.refuse(new ConnectionLost(`the subscription to ${event} was closed before it was confirmed`))
        if (entry.handles.size > 0) return
        this.#entries.delete(key)
        if ((entry.status === 'sent' || entry.status === 'active') && !isAutomatic(event)) retract(entry)
      },
    }
  }

  /** A new connection knows nothing of the old one's subscriptions. */
  forgetConnection(): void {
    for (const entry of this.#entries.values()) if (!isAutomatic(entry.event)) entry.status = 'unsent'
  }

  /** Refusals are worth another try, e.g. after signing in. */
  reconsider(): void {
    for (const entry of this.#entries.values()) if (entry.status === 'refused') entry.status = 'unsent'
  }

  /**
   * Subscribes everything that is not, in one go and in order, AUTHORIZE_REQUEST first. Resolves when all are answered, with the number of
   * subscriptions in force and refused; rejects when the connection is lost meanwhile.
   */
  async apply(ask: Ask): Promise<{ readonly inForce: number; readonly refused: number }> {
    const unsent = [...this.#entries.values()].filter((entry) => entry.status === 'unsent')
    const first = unsent.filter((entry) => entry.event === FIRST_EVENT)
    const rest = unsent.filter((entry) => entry.event !== FIRST_EVENT)
    await Promise.all([...first, ...rest].map((entry) => this.#subscribe(entry, ask)))
    const asked = [...this.#entries.values()].filter((entry) => !isAutomatic(entry.event))
    const refused = asked.filter((entry) => entry.status === 'refused').length
    return { inForce: asked.length - refused, refused }
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
    }
    this.#entries.clear()
  }

  async #subscribe(entry: Entry, ask: Ask): Promise<void> {
    entry.status = 'sent'
    try {
      await ask('SUBSCRIBE', entry)
      entry.status = 'active'
      for (const handle of entry.handles) handle.confirm()
    } catch (error) {
      if (error instanceof ConnectionLost) throw error
      entry.status = 'refused'
      for (const handle of entry.handles) handle.refuse(error)
    }
  }
}
