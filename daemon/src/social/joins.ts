/**
 * Users joining one another's games: requests and invites come in as direct messages, games are told, and who takes an invite gets its join
 * secret. What a game does not listen for yet waits for it; a game that does not run is launched.
 */
import { type Activity, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { Session } from '../sessions/session.ts'
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Source } from '../events/source.ts'
import type { Tell } from '../events/telling.ts'
import type { DesiredEvent } from '../events/hub.ts'
import { type ActivityMessage, type Party, readActivityMessage } from './activity-message.ts'
import { type HeldEvent, HeldEvents } from './held-events.ts'
import { inviteData, joinData, requestData } from './join-events.ts'
import { isLate, JoinLedger, OPEN_MS, type OpenInvite } from './join-ledger.ts'
import { type Offer, offeredSecret, offerOf } from './offer.ts'
import type { Playing } from './playing.ts'

export interface JoinParts {
  readonly clock: Clock
  readonly log: Logger
  readonly tell: Tell
  /** Whether the platform's own client does all this for the account: then nothing here is told twice. */
  readonly isLinked: (party: Party) => boolean
  /** What the account shows, if others can join it. */
  readonly joinable: (party: Party) => Activity | undefined
  /** The join secret, asked in the name of an account. Rejects with BridgeError. */
  readonly secretOf: (party: Party, offer: Offer) => Promise<Secret<string>>
  readonly playing: (party: Party) => Playing
  readonly launch: (applicationId: string) => Promise<void>
}

/** An event as it is told, or held. */
type Telling = Pick<HeldEvent, 'name' | 'about' | 'isOver'> & { readonly data: object; readonly keepMs?: number }

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

const HELD: ReadonlySet<string> = new Set<HeldEvent['name']>(['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'])

export class Joins implements Source {
  readonly name = 'joins'
  readonly #parts: JoinParts
  readonly #ledger: JoinLedger
  readonly #held: HeldEvents
  /** Under way, by user and message: however often it is asked for, one invite is taken once at a time. */
  readonly #taking = new Map<string, Promise<void>>()

