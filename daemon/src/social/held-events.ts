/** Events for a game that does not listen yet. Each is kept for a time and handed over once, to the first sessions that may hear it. */
import type { Clock } from '../core/clock.ts'
import type { Secret } from '../core/secret.ts'

export interface HeldEvent {
  readonly name: 'ACTIVITY_JOIN' | 'ACTIVITY_JOIN_REQUEST' | 'ACTIVITY_INVITE'
  readonly applicationId: string
  readonly userId: string
  /** Of an invite: its message. */
  readonly messageId?: string
  /** A join secret may be in it. */
  readonly data: Secret<object>
  /** In ms since the epoch. */
  readonly until: number
}

/** Of one account, and of all together; the oldest give way. */
export const MOST_OF_ACCOUNT = 32
export const MOST_HELD = 512

export class HeldEvents {
  readonly #clock: Clock
  #held: HeldEvent[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  hold(event: HeldEvent): void {
    this.#clean()
    const isOfAccount = (one: HeldEvent): boolean => one.applicationId === event.applicationId && one.userId === event.userId
    const ofAccount = this.#held.filter(isOfAccount)
    const gone = ofAccount.length < MOST_OF_ACCOUNT ? undefined : ofAccount[0]
    this.#held = [...this.#held.filter((one) => one !== gone), event].slice(-MOST_HELD)
  }

  /** Hands over what `deliver` can take, the oldest first; what it takes is not kept. */
  handOver(deliver: (event: HeldEvent) => boolean): void {
    this.#clean()
    this.#held = this.#held.filter((event) => !deliver(event))
  }

  #clean(): void {
    const now = this.#clock.now()
    this.#held = this.#held.filter(({ until }) => until > now)
  }
}
