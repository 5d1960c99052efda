/**
 * Open join requests and invites, while they can still be answered. Bounded. Expired entries are removed on use, so no timer is needed.
 */
import { HOUR_MS } from '@sallyport/core/durations'
import { BoundedMap } from '@sallyport/core/bounded-map'
import { compareIds, LIMITS, snowflakeTime } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { AccountKey } from '@sallyport/core/account-key'
import type { ActivityMessage } from './activity-message.ts'

export const OPEN_MS = LIMITS.activityInviteAge.value * HOUR_MS
/** Limit of each kind for all accounts; the oldest entries are dropped. */
const MAX_OPEN = 1_000

/** Whether the request or invite of a message is too old to be answered. */
export const isExpired = (clock: Clock, messageId: string): boolean => clock.now() - snowflakeTime(messageId) >= OPEN_MS

/** Values by key with an expiry, in the order of insertion. */
class ExpiringIndex<T extends { readonly messageId: string }> {
  readonly #clock: Clock
  readonly #byKey = new BoundedMap<string, { readonly value: T; readonly expiresAt: number }>(MAX_OPEN)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(key: string, value: T): void {
    this.#prune()
    // An id may contain a future time.
    const since = Math.min(snowflakeTime(value.messageId), this.#clock.now())
    this.#byKey.set(key, { value, expiresAt: since + OPEN_MS })
  }

  get(key: string): T | undefined {
    const entry = this.#byKey.get(key)
    return entry !== undefined && entry.expiresAt > this.#clock.now() ? entry.value : undefined
  }

  remove(key: string): T | undefined {
    const value = this.get(key)
    this.#byKey.delete(key)
    return value
  }

  all(): readonly T[] {
    this.#prune()
    return [...this.#byKey.values()].map(({ value }) => value)
  }

  /** Deletes all entries whose key has the prefix and that match. */
  deleteMatching(prefix: string, matches: (value: T) => boolean = () => true): void {
    for (const [key, { value }] of this.#byKey) if (key.startsWith(prefix) && matches(value)) this.#byKey.delete(key)
  }

  #prune(): void {
    const now = this.#clock.now()
    for (const [key, { expiresAt }] of this.#byKey) if (expiresAt <= now) this.#byKey.delete(key)
  }
}

/** An invite and the account that received it. */
export interface OpenInvite {
  readonly account: AccountKey
  readonly invite: ActivityMessage
}

interface OutgoingRequest {
  readonly messageId: string
  /** Kept after the answer, because the same message may arrive again. */
  readonly isAnswered: boolean
}

const keyOf = (...parts: readonly string[]): string => `${parts.join(' ')} `
const isAfter = (one: string, other: string): boolean => compareIds(one, other) > 0

export class InviteLedger {
  /** Requests of other users to local accounts. */
  readonly #requests: ExpiringIndex<ActivityMessage>
  /** Requests of local users to other users. */
  readonly #outgoing: ExpiringIndex<OutgoingRequest>
  readonly #invites: ExpiringIndex<OpenInvite & { readonly messageId: string }>
  readonly #accepted: ExpiringIndex<{ readonly messageId: string }>

  constructor(clock: Clock) {
    this.#requests = new ExpiringIndex(clock)
    this.#outgoing = new ExpiringIndex(clock)
    this.#invites = new ExpiringIndex(clock)
    this.#accepted = new ExpiringIndex(clock)
  }

  // --- incoming requests -------------------------------------------------------------------------------------------------------

  /** Records a request to join this user's game; each sender has one. False when this or a later request is recorded already. */
  recordRequest({ applicationId, userId }: AccountKey, request: ActivityMessage): boolean {
    const key = keyOf(applicationId, userId, request.author.id)
    const entry = this.#requests.get(key)
    if (entry !== undefined && !isAfter(request.messageId, entry.messageId)) return false
    this.#requests.set(key, request)
    return true
  }

  isRequestOpen({ applicationId, userId }: AccountKey, { author, messageId }: ActivityMessage): boolean {
    return this.#requests.get(keyOf(applicationId, userId, author.id))?.messageId === messageId
  }

  /** Removes and returns the request of a user. Undefined when none is open. */
  consumeRequest({ applicationId, userId }: AccountKey, requesterId: string): ActivityMessage | undefined {
    return this.#requests.remove(keyOf(applicationId, userId, requesterId))
  }

  /** Closes the earlier requests in the direct message channel of an invite that the user sent. */
  closeAnsweredRequests({ applicationId, userId }: AccountKey, { channelId, messageId }: ActivityMessage): void {
    this.#requests.deleteMatching(
      keyOf(applicationId, userId),
      (request) => request.channelId === channelId && isAfter(messageId, request.messageId),
    )
  }

  // --- outgoing requests -------------------------------------------------------------------------------------------------------

  /** Records a local user's join request, sent in a direct message channel. */
  recordOutgoingRequest(userId: string, { applicationId, channelId, messageId }: ActivityMessage): void {
    const key = keyOf(applicationId, userId, channelId)
    const entry = this.#outgoing.get(key)
    if (entry === undefined || isAfter(messageId, entry.messageId)) this.#outgoing.set(key, { messageId, isAnswered: false })
  }

  /** Whether the invite answers a join request of its receiver. */
  hasOutgoingRequest({ account, invite }: OpenInvite): boolean {
    return this.#outgoing.get(keyOf(invite.applicationId, account.userId, invite.channelId))?.isAnswered === false
  }

  /** The same, and marks the request as answered: each request is answered once. */
  consumeOutgoingRequest(open: OpenInvite): boolean {
    if (!this.hasOutgoingRequest(open)) return false
    const key = keyOf(open.invite.applicationId, open.account.userId, open.invite.channelId)
    const request = this.#outgoing.get(key)
    if (request !== undefined) this.#outgoing.set(key, { ...request, isAnswered: true })
    return true
  }

  // --- invites -----------------------------------------------------------------------------------------------------------------

  /** False when it is recorded already, or the user accepted it in another game. */
  recordInvite(open: OpenInvite): boolean {
    const { account, invite } = open
    const key = keyOf(account.applicationId, account.userId, invite.messageId)
    if (this.isAccepted(account.userId, invite.messageId) || this.#invites.get(key) !== undefined) return false
    this.#invites.set(key, { ...open, messageId: invite.messageId })
    return true
  }

  isAccepted(userId: string, messageId: string): boolean {
    return this.#accepted.get(keyOf(userId, messageId)) !== undefined
  }

  /** Records that the user accepted this invite in any game. */
  accept(userId: string, messageId: string): void {
    this.#accepted.set(keyOf(userId, messageId), { messageId })
  }

  /** Reverts `accept`, because accepting failed. */
  revertAccept(userId: string, messageId: string): void {
    this.#accepted.remove(keyOf(userId, messageId))
  }

  /** Deletes an invite that the account can no longer accept. */
  deleteInvite({ applicationId, userId }: AccountKey, messageId: string): void {
    this.#invites.remove(keyOf(applicationId, userId, messageId))
  }

  /** Invites that were not accepted yet. An invite that several games of its receiver received counts once. */
  openInvites(): readonly OpenInvite[] {
    const open = this.#invites.all().filter(({ account, messageId }) => !this.isAccepted(account.userId, messageId))
    return [...new Map(open.map((one) => [keyOf(one.account.userId, one.messageId), one])).values()]
  }

  /** Deletes the entries of an account that is no longer in use. */
  deleteAccount({ applicationId, userId }: AccountKey): void {
    for (const index of [this.#requests, this.#outgoing, this.#invites]) index.deleteMatching(keyOf(applicationId, userId))
  }
}