  constructor(parts: JoinParts) {
    this.#parts = parts
    this.#ledger = new JoinLedger(parts.clock)
    this.#held = new HeldEvents(parts.clock)
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  health(): SourceHealth {
    return { state: this.#held.isEmpty ? 'idle' : 'live' }
  }

  /** Somebody subscribed or signed in: what waits for them is theirs. */
  apply(): void {
    this.#handOver()
  }

  subscribed(_caller: Session, { name }: DesiredEvent): void {
    // A turn later, so that the subscription is answered before.
    if (HELD.has(name) && !this.#held.isEmpty) setImmediate(() => this.#handOver())
  }

  /** A direct message that an account saw, whoever wrote it, as the platform dispatches it. Everything that is not about joining is ignored. */
  heard(party: Party, dispatched: unknown): void {
    const message = readActivityMessage(dispatched, party)
    if (message === undefined || this.#parts.isLinked(party) || isLate(this.#parts.clock, message.messageId)) return
    if (message.author.id === party.userId) this.#sent(party, message)
    else if (message.kind === 'request') this.#requested(party, message)
    else this.#invited({ party, invite: message })
  }

  /** Ends the open request of a user to join this account's game. Throws INVALID_ACTIVITY_JOIN_REQUEST when there is none. */
  takeRequest(party: Party, askerId: string): ActivityMessage {
    const request = this.#ledger.takeRequest(party, askerId)
    if (request !== undefined) return request
    throw new BridgeError(
      'INVALID_ACTIVITY_JOIN_REQUEST',
      `User ${askerId} has no open request to join; it was answered, or is older than six hours.`,
    )
  }

  /** It could not be answered: it stays open. */
  reopen(party: Party, request: ActivityMessage): void {
    this.#ledger.open(party, request)
  }

  /** The account takes an offer, whose secret is asked for so: the game learns how to join, if need be after it was launched. */
  async take(party: Party, offer: Offer, secretOf: () => Promise<Secret<string>>): Promise<void> {
    const key = `${party.userId} ${offer.messageId}`
    // Whoever took it meanwhile may have left before it was answered.
    for (let begun = this.#taking.get(key); begun !== undefined; begun = this.#taking.get(key)) if (await succeeds(begun)) return
    const taking = this.#take(party, offer, secretOf).finally(() => this.#taking.delete(key))
    this.#taking.set(key, taking)
    await taking
  }

  /** Invites that their receivers have not taken. */
  openInvites(): readonly OpenInvite[] {
    return this.#ledger.openInvites()
  }

  /** Takes an invite for its receiver, whether or not their game runs. False when it is not open. Rejects with BridgeError. */
  async takeInvite(messageId: string): Promise<boolean> {
    const open = this.openInvites().find(({ invite }) => invite.messageId === messageId)
    if (open === undefined) return false
    const offer = offerOf(open.invite)
    if (offer === undefined) throw new BridgeError('INVALID_INVITE', 'The platform did not say which session shows the activity.')
    await this.take(open.party, offer, () => this.#parts.secretOf(open.party, offer))
    return true
  }

  /** The account is in use here no more: what waits for it is nobody's. */
  forget(party: Party): void {
    this.#ledger.forget(party)
    this.#held.forget(party)
  }

  async #take(party: Party, offer: Offer, secretOf: () => Promise<Secret<string>>): Promise<void> {
    if (isLate(this.#parts.clock, offer.messageId))
      throw new BridgeError('INVALID_INVITE', 'The invite is older than six hours; ask for another one.')
    try {
      const secret = await offeredSecret(secretOf)
      this.#ledger.take(party.userId, offer.messageId)
      this.#join({ applicationId: offer.applicationId, userId: party.userId }, secret)
    } catch (failure) {
      if (failure instanceof BridgeError && failure.error === 'INVALID_INVITE') this.#ledger.endInvite(party, offer.messageId)
      throw failure
    }
  }

  /** What a user of ours wrote, on whichever device: an invite that answers what they asked for needs no further word; whom they invited is answered. */
  #sent(party: Party, message: ActivityMessage): void {
    if (message.kind === 'request') this.#ledger.asked(party.userId, message)
    else if (message.applicationId === party.applicationId) this.#ledger.answered(party, message)
  }

  #requested(party: Party, request: ActivityMessage): void {
    // Another game of this user has its own connection, and hears of it by that.
    if (request.applicationId !== party.applicationId || !this.#ledger.open(party, request)) return
    this.#tell(party, {
      name: 'ACTIVITY_JOIN_REQUEST',
      about: request.author.id,
      data: requestData(request, this.#parts.joinable(party)),
      isOver: () => !this.#ledger.isOpen(party, request),
    })
  }

  #invited(open: OpenInvite): void {
    if (!this.#ledger.invited(open)) return
    const { party, invite } = open
    const { applicationId } = invite
    // Several games of one user see the same invite; the one that it is about takes it, if this user plays it.
    const isOthers = applicationId !== party.applicationId && this.#parts.playing({ ...party, applicationId }) === 'yes'
    if (isOthers && this.#ledger.hasAsk(open)) return
    const offer = offerOf(invite)
    if (offer !== undefined && this.#ledger.takeAsk(open)) void this.#takeAnswer(open, offer)
    else this.#tellInvite(open)
  }

  /** The invite answers what the user asked for: they have said already that they want to join. */
  async #takeAnswer({ party, invite }: OpenInvite, offer: Offer): Promise<void> {
    this.#ledger.take(party.userId, invite.messageId)
    try {
      this.#join({ ...party, applicationId: offer.applicationId }, await this.#parts.secretOf(party, offer))
    } catch (err) {
      this.#parts.log.info('join-not-taken', { application: offer.applicationId, err })
      this.#ledger.untake(party.userId, invite.messageId)
      this.#tellInvite({ party, invite })
    }
  }

  #tellInvite({ party, invite }: OpenInvite): void {
    const { messageId } = invite
    const isOver = (): boolean => this.#ledger.isTaken(party.userId, messageId)
    this.#tell(party, { name: 'ACTIVITY_INVITE', about: messageId, data: inviteData(invite), isOver })
  }

  #join(party: Party, secret: Secret<string>): void {
    const { applicationId } = party
    const isTold = this.#tell(party, {
      name: 'ACTIVITY_JOIN',
      // Who goes elsewhere before the game was there wants to be where they went last.
      about: 'joining',
      data: joinData(applicationId, secret),
      keepMs: LIMITS.heldJoinMs.value,
      isOver: () => false,
    })
    if (!isTold && this.#parts.playing(party) === 'no') void this.#parts.launch(applicationId)
  }

  /** False when nobody listens: then it is kept for who comes in time. */
  #tell({ applicationId, userId }: Party, { data, keepMs = OPEN_MS, ...telling }: Telling): boolean {
    const event = { ...telling, applicationId, userId, data: new Secret(data), until: this.#parts.clock.now() + keepMs }
    if (this.#deliver(event)) return true
    this.#held.hold(event)
    return false
  }

  #deliver({ name, applicationId, userId, data }: HeldEvent): boolean {
    const isFor = (caller: Session): boolean => caller.applicationId === applicationId && caller.signedIn?.userId === userId
    return this.#parts.tell({ name, args: {}, data: data.reveal(), isFor, key: undefined }) > 0
  }

  #handOver(): void {
    if (!this.#held.isEmpty) this.#held.handOver((event) => this.#deliver(event))
  }
}
