/**
 * The gateway connection of one identity. It reopens when more intents are required, or when the application got or lost a required privileged
 * one, and omits privileged intents that the platform refuses.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { GATEWAY_CLOSE_CODES, PRIVILEGED_INTENTS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import { GuildCache, type GuildChange } from './cache/guild-cache.ts'
import { UserCache } from './cache/user-cache.ts'
import type {
  GatewayDispatch,
  GatewayConnection,
  GatewayConnectionOptions,
  GatewayIdentity,
  GatewayState,
} from '../../../platform/gateway/gateway.ts'
import { fieldsOf, textOf } from '@sallyport/core/json-read'
import { ConditionWaiters } from './condition-waiters.ts'
import { identityKey } from './demand.ts'
import { INTENTS_CHECK_MS, PrivilegedIntents, privilegedPart } from './privileged-intents.ts'

interface ManagedConnectionDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly token: () => Promise<Secret<string>>
  readonly url: () => Promise<string>
  /** Flags of the application; read when a privileged intent is required. */
  readonly flags: () => Promise<number>
  readonly capabilities: number
  readonly compress: GatewayConnectionOptions['compress']
  readonly openConnection: (options: GatewayConnectionOptions) => Promise<GatewayConnection>
  /** The presence; undefined: none. */
  readonly presence: () => object | undefined
  readonly handler: ConnectionHandler
}

export interface ConnectionHandler {
  /** `guild`: what the dispatch changed in the guild cache. */
  onDispatch(connection: ManagedConnection, dispatch: GatewayDispatch, guild: GuildChange | undefined): void
  /** The state changed. */
  onState(connection: ManagedConnection): void
}

/** The guilds of a new gateway session arrive one by one. */
const GUILDS_TIMEOUT_MS = 3000

const NEVER_OPENED: GatewayState = { name: 'connecting' }

export class ManagedConnection {
  readonly identity: GatewayIdentity
  /** Of the identity. One string, because what is published is remembered with it. */
  readonly key: string
  readonly guilds = new GuildCache()
  readonly users: UserCache
  readonly #deps: ManagedConnectionDeps
  #connection: GatewayConnection | undefined
  #state: GatewayState = NEVER_OPENED
  /** Intents of the open connection, without the missing ones. */
  #intents = 0
  /** The required intents, also those that are missing. */
  #requiredIntents: number | undefined
  readonly #privileged: PrivilegedIntents
  /** While a required privileged intent is missing. */
  #cancelCheck: (() => void) | undefined
  /** Number of opened connections, so that callbacks of an older one are ignored. */
  #generation = 0
  #sessionId: string | undefined
  #hasLoggedLeftOut = false
  /** Number of READY dispatches. */
  #readyCount = 0
  /** READY did not come in time. */
  #loadTimedOut = false
  /** Since when it is not live, in ms since the epoch; undefined while it is live. */
  #offlineSince: number | undefined
  readonly #waiters = new ConditionWaiters()
  #cancelClose: (() => void) | undefined
  #isStopped = false

  constructor(identity: GatewayIdentity, deps: ManagedConnectionDeps) {
    this.identity = identity
    this.key = identityKey(identity)
    this.users = new UserCache(identity.applicationId)
    this.#deps = deps
    this.#privileged = new PrivilegedIntents(deps)
    this.#offlineSince = deps.clock.now()
  }

  get state(): GatewayState {
    return this.#state
  }

  /** The intents it was opened with. */
  get intents(): number {
    return this.#intents
  }

  /** Number of unknown payloads. */
  get ignored(): number {
    return this.#connection?.ignored ?? 0
  }

  /** Whether a new gateway session replaced an earlier one, so that events in between are lost. */
  get wasRestarted(): boolean {
    return this.#readyCount > 1
  }

