/** Events for a game without a subscriber yet. Each is kept until it expires, and delivered once to the first sessions that may receive it. */
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'
import { type AccountKey, isSameAccount } from '@sallyport/core/account-key'

export interface DeferredEvent extends AccountKey {
  readonly name: 'ACTIVITY_JOIN' | 'ACTIVITY_JOIN_REQUEST' | 'ACTIVITY_INVITE'
  /** A later event of the same account, name and subject replaces this one. */
  readonly subject: string
  /** May contain a join secret. */
  readonly data: Secret<object>
  /** In ms since the epoch. */
  readonly expiresAt: number
  /** True when the event need not be delivered any more. */
  isObsolete(): boolean
}

/** Limits for one account and for all accounts; the oldest events are dropped. */
const MAX_PER_ACCOUNT = 32
const MAX_DEFERRED = 512

export class DeferredEvents {
  readonly #clock: Clock
  #events: readonly DeferredEvent[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    this.#prune()
    return this.#events.length === 0
  }

  defer(event: DeferredEvent): void {
    this.#prune()
    const others = this.#events.filter((one) => !(isSameAccount(one, event) && one.name === event.name && one.subject === event.subject))
    const ofAccount = others.filter((one) => isSameAccount(one, event))
    const evicted = ofAccount.length < MAX_PER_ACCOUNT ? undefined : ofAccount[0]
    this.#events = [...others.filter((one) => one !== evicted), event].slice(-MAX_DEFERRED)
  }

  /** Passes each event to `deliver`, the oldest first, and removes the delivered ones. */
  deliverTo(deliver: (event: DeferredEvent) => boolean): void {
    this.#prune()
    this.#events = this.#events.filter((event) => !deliver(event))
  }

  /** Deletes the events of an account that is no longer in use. */
  deleteAccount(account: AccountKey): void {
    this.#events = this.#events.filter((event) => !isSameAccount(event, account))
  }

  #prune(): void {
    const now = this.#clock.now()
    this.#events = this.#events.filter((event) => event.expiresAt > now && !event.isObsolete())
  }
}
