/** The gateway as a source: connections for whoever wants something that they tell. */
import { GATEWAY_CAPABILITIES, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { DesiredEvent, SubscriptionHub } from '../../hub.ts'
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Source } from '../../source.ts'
import type { Tell } from '../../telling.ts'
import { GatewayAsks } from './asks.ts'
import { Bots } from './bots.ts'
import type { PartyConnection } from './connection.ts'
import type { Conversations } from './conversations.ts'
import { Dispatches } from './dispatches.ts'
import type { GatewayLink, GatewayLinkOptions, GatewayParty } from '../../../platform/gateway/gateway.ts'
import { GUILD_STATUS, guildOf, type GuildStatuses } from './guild-statuses.ts'
import { type BotOf, botParty, keyOf, userParty, wantedOfBot, wantedParties, type WantedParty, type Wish } from './parties.ts'
import type { PlatformSide } from './platform-side.ts'
import { ConnectionPool } from './pool.ts'
import { GATEWAY_WISHES, TOLD_BY } from './tellings/tellings.ts'

export interface GatewaySourceParts {
  readonly hub: Pick<SubscriptionHub<Session>, 'wishes'>
  readonly clock: Clock
  readonly log: Logger
  readonly tell: Tell
  readonly sessions: () => readonly Session[]
  readonly platform: PlatformSide
  readonly statuses: GuildStatuses
  readonly conversations: Conversations
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly compress: GatewayLinkOptions['compress']
  /** Channels out of sight come obfuscated instead of not at all. */
  readonly isObfuscated: boolean
  readonly openLink: (options: GatewayLinkOptions, party: string) => Promise<GatewayLink>
  /** What a party shows; undefined: nothing. */
  readonly presenceOf: (party: GatewayParty) => object | undefined
  /** A connection begins to tell, or cannot be used any more: what it shows is to be looked at. */
  readonly onConnection: (party: GatewayParty) => void
  /** Who tells how guilds stand where no connection of the user's own does. */
  readonly otherwise: Required<Pick<Source, 'welcome'>> & { readonly reconsider: () => void }
}

/** The longest that the gateway is waited for when a game wants to hear how a guild stands; after that others are asked. */
const WELCOME_MS = 1000

export class GatewaySource implements Source {
  readonly name = 'gateway'
  readonly asks: GatewayAsks
  readonly #parts: GatewaySourceParts
  readonly #bots: Bots
  readonly #pool: ConnectionPool
  readonly #dispatches: Dispatches
  /** What is wanted besides events. */
  readonly #holds = new Set<WantedParty>()
  /** The account that each session was signed in to last. */
  readonly #accountOf = new WeakMap<Session, string>()
  /** Sessions whose user or scopes are others since the last look: what they subscribed for before may be theirs to hear now. */
  readonly #newcomers = new Set<Session>()
  #isRunning = false
  #isReconcilingSoon = false

