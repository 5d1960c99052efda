/**
 * GUILD_STATUS without a gateway: reads the guilds of a user at intervals while a session of that user is subscribed, and publishes changes.
 * One request per account, however many sessions and guilds. It is made on behalf of a session, as if its game had called.
 */
import { accountText } from '@sallyport/core/account-key'
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from '@sallyport/core/durations'
import { backoffMs } from '@sallyport/core/backoff'
import { ENDPOINTS, satisfies, type UserGuild } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { ApiClient } from '../../../sessions/api-client.ts'
import type { Session } from '../../../sessions/session.ts'
import type { EventSelector, SubscriptionRegistry } from '../../subscription-registry.ts'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { EventProvider } from '../../provider.ts'
import type { Confirmation, EventRouting, Route } from '../../routing.ts'
import { type GuildStatus, guildStatus } from './guild-status.ts'

interface GuildStatusPollDeps {
  readonly hub: SubscriptionRegistry<Session>
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1, to spread requests. */
  readonly random: () => number
  /** Where the platform serves images. */
  readonly imageOrigin: string
  /** Calls the platform as the game of a session would. */
  readonly api: Pick<ApiClient, 'asSession'>
  readonly routing: EventRouting
}

/** The poll of one account. */
interface AccountPoll {
  readonly account: string
  /** By guild id; undefined until the platform has answered. */
  statuses: ReadonlyMap<string, GuildStatus> | undefined
  readAt: number
  failures: number
  /** Why the last read failed. */
  reason: string
  /** The `retry_after` of the platform. */
  retryAfterMs: number
  reading: Promise<void> | undefined
  cancelTimer: () => void
}

export const POLL_EVENT = 'GUILD_STATUS'
/** A guild list this recent is not read again for an unknown guild, so that a game cannot cause constant requests. */
const FRESH_MS = 5000
const SPREAD = 0.2

const guildIdOf = ({ args }: EventSelector): string => (args as { readonly guild_id: string }).guild_id

export class GuildStatusPoll implements EventProvider {
  readonly name = 'guild-status-poll'
  readonly routes: readonly Route[] = [
    {
      name: 'poll',
      covers: (session) => this.#isRunning && canRead(session),
      confirm: (session, event) => this.#confirm(session, event),
    },
  ]
  readonly #deps: GuildStatusPollDeps
  readonly #polls = new Map<string, AccountPoll>()
  /** The subscribed sessions and their accounts, as of the last `reconcile`. */
  #accounts: ReadonlyMap<Session, string> = new Map()
  #isRunning = false

