/**
 * GUILD_STATUS where there is no gateway: asks for the guilds of a user now and then, while a session of that user wants to know, and tells
 * what is new. One request per account, however many sessions and guilds; it is made in the name of a session, as if its game had called.
 */
import { ENDPOINTS, LIMITS, satisfies, type UserGuild } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Session } from '../../../sessions/session.ts'
import type { DesiredEvent, SubscriptionHub } from '../../hub.ts'
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Source } from '../../source.ts'
import type { GuildStatusData, ToldStatuses } from '../../told-statuses.ts'
import { guildStatus } from './guild-status.ts'

export interface GuildStatusPollParts {
  readonly hub: SubscriptionHub<Session>
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1, to spread requests. */
  readonly random: () => number
  /** Where the platform serves images. */
  readonly imageOrigin: string
  /** The guilds of the user of this session, counts included. Rejects with BridgeError. */
  readonly read: (caller: Session) => Promise<readonly UserGuild[]>
  readonly told: ToldStatuses
  /** Whether another source tells this session how guilds stand. */
  readonly isToldElsewhere: (caller: Session) => boolean
}

/** What is known of one account. */
interface Watch {
  readonly account: string
  /** By guild id; undefined until the platform has answered. */
  statuses: ReadonlyMap<string, GuildStatusData> | undefined
  readAt: number
  failures: number
  /** Why the last reading failed. */
  reason: string
  /** The least time that the platform then asked for. */
  retryAfterMs: number
  reading: Promise<void> | undefined
  cancelTimer: () => void
}

const EVENT = 'GUILD_STATUS'
/** A guild that was not there so short a time ago is not asked for again, so that nobody makes us ask all the time. */
const FRESH_MS = 5000
const SPREAD = 0.2
const SECOND_MS = 1000

const guildOf = ({ args }: DesiredEvent): string => (args as { readonly guild_id: string }).guild_id

export class GuildStatusPoll implements Source {
  readonly name = 'guild-status-poll'
  readonly #parts: GuildStatusPollParts
  readonly #watches = new Map<string, Watch>()
  /** Who listens, and for which account, as of the last look. */
  #accounts: ReadonlyMap<Session, string> = new Map()
  #isRunning = false

