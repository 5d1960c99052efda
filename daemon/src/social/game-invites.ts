/**
 * Invites and join requests between users. They arrive as direct messages and are published to games; accepting an invite publishes its join
 * secret. Events without a subscriber are deferred, and a game that does not run is launched.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { type Activity } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { Session } from '../sessions/session.ts'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { EventProvider } from '../events/provider.ts'
import type { Publish } from '../events/outgoing-event.ts'
import type { EventSelector } from '../events/subscription-registry.ts'
import type { AccountKey } from '@sallyport/core/account-key'
import { type ActivityMessage, readActivityMessage } from './activity-message.ts'
import { type DeferredEvent, DeferredEvents } from './deferred-events.ts'
import { inviteCover, inviteData, joinData, requestData } from './join-events.ts'
import { isExpired, InviteLedger, OPEN_MS, type OpenInvite } from './invite-ledger.ts'
import { type JoinTarget, fetchJoinSecret, joinTargetOf } from './join-target.ts'
import type { PlayState } from './play-state.ts'

export interface GameInvitesDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly publish: Publish
  /** Whether the desktop client handles invites for the account; then nothing is published here. */
  readonly isLinked: (account: AccountKey) => boolean
  /** The activity of the account, if other users can join it. */
  readonly joinableActivity: (account: AccountKey) => Activity | undefined
  /** Fetches a join secret as the account. Rejects with BridgeError. */
  readonly fetchSecret: (account: AccountKey, target: JoinTarget) => Promise<Secret<string>>
  readonly playState: (account: AccountKey) => PlayState
  readonly launch: (applicationId: string) => Promise<void>
  /** Origin of the platform's images. */
  readonly imageOrigin: string
}

/** An event to publish or defer. */
type InviteEvent = Pick<DeferredEvent, 'name' | 'subject' | 'isObsolete'> & { readonly data: object; readonly ttlMs?: number }

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** The events of invites. Each is deferred while no session may receive it. */
export const INVITE_EVENTS: ReadonlySet<string> = new Set<DeferredEvent['name']>([
  'ACTIVITY_JOIN',
  'ACTIVITY_JOIN_REQUEST',
  'ACTIVITY_INVITE',
])

export class GameInvites implements EventProvider {
  readonly name = 'invites'
  readonly #deps: GameInvitesDeps
  readonly #ledger: InviteLedger
  readonly #deferred: DeferredEvents
  /** Pending accepts by user and message. An invite is accepted once at a time. */
  readonly #accepting = new Map<string, Promise<void>>()

