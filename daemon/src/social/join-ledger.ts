/**
 * Who asked to join whom, and who invited whom, while it can still be answered. Bounded, and cleaned when it is used: nothing here
 * wakes up by itself.
 */
import { compareIds, LIMITS, snowflakeTime } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { ActivityMessage, Party } from './activity-message.ts'

const HOUR_MS = 3_600_000
export const OPEN_MS = LIMITS.activityInviteAge.value * HOUR_MS
/** Of each kind, of all accounts together; the oldest give way. */
export const MOST_OPEN = 1_000

/** Whether what a message began can still be answered. */
export const isLate = (clock: Clock, messageId: string): boolean => clock.now() - snowflakeTime(messageId) >= OPEN_MS

/** What messages began, in the order in which they were heard. */
class OpenMatters<T extends { readonly messageId: string }> {
  readonly #clock: Clock
  readonly #byKey = new Map<string, { readonly matter: T; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(key: string, matter: T): void {
    this.#clean()
    this.#byKey.delete(key)
    // An id may name a time to come.
    const since = Math.min(snowflakeTime(matter.messageId), this.#clock.now())
    this.#byKey.set(key, { matter, until: since + OPEN_MS })
    const [oldest] = this.#byKey.keys()
    if (oldest !== undefined && this.#byKey.size > MOST_OPEN) this.#byKey.delete(oldest)
  }

  get(key: string): T | undefined {
    const known = this.#byKey.get(key)
    return known !== undefined && known.until > this.#clock.now() ? known.matter : undefined
  }

  take(key: string): T | undefined {
    const matter = this.get(key)
    this.#byKey.delete(key)
    return matter
  }

  all(): readonly T[] {
    this.#clean()
    return [...this.#byKey.values()].map(({ matter }) => matter)
  }

  /** Ends all whose key begins so and that are meant. */
  end(prefix: string, isMeant: (matter: T) => boolean = () => true): void {
    for (const [key, { matter }] of this.#byKey) if (key.startsWith(prefix) && isMeant(matter)) this.#byKey.delete(key)
  }

  #clean(): void {
    const now = this.#clock.now()
    for (const [key, { until }] of this.#byKey) if (until <= now) this.#byKey.delete(key)
  }
}

/** An invite, and who got it. */
export interface OpenInvite {
  readonly party: Party
  readonly invite: ActivityMessage
}

interface Ask {
  readonly messageId: string
  /** It is remembered all the same, since the same message may be heard again. */
  readonly isAnswered: boolean
}

const keyOf = (...parts: readonly string[]): string => `${parts.join(' ')} `
const isAfter = (one: string, other: string): boolean => compareIds(one, other) > 0

export class JoinLedger {
  /** Of others, to a user of ours. */
  readonly #requests: OpenMatters<ActivityMessage>
  /** Of users of ours, to others. */
  readonly #asks: OpenMatters<Ask>
  readonly #invites: OpenMatters<OpenInvite & { readonly messageId: string }>
  readonly #taken: OpenMatters<{ readonly messageId: string }>

  constructor(clock: Clock) {
    this.#requests = new OpenMatters(clock)
    this.#asks = new OpenMatters(clock)
    this.#invites = new OpenMatters(clock)
    this.#taken = new OpenMatters(clock)
  }

  // --- requests of others ------------------------------------------------------------------------------------------------------

  /** Somebody asks this user to let them join; who asks again has one request. False when this one, or a later one, is known. */
  open({ applicationId, userId }: Party, request: ActivityMessage): boolean {
    const key = keyOf(applicationId, userId, request.author.id)
    const known = this.#requests.get(key)
    if (known !== undefined && !isAfter(request.messageId, known.messageId)) return false
    this.#requests.set(key, request)
    return true
  }

  isOpen({ applicationId, userId }: Party, { author, messageId }: ActivityMessage): boolean {
    return this.#requests.get(keyOf(applicationId, userId, author.id))?.messageId === messageId
  }

  /** Ends the request of a user. Undefined when none is open. */
  takeRequest({ applicationId, userId }: Party, askerId: string): ActivityMessage | undefined {
    return this.#requests.take(keyOf(applicationId, userId, askerId))
  }

  /** The user invited whoever is in this channel of two: what they asked for before is answered. */
  answered({ applicationId, userId }: Party, { channelId, messageId }: ActivityMessage): void {
    this.#requests.end(keyOf(applicationId, userId), (request) => request.channelId === channelId && isAfter(messageId, request.messageId))
  }

  // --- requests of our own -----------------------------------------------------------------------------------------------------

  /** A user of ours asked to join a game, in a channel of two. */
  asked(userId: string, { applicationId, channelId, messageId }: ActivityMessage): void {
    const key = keyOf(applicationId, userId, channelId)
    const known = this.#asks.get(key)
    if (known === undefined || isAfter(messageId, known.messageId)) this.#asks.set(key, { messageId, isAnswered: false })
  }

  /** Whether the invite answers what its receiver asked for. */
  hasAsk({ party, invite }: OpenInvite): boolean {
    return this.#asks.get(keyOf(invite.applicationId, party.userId, invite.channelId))?.isAnswered === false
  }

  /** The same, and ends it: each ask is answered once. */
  takeAsk(open: OpenInvite): boolean {
    if (!this.hasAsk(open)) return false
    const key = keyOf(open.invite.applicationId, open.party.userId, open.invite.channelId)
    const ask = this.#asks.get(key)
    if (ask !== undefined) this.#asks.set(key, { ...ask, isAnswered: true })
    return true
  }

  // --- invites -----------------------------------------------------------------------------------------------------------------

  /** False when it is known, or the user has taken it by another of their games. */
  invited(open: OpenInvite): boolean {
    const { party, invite } = open
    const key = keyOf(party.applicationId, party.userId, invite.messageId)
    if (this.isTaken(party.userId, invite.messageId) || this.#invites.get(key) !== undefined) return false
    this.#invites.set(key, { ...open, messageId: invite.messageId })
    return true
  }

  isTaken(userId: string, messageId: string): boolean {
    return this.#taken.get(keyOf(userId, messageId)) !== undefined
  }

  /** The user takes this invite, by whichever game. */
  take(userId: string, messageId: string): void {
    this.#taken.set(keyOf(userId, messageId), { messageId })
  }

  /** It could not be taken after all. */
  untake(userId: string, messageId: string): void {
    this.#taken.take(keyOf(userId, messageId))
  }

  /** It leads nowhere any more for this account. */
  endInvite({ applicationId, userId }: Party, messageId: string): void {
    this.#invites.take(keyOf(applicationId, userId, messageId))
  }

  /** Not taken by anybody yet. An invite that several games of its receiver saw counts once. */
  openInvites(): readonly OpenInvite[] {
    const open = this.#invites.all().filter(({ party, messageId }) => !this.isTaken(party.userId, messageId))
    return [...new Map(open.map((one) => [keyOf(one.party.userId, one.messageId), one])).values()]
  }

  /** The account is in use here no more. */
  forget({ applicationId, userId }: Party): void {
    for (const matters of [this.#requests, this.#asks, this.#invites]) matters.end(keyOf(applicationId, userId))
  }
}