  constructor(parts: GuildStatusPollParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    this.#isRunning = true
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    for (const watch of this.#watches.values()) this.#drop(watch)
  }

  apply(): void {
    const before = this.#accounts
    this.#accounts = this.#listeners()
    const wanted = new Set(this.#accounts.values())
    for (const watch of this.#watches.values()) if (!wanted.has(watch.account)) this.#drop(watch)
    for (const account of wanted) if (!this.#watches.has(account)) void this.#read(this.#watch(account))
    for (const [caller, account] of this.#accounts) if (before.get(caller) !== account) this.#tellNewcomer(caller, account)
  }

  welcome(caller: Session, event: DesiredEvent): Promise<void> | undefined {
    const account = event.name === EVENT ? this.#accountOf(caller) : undefined
    if (account === undefined || !this.#isRunning) return undefined
    return this.#admit(this.#watch(account), caller, guildOf(event))
  }

  health(): SourceHealth {
    if (this.#watches.size === 0) return { state: 'idle' }
    const failing = [...this.#watches.values()].find(({ failures }) => failures > 0)
    return failing === undefined ? { state: 'live' } : { state: 'failing', reason: failing.reason }
  }

  /** Rejects with INVALID_GUILD when the user is in no such guild. Where the platform cannot say that now, the wish is kept. */
  async #admit(watch: Watch, caller: Session, guildId: string): Promise<void> {
    const age = this.#parts.clock.now() - watch.readAt
    // A clock that was set back says nothing of the age.
    const isFresh = age >= 0 && age < FRESH_MS
    const isPausing = watch.failures > 0 && watch.reading === undefined
    if (watch.statuses?.has(guildId) !== true && !isFresh && !isPausing) await this.#read(watch)
    if (watch.failures === 0 && watch.statuses?.has(guildId) === false) {
      throw new BridgeError('INVALID_GUILD', `The user is in no guild ${guildId}, or there is none.`, { path: 'guild_id' })
    }
    this.#parts.told.forget(caller, guildId)
    // The answer to SUBSCRIBE comes first.
    setImmediate(() => this.#tellOf(watch, guildId))
  }

  #watch(account: string): Watch {
    const known = this.#watches.get(account)
    if (known !== undefined) return known
    const watch: Watch = {
      account,
      statuses: undefined,
      readAt: Number.NEGATIVE_INFINITY,
      failures: 0,
      reason: '',
      retryAfterMs: 0,
      reading: undefined,
      cancelTimer: () => {},
    }
    this.#watches.set(account, watch)
    return watch
  }

  #drop(watch: Watch): void {
    watch.cancelTimer()
    this.#watches.delete(watch.account)
  }

  /** Whoever may be told of one of these events, and for which account. */
  #listeners(): ReadonlyMap<Session, string> {
    const callers = new Set<Session>()
    for (const { event, subscribers } of this.#parts.hub.wishes())
      if (event.name === EVENT) for (const caller of subscribers) callers.add(caller)
    const accounts = new Map<Session, string>()
    for (const caller of callers) {
      const account = this.#accountOf(caller)
      if (account !== undefined) accounts.set(caller, account)
    }
    return accounts
  }

  /** Never rejects. */
  #read(watch: Watch): Promise<void> {
    watch.cancelTimer()
    watch.reading ??= this.#ask(watch).finally(() => {
      watch.reading = undefined
    })
    return watch.reading
  }

  async #ask(watch: Watch): Promise<void> {
    const { read, imageOrigin, clock } = this.#parts
    for (;;) {
      const asker = this.#askerFor(watch)
      if (asker === undefined) return this.#drop(watch)
      try {
        const guilds = await read(asker)
        watch.statuses = new Map(guilds.map((guild) => [guild.id, guildStatus(guild, imageOrigin)]))
        watch.readAt = clock.now()
        watch.failures = 0
        watch.retryAfterMs = 0
        break
      } catch (failure) {
        // A session that ends takes its calls along; another one of the account may ask.
        if (!asker.channel.isOpen || this.#accountOf(asker) !== watch.account) continue
        this.#failed(watch, failure)
        break
      }
    }
    if (this.#watches.get(watch.account) !== watch) return
    watch.cancelTimer = clock.after(this.#pauseMs(watch), () => void this.#read(watch))
    setImmediate(() => this.#tell(watch))
  }

  /** The most patient session: one that gives its calls no time must not keep the others from hearing. */
  #askerFor({ account }: Watch): Session | undefined {
    if (!this.#isRunning) return undefined
    const askers = [...this.#listeners()].filter(([caller, one]) => one === account && caller.channel.isOpen).map(([caller]) => caller)
    return askers.toSorted((one, other) => other.deadlineMs - one.deadlineMs)[0]
  }

  #failed(watch: Watch, failure: unknown): void {
    watch.failures++
    const isExpected = failure instanceof BridgeError
    watch.reason = isExpected ? failure.message : 'It failed in an unexpected way; the log says how.'
    watch.retryAfterMs = isExpected && typeof failure.detail.retry_after === 'number' ? failure.detail.retry_after * SECOND_MS : 0
    if (!isExpected || watch.failures === 1) this.#parts.log.warn('guild-status-unread', { err: failure })
  }

  #pauseMs({ failures, retryAfterMs }: Watch): number {
    const { guildStatusPollMs, guildStatusPollMaxMs } = LIMITS
    const pauseMs = Math.min(guildStatusPollMs.value * 2 ** failures, guildStatusPollMaxMs.value)
    return Math.max(pauseMs * (1 - SPREAD / 2 + SPREAD * this.#parts.random()), retryAfterMs)
  }

  /** Tells every session of the account what it was not told yet. */
  #tell(watch: Watch): void {
    for (const event of this.#parts.hub.desired()) if (event.name === EVENT) this.#tellOf(watch, guildOf(event))
  }

  /** A session that listened before, and for whom another account, or another source, spoke. */
  #tellNewcomer(caller: Session, account: string): void {
    const watch = this.#watches.get(account)
    if (watch === undefined) return
    for (const event of this.#parts.hub.desiredBy(caller)) if (event.name === EVENT) this.#tellOf(watch, guildOf(event))
  }

  /** Tells every session of the account how one guild stands, where it was not told yet. */
  #tellOf(watch: Watch, guildId: string): void {
    if (this.#watches.get(watch.account) !== watch || watch.statuses === undefined) return
    const { hub, told } = this.#parts
    const event = { name: EVENT, args: { guild_id: guildId } }
    const isOfAccount = (caller: Session): boolean => this.#accountOf(caller) === watch.account
    const status = watch.statuses.get(guildId)
    if (status !== undefined) hub.publish(event, status, (caller) => isOfAccount(caller) && told.isNews(caller, status))
    // Who comes back to a guild is told of it anew.
    else for (const caller of hub.subscribersOf(event)) if (isOfAccount(caller)) told.forget(caller, guildId)
  }

  /** The account whose guilds a session may be told of here; undefined when it may not. */
  #accountOf(caller: Session): string | undefined {
    const { applicationId, signedIn, scopes } = caller
    if (signedIn === undefined || !satisfies(ENDPOINTS.GET_CURRENT_USER_GUILDS.requires, scopes)) return undefined
    return this.#parts.isToldElsewhere(caller) ? undefined : `${applicationId}:${signedIn.userId}`
  }
}
