/**
 * Users joining one another's games: requests and invites come in as direct messages, games are told, and who takes an invite gets its join
 * secret. What a game does not listen for yet waits for it; a game that does not run is launched.
 */
import { type Activity, LIMITS, snowflakeTime } from '@sallyport/protocol'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import { Secret } from '../core/secret.ts'
import type { Caller } from '../dispatch/caller.ts'
import type { Source, SourceHealth } from '../sources/source.ts'
import type { Tell } from '../sources/telling.ts'
import type { DesiredEvent } from '../subscriptions/hub.ts'
import { type ActivityMessage, type Party, readActivityMessage } from './activity-message.ts'
import { type HeldEvent, HeldEvents } from './held-events.ts'
import { JoinLedger, OPEN_MS, type OpenInvite } from './join-ledger.ts'

/** The activity that is to be joined: whose it is, and where it was offered. */
export interface Offer {
  readonly userId: string
  readonly sessionId: string
  /** Of the game, which may be a sibling of the one that asks. */
  readonly applicationId: string
  readonly channelId: string
  readonly messageId: string
}

export interface JoinParts {
  readonly clock: Clock
  readonly log: Logger
  readonly tell: Tell
  /** Whether the platform's own client does all this for the application: then nothing here is told twice. */
  readonly isLinked: (applicationId: string) => boolean
  /** What the account shows, if others can join it. */
  readonly joinable: (party: Party) => Activity | undefined
  /** The join secret, asked in the name of an account. Rejects with BridgeError. */
  readonly secretOf: (party: Party, offer: Offer) => Promise<Secret<string>>
  /** Whether a game of the application is connected. */
  readonly isRunning: (applicationId: string) => boolean
  readonly launch: (applicationId: string) => Promise<void>
}

interface Keeping {
  readonly keepMs?: number
  readonly messageId?: string
}

const HELD: ReadonlySet<string> = new Set<HeldEvent['name']>(['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'])
/** `intent` of ACTIVITY_JOIN. */
const PLAY = 0

export class Joins implements Source {
  readonly name = 'joins'
  readonly #parts: JoinParts
  readonly #ledger: JoinLedger
  readonly #held: HeldEvents

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

  welcome(_caller: Caller, { name }: DesiredEvent): undefined {
    // A turn later, so that the subscription is answered before.
    if (HELD.has(name) && !this.#held.isEmpty) setImmediate(() => this.#handOver())
    return undefined
  }

  /** A direct message that an account saw, whoever wrote it, as the platform dispatches it. Everything that is not about joining is ignored. */
  heard(party: Party, dispatched: unknown): void {
    const message = readActivityMessage(dispatched, party)
    if (message === undefined || this.#parts.isLinked(party.applicationId) || this.#isLate(message.messageId)) return
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

  /** The account takes an offer, whose secret was asked for: the game learns how to join, if need be after it was launched. */
  async take(party: Party, offer: Offer, secretOf: () => Promise<Secret<string>>): Promise<void> {
    if (this.#isLate(offer.messageId)) throw new BridgeError('INVALID_INVITE', 'The invite is older than six hours; ask for another one.')
    const secret = await secretOf()
    this.#ledger.take(party.userId, offer.messageId)
    this.#join({ applicationId: offer.applicationId, userId: party.userId }, secret)
  }

  /** Invites that their receivers have not taken. */
  openInvites(): readonly OpenInvite[] {
    return this.#ledger.openInvites().filter(({ invite }) => !this.#isLate(invite.messageId))
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

  #isLate(messageId: string): boolean {
    return this.#parts.clock.now() - snowflakeTime(messageId) >= OPEN_MS
  }

  /** What a user of ours asked for is remembered, on whichever device: the invite that answers it needs no further word. */
  #sent({ userId }: Party, { kind, applicationId, channelId }: ActivityMessage): void {
    if (kind === 'request') this.#ledger.asked(applicationId, userId, channelId)
  }

  #requested(party: Party, request: ActivityMessage): void {
    // Another game of this user has its own connection, and hears of it by that.
    if (request.applicationId !== party.applicationId || !this.#ledger.open(party, request)) return
    const activity = this.#parts.joinable(party) ?? activityOf(request)
    this.#tell('ACTIVITY_JOIN_REQUEST', party, {
      user: request.author,
      activity,
      type: 5,
      channel_id: request.channelId,
      message_id: request.messageId,
    })
  }

  #invited(open: OpenInvite): void {
    if (!this.#ledger.invited(open)) return
    const { party, invite } = open
    // Several games of one user see the same invite; the one that it is about takes it, if it runs.
    const isOthers = invite.applicationId !== party.applicationId && this.#parts.isRunning(invite.applicationId)
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
    this.#tell('ACTIVITY_INVITE', party, inviteData(invite), { messageId: invite.messageId })
  }

  #join(party: Party, secret: Secret<string>): void {
    const { applicationId } = party
    const data = { secret: secret.reveal(), intent: PLAY, applicationId }
    const isTold = this.#tell('ACTIVITY_JOIN', party, data, { keepMs: LIMITS.heldJoinMs.value })
    if (!isTold && !this.#parts.isRunning(applicationId)) void this.#parts.launch(applicationId)
  }

  /** False when nobody listens: then it is kept for who comes in time. */
  #tell(name: HeldEvent['name'], { applicationId, userId }: Party, data: object, { keepMs = OPEN_MS, messageId }: Keeping = {}): boolean {
    const until = this.#parts.clock.now() + keepMs
    const event = { name, applicationId, userId, data: new Secret(data), until, ...(messageId === undefined ? {} : { messageId }) }
    if (this.#deliver(event)) return true
    this.#held.hold(event)
    return false
  }

  /** What is no news any more is as good as delivered. */
  #deliver({ name, applicationId, userId, data, messageId }: HeldEvent): boolean {
    if (messageId !== undefined && this.#ledger.isTaken(userId, messageId)) return true
    const isFor = (caller: Caller): boolean => caller.applicationId === applicationId && caller.signedIn?.userId === userId
    return this.#parts.tell({ name, args: {}, data: data.reveal(), isFor, key: undefined }) > 0
  }

  #handOver(): void {
    if (!this.#held.isEmpty) this.#held.handOver((event) => this.#deliver(event))
  }
}

const activityOf = ({ applicationId, applicationName, partyId }: ActivityMessage): Partial<Activity> => ({
  application_id: applicationId,
  ...(applicationName === undefined ? {} : { name: applicationName }),
  ...(partyId === undefined ? {} : { party: { id: partyId } }),
})

const inviteData = (invite: ActivityMessage): object => ({
  type: 1,
  user: invite.author,
  activity: activityOf(invite),
  channel_id: invite.channelId,
  message_id: invite.messageId,
  application_id: invite.applicationId,
  ...(invite.sessionId === undefined ? {} : { session_id: invite.sessionId }),
  ...(invite.partyId === undefined ? {} : { party_id: invite.partyId }),
  ...(invite.parentApplicationId === undefined ? {} : { parent_application_id: invite.parentApplicationId }),
})

const offerOf = ({ author, sessionId, applicationId, channelId, messageId }: ActivityMessage): Offer | undefined =>
  sessionId === undefined ? undefined : { userId: author.id, sessionId, applicationId, channelId, messageId }
