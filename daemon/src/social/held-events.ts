/** Events for a game that does not listen yet. Each is kept for a time and handed over once, to the first sessions that may hear it. */
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'
import type { Party } from './activity-message.ts'

export interface HeldEvent extends Party {
  readonly name: 'ACTIVITY_JOIN' | 'ACTIVITY_JOIN_REQUEST' | 'ACTIVITY_INVITE'
  /** Of one account and name, a later one about the same takes its place. */
  readonly about: string
  /** A join secret may be in it. */
  readonly data: Secret<object>
  /** In ms since the epoch. */
  readonly until: number
  /** It is no news any more. */
  isOver(): boolean
}

/** Of one account, and of all together; the oldest give way. */
export const MOST_OF_ACCOUNT = 32
export const MOST_HELD = 512

const isOfAccount =
  ({ applicationId, userId }: Party) =>
  (one: Party): boolean =>
    one.applicationId === applicationId && one.userId === userId

export class HeldEvents {
  readonly #clock: Clock
  #held: readonly HeldEvent[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    this.#clean()
    return this.#held.length === 0
  }

  hold(event: HeldEvent): void {
    this.#clean()
    const others = this.#held.filter((one) => !(isOfAccount(event)(one) && one.name === event.name && one.about === event.about))
    const ofAccount = others.filter(isOfAccount(event))
    const gone = ofAccount.length < MOST_OF_ACCOUNT ? undefined : ofAccount[0]
    this.#held = [...others.filter((one) => one !== gone), event].slice(-MOST_HELD)
  }

  /** Hands over what `deliver` can take, the oldest first; what it takes is not kept. */
  handOver(deliver: (event: HeldEvent) => boolean): void {
    this.#clean()
    this.#held = this.#held.filter((event) => !deliver(event))
  }

  /** The account is in use here no more. */
  forget(party: Party): void {
    this.#held = this.#held.filter((event) => !isOfAccount(party)(event))
  }

  #clean(): void {
    const now = this.#clock.now()
    this.#held = this.#held.filter((event) => event.until > now && !event.isOver())
  }
}
