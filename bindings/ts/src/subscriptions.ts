/** The subscriptions of the game: one entry per distinct (event, arguments), shared by its listeners and kept across connections. */
import type { EventName } from '@sallyport/protocol'
import type { Subscription, SubscriptionStatus } from './api.ts'
import { CallError, ConnectionLostError, errorFrom } from './errors.ts'
import { matches, keyOf } from './matching.ts'
import { notify } from './notify.ts'
import { isTransient } from './transient-errors.ts'

/** Events that the server sends without a subscription; subscribing to them is an error. A test compares this with the EVENTS table. */
export const AUTOMATIC_EVENTS = ['READY', 'ERROR', 'TOKEN_REVOKED'] as const satisfies readonly EventName[]

const isAutomatic = (event: string): boolean => (AUTOMATIC_EVENTS as readonly string[]).includes(event)

/** Subscribed first after every reconnect, because the platform needs it to offer account linking. */
const FIRST_EVENT = 'AUTHORIZE_REQUEST' satisfies EventName

export interface Entry {
  readonly event: string
  readonly args: object | undefined
  /** The status on this connection. An automatic event is always `active`. */
  status: 'unsent' | 'sent' | 'active' | 'refused'
  /** The error of the last refusal; undefined when active. */
  error: Error | undefined
  /** The server confirmed it on this connection or on an earlier one. */
  wasActive: boolean
  readonly handles: Set<Handle>
}

interface Handle {
  readonly listener: (data: unknown) => void
  readonly confirm: () => void
  readonly reject: (error: unknown) => void
}

/** Sends SUBSCRIBE or UNSUBSCRIBE; resolves with the server's response. */
export type SendSubscription = (command: 'SUBSCRIBE' | 'UNSUBSCRIBE', entry: Entry) => Promise<unknown>

const PUBLIC_STATUS: Readonly<Record<Entry['status'], SubscriptionStatus>> = {
  unsent: 'waiting',
  sent: 'waiting',
  active: 'active',
  refused: 'refused',
}

export class Subscriptions {
  readonly #entries = new Map<string, Entry>()
  /** Number of the current connection, to ignore responses of earlier ones. */
  #connection = 0

  /** Adds a listener. Calls `onSubscribe` if the event must be subscribed, `onUnsubscribe` when the last listener is removed. */
  add(
    event: string,
    args: object | undefined,
    listener: (data: unknown) => void,
    onSubscribe: () => void,
    onUnsubscribe: (entry: Entry) => void,
  ): Subscription {
    const key = keyOf(event, args)
    const entry: Entry = this.#entries.get(key) ?? newEntry(event, args)
    this.#entries.set(key, entry)
    let settle: Pick<Handle, 'confirm' | 'reject'> = { confirm() {}, reject() {} }
    const active = new Promise<void>((resolve, reject) => {
      settle = { confirm: resolve, reject }
    })
    // A game that ignores `active` must not exit because of an unhandled rejection.
    active.catch(() => {})
    const handle: Handle = { listener, ...settle }
    entry.handles.add(handle)
    if (entry.status === 'active') handle.confirm()
    if (entry.status === 'refused') entry.status = 'unsent'
    if (entry.status === 'unsent') onSubscribe()
    return {
      active,
      get status() {
        return entry.handles.has(handle) ? PUBLIC_STATUS[entry.status] : 'closed'
      },
      get error() {
        return entry.handles.has(handle) ? entry.error : undefined
      },
      close: () => {
        if (!entry.handles.delete(handle)) return
        handle.reject(new ConnectionLostError(`the subscription to ${event} was closed before it was confirmed`))
        if (entry.handles.size > 0) return
        this.#entries.delete(key)
        if (mayBeActive(entry) && !isAutomatic(event)) onUnsubscribe(entry)
      },
    }
  }

  /** Marks every entry as unsent after the connection is lost. */
  reset(): void {
    this.#connection += 1
    for (const entry of this.#entries.values()) if (!isAutomatic(entry.event)) entry.status = 'unsent'
  }

  /** Marks refused entries as unsent, e.g. after a sign-in. */
  requeueRefused(filter: (entry: Entry) => boolean = () => true): void {
    for (const entry of this.#entries.values()) if (entry.status === 'refused' && filter(entry)) entry.status = 'unsent'
  }

  /** Whether an entry was refused with a transient error. */
  get hasTransientErrors(): boolean {
    return [...this.#entries.values()].some((entry) => entry.status === 'refused' && isTransient(entry))
  }

  /** Subscribes AUTHORIZE_REQUEST if it has a listener. Rejects if the connection is lost. */
  async subscribeFirst(send: SendSubscription): Promise<void> {
    await Promise.all(this.#unsent(true).map((entry) => this.#subscribe(entry, send)))
  }

  /** Subscribes all unsent entries in order, AUTHORIZE_REQUEST first. Resolves when the server has responded to all; rejects if the connection is lost. */
  async subscribeAll(send: SendSubscription): Promise<void> {
    await Promise.all([...this.#unsent(true), ...this.#unsent(false)].map((entry) => this.#subscribe(entry, send)))
  }

  /** The number of active and of refused subscriptions. */
  get counts(): { readonly activeSubscriptions: number; readonly refusedSubscriptions: number } {
    const entries = [...this.#entries.values()].filter((entry) => !isAutomatic(entry.event))
    const count = (status: Entry['status']): number => entries.filter((entry) => entry.status === status).length
    return { activeSubscriptions: count('active'), refusedSubscriptions: count('refused') }
  }

  /** Delivers an event to every matching listener. */
  deliver(event: string, data: unknown): void {
    for (const entry of Array.from(this.#entries.values())) {
      if (entry.event !== event || !matches(entry.args, data)) continue
      for (const handle of Array.from(entry.handles)) if (entry.handles.has(handle)) notify(handle.listener, data)
    }
  }

  /** Rejects all handles, because the client is closed. */
  close(): void {
    for (const entry of this.#entries.values()) {
      for (const handle of entry.handles) handle.reject(new ConnectionLostError('the client was closed'))
      entry.handles.clear()
    }
    this.#entries.clear()
  }

  #unsent(isFirst: boolean): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.status === 'unsent' && (entry.event === FIRST_EVENT) === isFirst)
  }

  async #subscribe(entry: Entry, send: SendSubscription): Promise<void> {
    const connection = this.#connection
    entry.status = 'sent'
    try {
      await send('SUBSCRIBE', entry)
      if (connection !== this.#connection) return
      entry.status = 'active'
      entry.error = undefined
      entry.wasActive = true
      for (const handle of entry.handles) handle.confirm()
    } catch (error) {
      const isCurrent = connection === this.#connection
      if (error instanceof ConnectionLostError) {
        // Sent after the connection was lost, so `reset` does not mark it as unsent.
        if (isCurrent) entry.status = 'unsent'
        throw error
      }
      if (!isCurrent) return
      entry.status = 'refused'
      entry.error = errorFrom(error)
      for (const handle of entry.handles) handle.reject(error)
    }
  }
}

/** Whether the server may have an active subscription; also after a timeout. */
const mayBeActive = ({ status, error }: Entry): boolean =>
  status === 'sent' || status === 'active' || (status === 'refused' && !(error instanceof CallError))

const newEntry = (event: string, args: object | undefined): Entry => ({
  event,
  // A copy, because the game may modify its object later.
  args: args === undefined ? undefined : { ...args },
  status: isAutomatic(event) ? 'active' : 'unsent',
  error: undefined,
  wasActive: false,
  handles: new Set(),
})
