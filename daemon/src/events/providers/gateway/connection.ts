/** The connection of one party: opened with the intents that are wanted, opened anew when more are, and without privileged ones where they are refused. */
import { GATEWAY_CLOSE_CODES, LIMITS, PRIVILEGED_INTENTS, type PrivilegedIntentRow } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import { GuildCache, type GuildNews } from './cache/guild-cache.ts'
import { People } from './cache/people.ts'
import type { GatewayDispatch, GatewayLink, GatewayLinkOptions, GatewayParty, GatewayState } from '../../../platform/gateway/gateway.ts'
import { fieldsOf, textOf } from '../../../platform/gateway/reading.ts'
import { Waiters } from './waiters.ts'

export interface ConnectionParts {
  readonly clock: Clock
  readonly log: Logger
  readonly token: () => Promise<Secret<string>>
  readonly url: () => Promise<string>
  /** Flags of the application, asked where a privileged intent is wanted. */
  readonly flags: () => Promise<number>
  readonly capabilities: number
  readonly compress: GatewayLinkOptions['compress']
  readonly openLink: (options: GatewayLinkOptions) => Promise<GatewayLink>
  /** What is shown; undefined: nothing. */
  readonly presence: () => object | undefined
  /** `guild`: what the dispatch changed in the cache, which has taken it in already. */
  readonly onDispatch: (dispatch: GatewayDispatch, guild: GuildNews | undefined) => void
  /** The state is another one. */
  readonly onState: () => void
}

const PRIVILEGED: readonly PrivilegedIntentRow[] = Object.values(PRIVILEGED_INTENTS)
const ALL_PRIVILEGED = PRIVILEGED.reduce((sum, { intent }) => sum | intent, 0)

const NEVER_OPENED: GatewayState = { name: 'connecting' }

export class PartyConnection {
  readonly party: GatewayParty
  readonly guilds = new GuildCache()
  readonly people = new People()
  readonly #parts: ConnectionParts
  #link: GatewayLink | undefined
  #state: GatewayState = NEVER_OPENED
  /** Intents of the link, refused ones left out. */
  #intents = 0
  /** What was wanted when it was opened. */
  #wanted: number | undefined
  /** Privileged intents that are wanted and that the application was found not to have. */
  #refused = 0
  /** Those that the gateway itself refused. */
  #denied = 0
  /** Counts the links that were opened, so that a late one is known. */
  #openings = 0
  #sessionId: string | undefined
  /** How often the gateway has said what there is. */
  #beginnings = 0
  /** It took too long once before the gateway said what there is. */
  #isLate = false
  /** Since when it is not live, in ms since the epoch; undefined while it is. */
  #outSince: number | undefined
  readonly #waiters = new Waiters()
  #cancelEnd: (() => void) | undefined
  #isStopped = false

  constructor(party: GatewayParty, parts: ConnectionParts) {
    this.party = party
    this.#parts = parts
    this.#outSince = parts.clock.now()
  }

  get state(): GatewayState {
    return this.#state
  }

  /** Intents that it has. */
  get intents(): number {
    return this.#intents
  }

  /** Payloads of it that mean nothing here. */
  get ignored(): number {
    return this.#link?.ignored ?? 0
  }

  /** Whether the gateway has said more than once what there is: what happened in between is not known. */
  get isBegunAnew(): boolean {
    return this.#beginnings > 1
  }

