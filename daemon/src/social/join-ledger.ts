/**
 * Who asked to join whom, and who invited whom, while it can still be answered. Bounded, and cleaned when it is used: nothing here
 * wakes up by itself.
 */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '../core/clock.ts'
import type { ActivityMessage, Party } from './activity-message.ts'

const HOUR_MS = 3_600_000
export const OPEN_MS = LIMITS.activityInviteAge.value * HOUR_MS
/** Of each kind, of all accounts together; the oldest give way. */
export const MOST_OPEN = 1_000

/** What is open for a time, the oldest first. */
class OpenMatters<T> {
  readonly #clock: Clock
  readonly #byKey = new Map<string, { readonly value: T; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(key: string, value: T): void {
    this.#clean()
    this.#byKey.delete(key)
    this.#byKey.set(key, { value, until: this.#clock.now() + OPEN_MS })
    const [oldest] = this.#byKey.keys()
    if (oldest !== undefined && this.#byKey.size > MOST_OPEN) this.#byKey.delete(oldest)
  }

  get(key: string): T | undefined {
    this.#clean()
    return this.#byKey.get(key)?.value
  }

  take(key: string): T | undefined {
    const value = this.get(key)
    this.#byKey.delete(key)
    return value
  }

  all(): readonly T[] {
    this.#clean()
    return [...this.#byKey.values()].map(({ value }) => value)
  }

  /** All stay open equally long, so the first that is open ends it. */
  #clean(): void {
    const now = this.#clock.now()
    for (const [key, { until }] of this.#byKey) {
      if (until > now) return
      this.#byKey.delete(key)
    }
  }
}

/** An invite, and who got it. */
export interface OpenInvite {
  readonly party: Party
  readonly invite: ActivityMessage
}

const keyOf = (...parts: readonly string[]): string => parts.join(' ')

export class JoinLedger {
  /** Of others, to a user of ours. */
  readonly #requests: OpenMatters<ActivityMessage>
  /** Of users of ours, to others. */
  readonly #asks: OpenMatters<true>
  readonly #invites: OpenMatters<OpenInvite>
  readonly #taken: OpenMatters<true>

  constructor(clock: Clock) {
    this.#requests = new OpenMatters(clock)
    this.#asks = new OpenMatters(clock)
    this.#invites = new OpenMatters(clock)
    this.#taken = new OpenMatters(clock)
  }

  /** Somebody asks this user to let them join; who asks again has one request. False when this very one is known. */
  open({ applicationId, userId }: Party, request: ActivityMessage): boolean {
    const key = keyOf(applicationId, userId, request.author.id)
    if (this.#requests.get(key)?.messageId === request.messageId) return false
    this.#requests.set(key, request)
    return true
  }

  /** Ends the request of a user. Undefined when none is open. */
  takeRequest({ applicationId, userId }: Party, askerId: string): ActivityMessage | undefined {
    return this.#requests.take(keyOf(applicationId, userId, askerId))
  }

  /** A user of ours asked to join a game of this application, in this channel of two. */
  asked(applicationId: string, userId: string, channelId: string): void {
    this.#asks.set(keyOf(applicationId, userId, channelId), true)
  }

  /** Whether the invite answers what its receiver asked for. */
  hasAsk({ party, invite }: OpenInvite): boolean {
    return this.#asks.get(keyOf(invite.applicationId, party.userId, invite.channelId)) ?? false
  }

  /** The same, and ends it: each ask is answered once. */
  takeAsk({ party, invite }: OpenInvite): boolean {
    return this.#asks.take(keyOf(invite.applicationId, party.userId, invite.channelId)) ?? false
  }

  /** False when it is known, or the user has taken it by another of their games. */
  invited(open: OpenInvite): boolean {
    const { party, invite } = open
    const key = keyOf(party.applicationId, party.userId, invite.messageId)
    if (this.isTaken(party.userId, invite.messageId) || this.#invites.get(key) !== undefined) return false
    this.#invites.set(key, open)
    return true
  }

  isTaken(userId: string, messageId: string): boolean {
    return this.#taken.get(keyOf(userId, messageId)) ?? false
  }

  /** The user takes this invite, by whichever game. */
  take(userId: string, messageId: string): void {
    this.#taken.set(keyOf(userId, messageId), true)
  }

  /** It could not be taken after all. */
  untake(userId: string, messageId: string): void {
    this.#taken.take(keyOf(userId, messageId))
  }

  /** Not taken by anybody yet. An invite that several games of its receiver saw counts once. */
  openInvites(): readonly OpenInvite[] {
    const seen = new Map(
      this.#invites
        .all()
        .filter(({ party, invite }) => !this.isTaken(party.userId, invite.messageId))
        .map((open) => [keyOf(open.party.userId, open.invite.messageId), open]),
    )
    return [...seen.values()]
  }
}