  constructor(deps: GameInvitesDeps) {
    this.#deps = deps
    this.#ledger = new InviteLedger(deps.clock)
    this.#deferred = new DeferredEvents(deps.clock)
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  health(): ProviderHealth {
    return { state: this.#deferred.isEmpty ? 'idle' : 'active' }
  }

  /** After a subscription or sign-in: delivers deferred events. */
  reconcile(): void {
    this.#deliverDeferred()
  }

  onSubscribe(_session: Session, { name }: EventSelector): void {
    // One turn later, so that the response to SUBSCRIBE comes first.
    if (INVITE_EVENTS.has(name) && !this.#deferred.isEmpty) setImmediate(() => this.#deliverDeferred())
  }

  /** A direct message, sent or received by the account, as the platform dispatches it. Ignores messages without an invite or join request. */
  onMessage(account: AccountKey, dispatched: unknown): void {
    const message = readActivityMessage(dispatched, account)
    if (message === undefined || this.#deps.isLinked(account) || isExpired(this.#deps.clock, message.messageId)) return
    if (message.author.id === account.userId) this.#onSent(account, message)
    else if (message.kind === 'request') this.#onRequest(account, message)
    else this.#onInvite({ account, invite: message })
  }

  /** Removes and returns a user's open request to join this account's game. Throws INVALID_ACTIVITY_JOIN_REQUEST when there is none. */
  consumeRequest(account: AccountKey, requesterId: string): ActivityMessage {
    const request = this.#ledger.consumeRequest(account, requesterId)
    if (request !== undefined) return request
    throw new BridgeError(
      'INVALID_ACTIVITY_JOIN_REQUEST',
      `User ${requesterId} has no open request to join; it was answered, or is older than six hours.`,
    )
  }

  /** Opens a request again because its answer could not be sent. */
  reopenRequest(account: AccountKey, request: ActivityMessage): void {
    this.#ledger.recordRequest(account, request)
  }

  /** Accepts an invite for the account: fetches the join secret, publishes ACTIVITY_JOIN and launches the game if it does not run. */
  async accept(account: AccountKey, target: JoinTarget, fetchSecret: () => Promise<Secret<string>>): Promise<void> {
    const key = `${account.userId} ${target.messageId}`
    // Another session's accept may fail, for example when that session ends.
    for (let pending = this.#accepting.get(key); pending !== undefined; pending = this.#accepting.get(key))
      if (await succeeds(pending)) return
    const accepting = this.#accept(account, target, fetchSecret).finally(() => this.#accepting.delete(key))
    this.#accepting.set(key, accepting)
    await accepting
  }

  /** Invites that their receivers have not accepted. */
  openInvites(): readonly (OpenInvite & { readonly cover: string | undefined })[] {
    return this.#ledger.openInvites().map((open) => ({ ...open, cover: inviteCover(open.invite, this.#deps.imageOrigin) }))
  }

  /** Accepts an invite for its receiver, even if the game does not run. False when it is not open. Rejects with BridgeError. */
  async acceptInvite(messageId: string): Promise<boolean> {
    const open = this.openInvites().find(({ invite }) => invite.messageId === messageId)
    if (open === undefined) return false
    const target = joinTargetOf(open.invite)
    if (target === undefined) throw new BridgeError('INVALID_INVITE', 'The platform did not name the session that shows the activity.')
    await this.accept(open.account, target, () => this.#deps.fetchSecret(open.account, target))
    return true
  }

  /** Deletes the data of an account that is no longer in use. */
  deleteAccount(account: AccountKey): void {
    this.#ledger.deleteAccount(account)
    this.#deferred.deleteAccount(account)
  }

  async #accept(account: AccountKey, target: JoinTarget, fetchSecret: () => Promise<Secret<string>>): Promise<void> {
    if (isExpired(this.#deps.clock, target.messageId))
      throw new BridgeError('INVALID_INVITE', 'The invite is older than six hours; request another one.')
    try {
      const secret = await fetchJoinSecret(fetchSecret)
      this.#ledger.accept(account.userId, target.messageId)
      this.#publishJoin({ applicationId: target.applicationId, userId: account.userId }, secret)
    } catch (failure) {
      if (failure instanceof BridgeError && failure.error === 'INVALID_INVITE') this.#ledger.deleteInvite(account, target.messageId)
      throw failure
    }
  }

  /** A message that the account's user sent from any device. A join request is recorded; an invite answers the receiver's join request. */
  #onSent(account: AccountKey, message: ActivityMessage): void {
    if (message.kind === 'request') this.#ledger.recordOutgoingRequest(account.userId, message)
    else if (message.applicationId === account.applicationId) this.#ledger.closeAnsweredRequests(account, message)
  }

  #onRequest(account: AccountKey, request: ActivityMessage): void {
    // Another game of this user has its own account, which receives the message too.
    if (request.applicationId !== account.applicationId || !this.#ledger.recordRequest(account, request)) return
    this.#publish(account, {
      name: 'ACTIVITY_JOIN_REQUEST',
      subject: request.author.id,
      data: requestData(request, this.#deps.joinableActivity(account), this.#deps.imageOrigin),
      isObsolete: () => !this.#ledger.isRequestOpen(account, request),
    })
  }

  #onInvite(open: OpenInvite): void {
    if (!this.#ledger.recordInvite(open)) return
    const { account, invite } = open
    const { applicationId } = invite
    // Several games of one user receive the same invite; the invited game accepts it if this user plays that game.
    const isForOtherGame = applicationId !== account.applicationId && this.#deps.playState({ ...account, applicationId }) === 'active'
    if (isForOtherGame && this.#ledger.hasOutgoingRequest(open)) return
    const target = joinTargetOf(invite)
    if (target !== undefined && this.#ledger.consumeOutgoingRequest(open)) void this.#acceptAnswer(open, target)
    else this.#publishInvite(open)
  }

  /** Accepts an invite that answers the user's own join request. */
  async #acceptAnswer({ account, invite }: OpenInvite, target: JoinTarget): Promise<void> {
    this.#ledger.accept(account.userId, invite.messageId)
    try {
      this.#publishJoin({ ...account, applicationId: target.applicationId }, await this.#deps.fetchSecret(account, target))
    } catch (err) {
      this.#deps.log.info('invite-not-accepted', { application: target.applicationId, err })
      this.#ledger.revertAccept(account.userId, invite.messageId)
      this.#publishInvite({ account, invite })
    }
  }

  #publishInvite({ account, invite }: OpenInvite): void {
    const { messageId } = invite
    const isObsolete = (): boolean => this.#ledger.isAccepted(account.userId, messageId)
    this.#publish(account, { name: 'ACTIVITY_INVITE', subject: messageId, data: inviteData(invite, this.#deps.imageOrigin), isObsolete })
  }

  #publishJoin(account: AccountKey, secret: Secret<string>): void {
    const { applicationId } = account
    const isDelivered = this.#publish(account, {
      name: 'ACTIVITY_JOIN',
      // The latest join replaces an earlier one that was not delivered.
      subject: 'joining',
      data: joinData(applicationId, secret),
      ttlMs: BUDGETS.deferredJoinMs.value,
      isObsolete: () => false,
    })
    if (!isDelivered && this.#deps.playState(account) === 'inactive') void this.#deps.launch(applicationId)
  }

  /** False when there is no subscriber; the event is then deferred. */
  #publish({ applicationId, userId }: AccountKey, { data, ttlMs = OPEN_MS, ...fields }: InviteEvent): boolean {
    const event = { ...fields, applicationId, userId, data: new Secret(data), expiresAt: this.#deps.clock.now() + ttlMs }
    if (this.#deliver(event)) return true
    this.#deferred.defer(event)
    return false
  }

  #deliver({ name, applicationId, userId, data }: DeferredEvent): boolean {
    const isRecipient = (session: Session): boolean => session.applicationId === applicationId && session.signedIn?.userId === userId
    return this.#deps.publish({ name, args: {}, data: data.reveal(), isRecipient, dedupeKey: undefined }) > 0
  }

  #deliverDeferred(): void {
    if (!this.#deferred.isEmpty) this.#deferred.deliverTo((event) => this.#deliver(event))
  }
}