  /** Whether it tells how guilds stand, or will at any moment. After a break nothing is missing yet for a while. */
  get tellsGuilds(): boolean {
    if (!this.isUsable) return false
    if (this.#beginnings === 0) return !this.#isLate
    return this.guilds.guildCount > 0 && !this.isOut(LIMITS.gatewayOutageMs.value)
  }

  /** Whether it is not live, and has not been for so long. */
  isOut(ms: number): boolean {
    if (this.#outSince === undefined) return false
    const now = this.#parts.clock.now()
    // Where the clock was set back the time begins anew.
    this.#outSince = Math.min(this.#outSince, now)
    return now - this.#outSince >= ms
  }

  /** The session that shows what the party shows; undefined while there is none. */
  get sessionId(): string | undefined {
    return this.#state.name === 'live' ? this.#sessionId : undefined
  }

  /** False when it does not try any more. */
  get isUsable(): boolean {
    return !this.#isStopped && this.#state.name !== 'ended'
  }

  /** What a person should know of it: why it is not live, or what it is live without. */
  get problem(): string | undefined {
    if (this.#state.reason !== undefined) return this.#state.reason
    const missing = (this.#wanted ?? 0) & this.#refused
    const names = Object.entries(PRIVILEGED_INTENTS).flatMap(([name, { intent }]) => ((missing & intent) === 0 ? [] : [name]))
    return names.length === 0
      ? undefined
      : `The application does not have the privileged intents ${names.join(', ')}, so what needs them is not told; allow them in the platform's developer portal.`
  }

  /** Nobody wants it; it is kept for a while. */
  get isEnding(): boolean {
    return this.#cancelEnd !== undefined
  }

  /** Whether it is wanted already, with these intents at least. */
  serves(intents: number): boolean {
    return !this.isEnding && (intents & ~(this.#wanted ?? 0)) === 0
  }

  /** It is wanted with these intents; opens it, or opens it anew when it lacks some. */
  want(intents: number): void {
    this.#cancelEnd?.()
    this.#cancelEnd = undefined
    const wanted = intents | (this.#wanted ?? 0)
    if (wanted === this.#wanted || this.#isStopped) return
    const isEnough = this.#wanted !== undefined && (wanted & ~(this.#intents | this.#refused)) === 0
    this.#wanted = wanted
    if (!isEnough) void this.#open()
  }

  /** Tries again what had ended. */
  retry(): void {
    if (this.#isStopped || this.#state.name !== 'ended') return
    this.#denied = 0
    void this.#open()
  }

  /** Nobody wants it: ends a while later, unless somebody does by then. */
  endLater(end: () => void): void {
    this.#cancelEnd ??= this.#parts.clock.after(LIMITS.gatewayIdleMs.value, end)
  }

  /** Resolves when it is live. Rejects with SERVICE_UNAVAILABLE when it has ended, with TRANSACTION_ABORTED when nobody waits any more. */
  async live(stop: CancelSignal): Promise<void> {
    await this.#waiters.reached(() => this.#state.name === 'live' || !this.isUsable, stop)
    if (!this.isUsable) throw new BridgeError('SERVICE_UNAVAILABLE', this.problem ?? 'The connection to the gateway has ended.')
  }

  /** Resolves when it is known what there is, or that this cannot be known soon: after `mostMs` nobody waits for it any more. */
  async known(mostMs: number): Promise<void> {
    const isThere = (): boolean => this.#beginnings > 0 || this.#isLate || !this.isUsable
    if (isThere()) return
    const cancel = this.#parts.clock.after(mostMs, () => this.#tooLate())
    await this.#waiters.reached(isThere)
    cancel()
  }

  /** As GatewayLink.send. */
  async send(op: number, d: unknown): Promise<void> {
    if (this.#link === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', 'The connection to the gateway is not there yet; try again.')
    await this.#link.send(op, d)
  }

  /** For good. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#openings++
    this.#cancelEnd?.()
    const link = this.#link
    this.#link = undefined
    this.#waiters.look()
    await link?.stop()
  }

  /** Never rejects. */
  async #open(): Promise<void> {
    const opening = ++this.#openings
    const before = this.#link
    this.#link = undefined
    this.#setState(NEVER_OPENED)
    try {
      await before?.stop()
      const intents = await this.#obtainable(this.#wanted ?? 0)
      if (opening !== this.#openings) return
      this.#intents = intents
      const { token, url, capabilities, compress, presence } = this.#parts
      const link = await this.#parts.openLink({
        token,
        url,
        intents,
        capabilities,
        compress,
        presence,
        onDispatch: (dispatch) => {
          if (opening === this.#openings) this.#take(dispatch)
        },
        onState: (state) => {
          if (opening === this.#openings) this.#stateChanged(state)
        },
      })
      // Another one was opened, or none is wanted any more.
      if (opening !== this.#openings) return
      this.#link = link
      link.start()
    } catch (failure) {
      this.#parts.log.error('gateway-not-opened', { err: failure })
      if (opening === this.#openings)
        this.#setState({ name: 'ended', reason: 'The gateway connection could not be opened; the log says why.' })
    }
  }

  /** What of the intents the application has. Where that cannot be learned now, the gateway will say. */
  async #obtainable(wanted: number): Promise<number> {
    this.#refused = wanted & this.#denied
    if ((wanted & ALL_PRIVILEGED & ~this.#denied) === 0) return wanted & ~this.#refused
    try {
      const flags = await this.#parts.flags()
      for (const { intent, approvedFlag, limitedFlag } of PRIVILEGED)
        if ((flags & (approvedFlag | limitedFlag)) === 0) this.#refused |= wanted & intent
    } catch (failure) {
      if (!(failure instanceof BridgeError)) throw failure
    }
    return wanted & ~this.#refused
  }

  #take(dispatch: GatewayDispatch): void {
    // What was left while there was no session nobody tells any more.
    if (dispatch.t === 'READY')
      for (const id of this.guilds.missingIn(dispatch.d)) this.#take({ t: 'GUILD_DELETE', s: dispatch.s, d: { id } })
    this.people.take(dispatch.t, dispatch.d)
    const guild = this.guilds.take(dispatch.t, dispatch.d)
    if (dispatch.t === 'READY') {
      this.#beginnings++
      this.#sessionId = textOf(fieldsOf(dispatch.d)['session_id'])
    }
    this.#parts.onDispatch(dispatch, guild)
    this.#waiters.look()
  }

  #stateChanged(state: GatewayState): void {
    const isRefused = state.closeCode === GATEWAY_CLOSE_CODES.DISALLOWED_INTENTS.code && (this.#intents & ALL_PRIVILEGED) !== 0
    if (!isRefused) return this.#setState(state)
    this.#denied = ALL_PRIVILEGED
    void this.#open()
  }

  #tooLate(): void {
    this.#isLate = true
    this.#parts.onState()
    this.#waiters.look()
  }

  #setState(state: GatewayState): void {
    if (state.name === 'waiting') this.#isLate = true
    if (state.name === 'live') this.#outSince = undefined
    else this.#outSince ??= this.#parts.clock.now()
    this.#state = state
    this.#parts.onState()
    this.#waiters.look()
  }
}