  constructor(parts: GatewaySourceParts) {
    const { clock, log, platform, compress, openLink, presenceOf, onConnection } = parts
    this.#parts = parts
    this.asks = new GatewayAsks(clock)
    this.#bots = new Bots({ clock, hasBot: (applicationId) => platform.hasBot(applicationId), onFound: () => this.#reconcileSoon() })
    this.#dispatches = new Dispatches({
      ...parts,
      asks: this.asks,
      botOf: this.#botOf,
      onBegun: onConnection,
      onReach: () => this.#reconcileSoon(),
    })
    this.#pool = new ConnectionPool({
      clock,
      log,
      platform,
      compress,
      openLink,
      presenceOf,
      capabilities: parts.isObfuscated ? GATEWAY_CAPABILITIES.CHANNEL_OBFUSCATION : 0,
      onDispatch: (connection, dispatch, guild) => this.#dispatches.take(connection, dispatch, guild),
      onState: (connection) => {
        if (!connection.isUsable) {
          this.asks.lost(connection)
          onConnection(connection.party)
        }
        this.#reconcileSoon()
      },
      onRoom: () => this.#reconcileSoon(),
      onEnd: (connection) => this.asks.lost(connection),
    })
  }

  async start(): Promise<void> {
    this.#isRunning = true
  }

  apply(): void {
    this.#reconcile()
  }

  /** That others wished for it already does not mean that this session has a connection. */
  subscribed(caller: Session, event: DesiredEvent): void {
    if (!this.#isRunning) return
    const wanted = wantedParties([{ caller, event }], this.#botOf, [])
    if (![...wanted].every(([key, one]) => this.#pool.serves(key, one))) this.#reconcileSoon()
  }

  welcome(caller: Session, event: DesiredEvent): Promise<void> | undefined {
    const party = this.#isRunning && event.name === GUILD_STATUS ? userParty(caller) : undefined
    if (party === undefined) return undefined
    const answered = this.#parts.statuses.hold(caller, guildOf(event.args))
    if (this.#pool.of(party) === undefined) this.#reconcile()
    const connection = this.#pool.of(party)
    if (connection !== undefined) return this.#admit(connection, caller, event, answered)
    answered()
    return undefined
  }

  /** Whether a session is told how guilds stand by the connection of its user. */
  tellsGuildsTo(caller: Session): boolean {
    const party = userParty(caller)
    return party !== undefined && this.#pool.of(party)?.tellsGuilds === true
  }

  /** Whether a session hears of this event from here, now or as soon as a connection is there. */
  tells(caller: Session, event: string): boolean {
    const by = TOLD_BY.get(event)
    if (event === GUILD_STATUS) return this.tellsGuildsTo(caller)
    if (by === undefined || caller.signedIn === undefined) return false
    const party = userParty(caller)
    return (by === 'application' && this.#botOf(caller.applicationId) === 'usable') || (party !== undefined && this.canServe(party))
  }

  /** Whether a connection for this user is there, or could be. */
  canServe(party: GatewayParty): boolean {
    return this.#isRunning && this.#pool.of(party)?.isUsable !== false
  }

  /** The session of the platform that shows what a party shows. */
  sessionOf(party: GatewayParty): string | undefined {
    return this.#pool.of(party)?.sessionId
  }

  health(): SourceHealth {
    const all = this.#pool.all()
    const count = all.reduce((sum, connection) => sum + connection.ignored, this.#dispatches.ignored)
    const ignored = count === 0 ? {} : { ignored: count }
    if (all.length === 0) return { state: 'idle', ...ignored }
    const failing = all.find(({ state }) => state.name === 'ended' || (state.name === 'waiting' && state.reason !== undefined))
    const troubled = failing ?? all.find(({ problem }) => problem !== undefined)
    const reason = troubled?.problem === undefined ? {} : { reason: `${described(troubled.party)}: ${troubled.problem}` }
    return { state: failing === undefined ? 'live' : 'failing', ...reason, ...ignored }
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#holds.clear()
    await this.#pool.stop()
  }

  /** A session came or went, or somebody signed in or out on it. For whom nobody is signed in any more, nothing is kept open. */
  sessionChanged(caller: Session): void {
    const { applicationId, signedIn } = caller
    const before = this.#accountOf.get(caller)
    const now = signedIn === undefined ? undefined : keyOf({ kind: 'user', applicationId, userId: signedIn.userId })
    if (now === undefined) this.#accountOf.delete(caller)
    else this.#accountOf.set(caller, now)
    if (now !== undefined) this.#newcomers.add(caller)
    if (before !== undefined && before !== now && !this.#parts.sessions().some((one) => this.#accountOf.get(one) === before))
      void this.#pool.end(before)
    this.#reconcileSoon()
  }

  /** The account is in use here no more. */
  forget(applicationId: string, userId: string): void {
    void this.#pool.end(keyOf({ kind: 'user', applicationId, userId }))
  }

  /** The token of an application's bot was stored or forgotten: what stands on the old one ends. */
  botChanged(applicationId: string): void {
    void this.#pool.end(keyOf(botParty(applicationId)))
    this.#bots.changed(applicationId)
  }

  /** Wants a connection for something else than events; the function that it gives back ends that. */
  hold(wanted: WantedParty): () => void {
    this.#holds.add(wanted)
    this.#reconcile()
    return () => {
      if (this.#holds.delete(wanted)) this.#reconcileSoon()
    }
  }

  /** Sends over the connection of a party, if it is live; whatever comes of it. */
  send(party: GatewayParty, op: number, d: unknown): void {
    const connection = this.#pool.of(party)
    if (connection?.state.name !== 'live') return
    connection.send(op, d).catch((err: unknown) => this.#parts.log.info('gateway-not-sent', { op, err }))
  }

  /** Does something with the live connection of an application's bot. Rejects with INVALID_PERMISSIONS when it has none. */
  async withBot<T>(applicationId: string, intents: number, stop: CancelSignal, work: (bot: PartyConnection) => Promise<T>): Promise<T> {
    if (!(await this.#parts.platform.hasBot(applicationId))) throw noBot(applicationId)
    const release = this.hold(wantedOfBot(applicationId, intents))
    try {
      const bot = this.#pool.of(botParty(applicationId))
      if (bot === undefined)
        throw new BridgeError('SERVICE_UNAVAILABLE', 'The bridge has as many gateway connections as it may have; try again.')
      await bot.live(stop)
      return await work(bot)
    } finally {
      release()
    }
  }

  #reconcileSoon(): void {
    if (this.#isReconcilingSoon) return
    this.#isReconcilingSoon = true
    setImmediate(() => {
      this.#isReconcilingSoon = false
      this.#reconcile()
      this.#parts.otherwise.reconsider()
    })
  }

  #reconcile(): void {
    if (!this.#isRunning) return
    this.#pool.want(wantedParties(this.#wishes(), this.#botOf, this.#holds))
    for (const caller of this.#newcomers) {
      const party = userParty(caller)
      const connection = party === undefined ? undefined : this.#pool.of(party)
      if (connection !== undefined) this.#parts.statuses.tellOne(connection, caller)
    }
    this.#newcomers.clear()
  }

  *#wishes(): Iterable<Wish> {
    for (const { event, subscribers } of this.#parts.hub.wishes())
      if (GATEWAY_WISHES.has(event.name)) for (const caller of subscribers) yield { caller, event }
  }

  readonly #botOf: BotOf = (applicationId) => {
    const hasBot = this.#bots.of(applicationId)
    if (hasBot === undefined) return undefined
    if (!hasBot) return 'none'
    const bot = this.#pool.of(botParty(applicationId))
    // What it missed until then comes when its session goes on, so nobody else may tell it.
    return bot === undefined || (bot.isUsable && !bot.isOut(LIMITS.gatewayResumableMs.value)) ? 'usable' : 'unusable'
  }

  /** Rejects with INVALID_GUILD when the user is in no such guild. Where that cannot be said now, the wish is kept. */
  async #admit(connection: PartyConnection, caller: Session, event: DesiredEvent, answered: () => void): Promise<void> {
    const { statuses, otherwise } = this.#parts
    const guildId = guildOf(event.args)
    try {
      await connection.known(WELCOME_MS)
      if (!this.tellsGuildsTo(caller)) await otherwise.welcome(caller, event)
      // What happened during a break is not known yet.
      else if (connection.state.name === 'live' && connection.guilds.guild(guildId) === undefined)
        throw new BridgeError('INVALID_GUILD', `The user is in no guild ${guildId}, or there is none.`, { path: 'guild_id' })
    } catch (failure) {
      answered()
      throw failure
    }
    // The answer to SUBSCRIBE comes first.
    setImmediate(() => {
      answered()
      statuses.tell(connection, guildId, (one) => one === caller)
    })
  }
}

const described = (party: GatewayParty): string =>
  party.kind === 'bot' ? `The bot of application ${party.applicationId}` : `User ${party.userId} of application ${party.applicationId}`

const noBot = (applicationId: string): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    `Only the bot of application ${applicationId} may do this, and no token of it is known here; whoever runs the bridge stores one with: sallyport login --bot`,
  )