  constructor(deps: GuildStatusPollDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#isRunning = true
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    for (const poll of this.#polls.values()) this.#end(poll)
  }

  reconcile(): void {
    const before = this.#accounts
    this.#accounts = this.#subscribers()
    const needed = new Set(this.#accounts.values())
    for (const poll of this.#polls.values()) if (!needed.has(poll.account)) this.#end(poll)
    for (const account of needed) if (!this.#polls.has(account)) void this.#read(this.#pollOf(account))
    for (const [session, account] of this.#accounts) if (before.get(session) !== account) this.#publishToNew(session, account)
  }

  health(): ProviderHealth {
    if (this.#polls.size === 0) return { state: 'idle' }
    const failing = [...this.#polls.values()].find(({ failures }) => failures > 0)
    return failing === undefined ? { state: 'active' } : { state: 'failing', reason: failing.reason }
  }

  /** Rejects with INVALID_GUILD when the user is in no such guild. If the platform cannot be read now, the subscription stays. */
  async #confirm(session: Session, event: EventSelector): Promise<Confirmation> {
    const account = this.#accountOf(session)
    if (account === undefined) return 'declined'
    const poll = this.#pollOf(account)
    const guildId = guildIdOf(event)
    const age = this.#deps.clock.now() - poll.readAt
    // The clock may have been set back.
    const isFresh = age >= 0 && age < FRESH_MS
    const isBackingOff = poll.failures > 0 && poll.reading === undefined
    if (poll.statuses?.has(guildId) !== true && !isFresh && !isBackingOff) await this.#read(poll)
    if (poll.failures === 0 && poll.statuses?.has(guildId) === false) {
      throw new BridgeError('INVALID_GUILD', `The user is in no guild ${guildId}, or there is none.`, { path: 'guild_id' })
    }
    this.#publish(poll, guildId)
    return 'confirmed'
  }

  #pollOf(account: string): AccountPoll {
    const known = this.#polls.get(account)
    if (known !== undefined) return known
    const poll: AccountPoll = {
      account,
      statuses: undefined,
      readAt: Number.NEGATIVE_INFINITY,
      failures: 0,
      reason: '',
      retryAfterMs: 0,
      reading: undefined,
      cancelTimer: () => {},
    }
    this.#polls.set(account, poll)
    return poll
  }

  #end(poll: AccountPoll): void {
    poll.cancelTimer()
    this.#polls.delete(poll.account)
  }

  /** The sessions that may receive these events, with their accounts. */
  #subscribers(): ReadonlyMap<Session, string> {
    const sessions = new Set<Session>()
    for (const { event, subscribers } of this.#deps.hub.entries())
      if (event.name === POLL_EVENT) for (const session of subscribers) sessions.add(session)
    const accounts = new Map<Session, string>()
    for (const session of sessions) {
      const account = this.#accountOf(session)
      if (account !== undefined) accounts.set(session, account)
    }
    return accounts
  }

  /** Never rejects. */
  #read(poll: AccountPoll): Promise<void> {
    poll.cancelTimer()
    poll.reading ??= this.#fetch(poll).finally(() => {
      poll.reading = undefined
    })
    return poll.reading
  }

  async #fetch(poll: AccountPoll): Promise<void> {
    const { api, imageOrigin, clock } = this.#deps
    for (;;) {
      const caller = this.#pickSession(poll)
      if (caller === undefined) return this.#end(poll)
      try {
        const guilds = (await api.asSession(caller, ENDPOINTS.GET_CURRENT_USER_GUILDS, { with_counts: true })) as readonly UserGuild[]
        poll.statuses = new Map(guilds.map((guild) => [guild.id, guildStatus(guild, imageOrigin)]))
        poll.readAt = clock.now()
        poll.failures = 0
        poll.retryAfterMs = 0
        break
      } catch (failure) {
        // A session that ends cancels its calls; another session of the account may read.
        if (!caller.connection.isOpen || this.#accountOf(caller) !== poll.account) continue
        this.#recordFailure(poll, failure)
        break
      }
    }
    if (this.#polls.get(poll.account) !== poll) return
    poll.cancelTimer = clock.after(this.#delayMs(poll), () => void this.#read(poll))
    this.#publishAll(poll)
  }

  /** The session with the longest deadline, because a short deadline of one session must not stop the events of the others. */
  #pickSession({ account }: AccountPoll): Session | undefined {
    if (!this.#isRunning) return undefined
    const callers = [...this.#subscribers()]
      .filter(([session, one]) => one === account && session.connection.isOpen)
      .map(([session]) => session)
    return callers.toSorted((one, other) => other.deadlineMs - one.deadlineMs)[0]
  }

  #recordFailure(poll: AccountPoll, failure: unknown): void {
    poll.failures++
    const isExpected = failure instanceof BridgeError
    poll.reason = isExpected ? failure.message : 'It failed unexpectedly; see the log.'
    poll.retryAfterMs = isExpected && typeof failure.detail.retry_after === 'number' ? failure.detail.retry_after * SECOND_MS : 0
    if (!isExpected || poll.failures === 1) this.#deps.log.warn('guild-status-not-read', { err: failure })
  }

  #delayMs({ failures, retryAfterMs }: AccountPoll): number {
    const delayMs = backoffMs(failures + 1, { firstMs: BUDGETS.guildStatusPollMs.value, maxMs: BUDGETS.guildStatusPollMaxMs.value })
    return Math.max(delayMs * (1 - SPREAD / 2 + SPREAD * this.#deps.random()), retryAfterMs)
  }

  /** Publishes every subscribed guild to the sessions of the account. */
  #publishAll(poll: AccountPoll): void {
    for (const event of this.#deps.hub.selectors()) if (event.name === POLL_EVENT) this.#publish(poll, guildIdOf(event))
  }

  /** For a subscribed session whose account or provider changed. */
  #publishToNew(session: Session, account: string): void {
    const poll = this.#polls.get(account)
    if (poll === undefined) return
    for (const event of this.#deps.hub.selectorsOf(session)) if (event.name === POLL_EVENT) this.#publish(poll, guildIdOf(event))
  }

  /** Publishes one guild to the sessions of the account. */
  #publish(poll: AccountPoll, guildId: string): void {
    if (this.#polls.get(poll.account) !== poll || poll.statuses === undefined) return
    const { hub } = this.#deps
    const event = { name: POLL_EVENT, args: { guild_id: guildId } }
    const isOfAccount = (session: Session): boolean => this.#accountOf(session) === poll.account
    const status = poll.statuses.get(guildId)
    if (status !== undefined) hub.publish(event, status, isOfAccount)
    // A user who rejoins the guild gets its status again.
    else hub.forget(event, isOfAccount)
  }

  /** The account whose guilds this provider publishes to the session; undefined: none. */
  #accountOf(session: Session): string | undefined {
    const { applicationId, signedIn } = session
    if (signedIn === undefined || !this.#deps.routing.isAssigned('poll', session, POLL_EVENT)) return undefined
    return accountText({ applicationId, userId: signedIn.userId })
  }
}

/** Whether the session may read the guilds of its user. */
const canRead = ({ signedIn, scopes }: Session): boolean =>
  signedIn !== undefined && satisfies(ENDPOINTS.GET_CURRENT_USER_GUILDS.requires, scopes)