  /** Whether its guild cache is current, or will be soon. A short outage does not count. */
  get hasGuilds(): boolean {
    if (!this.isUsable) return false
    if (this.#readyCount === 0) return !this.#loadTimedOut
    return this.guilds.guildCount > 0 && !this.isOfflineFor(BUDGETS.gatewayOutageMs.value)
  }

  /** Whether it has not been live for `ms`. */
  isOfflineFor(ms: number): boolean {
    if (this.#offlineSince === undefined) return false
    const now = this.#deps.clock.now()
    // Restarts the measurement when the clock was set back.
    this.#offlineSince = Math.min(this.#offlineSince, now)
    return now - this.#offlineSince >= ms
  }

  /** The gateway session, which carries the presence; undefined while there is none. */
  get sessionId(): string | undefined {
    return this.#state.name === 'live' ? this.#sessionId : undefined
  }

  /** False when it does not reconnect any more. */
  get isUsable(): boolean {
    return !this.#isStopped && this.#state.name !== 'ended'
  }

  /** For the user: why it is not live, or which intents are missing. */
  get problem(): string | undefined {
    if (this.#state.reason !== undefined) return this.#state.reason
    const missing = this.#missingIntents
    const names = Object.entries(PRIVILEGED_INTENTS).flatMap(([name, { intent }]) => ((missing & intent) === 0 ? [] : [name]))
    return names.length === 0
      ? undefined
      : `The application does not have the privileged intents ${names.join(', ')}, so events that need them do not come; enable them in the platform's developer portal.`
  }

  /** Nothing requires it; it closes after a while. */
  get isIdle(): boolean {
    return this.#cancelClose !== undefined
  }

  /** Whether these intents are required already. */
  satisfies(intents: number): boolean {
    return !this.isIdle && (intents & ~(this.#requiredIntents ?? 0)) === 0
  }

  /** Adds required intents; opens the connection, or reopens it when it lacks some. */
  require(intents: number): void {
    this.#cancelClose?.()
    this.#cancelClose = undefined
    const before = this.#requiredIntents
    const required = intents | (before ?? 0)
    if (this.#isStopped) return
    this.#requiredIntents = required
    if (before === undefined || (required & ~(this.#intents | this.#missingIntents)) !== 0) void this.#open()
    else this.#scheduleCheck()
  }

  /** Notices privileged intents that the application got or lost in the developer portal; reads its flags at most once a minute. Never rejects. */
  async checkIntents(): Promise<void> {
    const generation = this.#generation
    try {
      await this.#privileged.update()
    } catch (failure) {
      this.#deps.log.error('gateway-flags-not-read', { err: failure })
    }
    if (generation !== this.#generation || !this.isUsable || this.#connection === undefined) return
    const available = (this.#requiredIntents ?? 0) & ~this.#missingIntents
    if (available === this.#intents) this.#scheduleCheck()
    else await this.#open()
  }

  /** Reopens a connection that had ended. */
  retry(): void {
    if (this.#isStopped || this.#state.name !== 'ended') return
    this.#privileged.forgetRefusal()
    void this.#open()
  }

  /** Calls `end` after the idle time unless `require` is called before. */
  scheduleClose(end: () => void): void {
    this.#stopChecks()
    this.#cancelClose ??= this.#deps.clock.after(BUDGETS.gatewayIdleMs.value, end)
  }

  /** Resolves when it is live. Rejects with SERVICE_UNAVAILABLE when it has ended, with TRANSACTION_ABORTED when `stop` fires. */
  async whenLive(stop: CancelSignal): Promise<void> {
    await this.#waiters.until(() => this.#state.name === 'live' || !this.isUsable, stop)
    if (!this.isUsable) throw new BridgeError('SERVICE_UNAVAILABLE', this.problem ?? 'The connection to the gateway has ended.')
  }

  /** Resolves when it is live, failed, or has not been live for `timeoutMs`. Undefined: one of these holds already. */
  whenOpened(timeoutMs: number): Promise<void> | undefined {
    const isDone = (): boolean => this.#state.name !== 'connecting' || !this.isUsable || this.isOfflineFor(timeoutMs)
    if (isDone()) return undefined
    const cancel = this.#deps.clock.after(timeoutMs, () => this.#waiters.notify())
    return this.#waiters.until(isDone).finally(cancel)
  }

  /** Resolves when READY has come, cannot come, or did not come within `timeoutMs`. */
  async whenLoaded(timeoutMs: number): Promise<void> {
    const isDone = (): boolean => this.#readyCount > 0 || this.#loadTimedOut || !this.isUsable
    if (isDone()) return
    const cancel = this.#deps.clock.after(timeoutMs, () => this.#onLoadTimeout())
    await this.#waiters.until(isDone)
    cancel()
  }

  /** Resolves when `isFound`, or when all guilds of READY are available; after some seconds in any case, because a guild can be unavailable for long. */
  async whenGuilds(isFound: () => boolean, stop: CancelSignal): Promise<void> {
    let isLate = false
    const cancel = this.#deps.clock.after(GUILDS_TIMEOUT_MS, () => {
      isLate = true
      this.#waiters.notify()
    })
    try {
      await this.#waiters.until(() => isFound() || this.guilds.isLoaded || isLate || !this.isUsable, stop)
    } finally {
      cancel()
    }
  }

  /** As GatewayConnection.send. */
  async send(op: number, d: unknown): Promise<void> {
    if (this.#connection === undefined)
      throw new BridgeError('SERVICE_UNAVAILABLE', 'The connection to the gateway is not open yet; try again.')
    await this.#connection.send(op, d)
  }

  /** Permanently. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#generation++
    this.#cancelClose?.()
    this.#stopChecks()
    const connection = this.#connection
    this.#connection = undefined
    this.#waiters.notify()
    await connection?.stop()
  }

  /** Never rejects. */
  async #open(): Promise<void> {
    const generation = ++this.#generation
    const before = this.#connection
    this.#connection = undefined
    this.#setState(NEVER_OPENED)
    try {
      await before?.stop()
      const intents = await this.#availableIntents()
      if (generation !== this.#generation) return
      this.#intents = intents
      this.#scheduleCheck()
      const { token, url, capabilities, compress, presence } = this.#deps
      const connection = await this.#deps.openConnection({
        token,
        url,
        intents,
        capabilities,
        compress,
        presence,
        onDispatch: (dispatch) => {
          if (generation === this.#generation) this.#handleDispatch(dispatch)
        },
        onState: (state) => {
          if (generation === this.#generation) this.#onState(state)
        },
        takerOf: (t, key) => this.users.takerOf(t, key),
      })
      // Another one was opened, or this object was stopped.
      if (generation !== this.#generation) return
      this.#connection = connection
      connection.start()
    } catch (failure) {
      this.#deps.log.error('gateway-not-opened', { err: failure })
      if (generation === this.#generation)
        this.#setState({ name: 'ended', reason: 'The gateway connection could not be opened; see the log.' })
    }
  }

  get #missingIntents(): number {
    return this.#privileged.missingOf(this.#requiredIntents ?? 0)
  }

  /** The required intents without the missing ones. If the flags cannot be read, the gateway decides. */
  async #availableIntents(): Promise<number> {
    if (privilegedPart(this.#requiredIntents ?? 0) !== 0) await this.#privileged.update()
    return (this.#requiredIntents ?? 0) & ~this.#missingIntents
  }

  /** Checks once a minute while something waits for a missing intent. */
  #scheduleCheck(): void {
    if (this.#missingIntents === 0 || this.isIdle || !this.isUsable) return this.#stopChecks()
    this.#cancelCheck ??= this.#deps.clock.after(INTENTS_CHECK_MS, () => {
      this.#cancelCheck = undefined
      void this.checkIntents()
    })
  }

  #stopChecks(): void {
    this.#cancelCheck?.()
    this.#cancelCheck = undefined
  }

  #handleDispatch(dispatch: GatewayDispatch): void {
    // No dispatch reports guilds that the user left while there was no session.
    if (dispatch.t === 'READY')
      for (const id of this.guilds.missingIn(dispatch.d)) this.#handleDispatch({ t: 'GUILD_DELETE', s: dispatch.s, d: { id } })
    this.users.update(dispatch.t, dispatch.d)
    const guild = this.guilds.update(dispatch.t, dispatch.d)
    if (dispatch.t === 'READY') {
      this.#readyCount++
      this.#sessionId = textOf(fieldsOf(dispatch.d)['session_id'])
      this.#logLeftOut()
    }
    this.#deps.handler.onDispatch(this, dispatch, guild)
    this.#waiters.notify()
  }

  /** Once, because each new gateway session would repeat it. */
  #logLeftOut(): void {
    const { relationshipsLeftOut: leftOut } = this.users
    if (leftOut === 0 || this.#hasLoggedLeftOut) return
    this.#hasLoggedLeftOut = true
    this.#deps.log.warn('relationships-left-out', { kept: BUDGETS.gatewayCachedUsers.value, leftOut })
  }

  #onState(state: GatewayState): void {
    const areIntentsRefused = state.closeCode === GATEWAY_CLOSE_CODES.DISALLOWED_INTENTS.code && privilegedPart(this.#intents) !== 0
    if (!areIntentsRefused) return this.#setState(state)
    this.#privileged.refuse(this.#intents)
    void this.#open()
  }

  #onLoadTimeout(): void {
    this.#loadTimedOut = true
    this.#deps.handler.onState(this)
    this.#waiters.notify()
  }

  #setState(state: GatewayState): void {
    if (state.name === 'waiting') this.#loadTimedOut = true
    if (state.name === 'live') this.#offlineSince = undefined
    else this.#offlineSince ??= this.#deps.clock.now()
    this.#state = state
    this.#deps.handler.onState(this)
    this.#waiters.notify()
  }
}
