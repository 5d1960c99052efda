/** The connections that there are: one for each party that is wanted, kept a short while after, so that a game that restarts costs no new session. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { GuildNews } from './cache/guild-cache.ts'
import { PartyConnection } from './connection.ts'
import type { GatewayDispatch, GatewayLink, GatewayLinkOptions, GatewayParty } from '../../../platform/gateway/gateway.ts'
import { type Holder, keyOf, type WantedParty } from './parties.ts'
import type { PlatformSide } from './platform-side.ts'

export interface PoolParts {
  readonly clock: Clock
  readonly log: Logger
  readonly platform: PlatformSide
  readonly capabilities: number
  readonly compress: GatewayLinkOptions['compress']
  readonly openLink: (options: GatewayLinkOptions, party: string) => Promise<GatewayLink>
  /** What a party shows; undefined: nothing. */
  readonly presenceOf: (party: GatewayParty) => object | undefined
  readonly onDispatch: (connection: PartyConnection, dispatch: GatewayDispatch, guild: GuildNews | undefined) => void
  readonly onState: (connection: PartyConnection) => void
  /** There is room again for one that could not be made. */
  readonly onRoom: () => void
  /** It ended for good: nothing that was asked of it will be answered. */
  readonly onEnd: (connection: PartyConnection) => void
}

interface Kept {
  readonly connection: PartyConnection
  holders: readonly Holder[]
  /** Sign-ins with which it was tried: it is tried again for a new one. */
  readonly tried: WeakSet<object>
}

export class ConnectionPool {
  readonly #parts: PoolParts
  readonly #kept = new Map<string, Kept>()
  /** Some that are wanted could not be made. */
  #isShort = false

  constructor(parts: PoolParts) {
    this.#parts = parts
  }

  of(party: GatewayParty): PartyConnection | undefined {
    return this.#kept.get(keyOf(party))?.connection
  }

  all(): readonly PartyConnection[] {
    return [...this.#kept.values()].map(({ connection }) => connection)
  }

  /** Whether all that is wanted of this party is had already. */
  serves(key: string, { intents }: WantedParty): boolean {
    return this.#kept.get(key)?.connection.serves(intents) === true
  }

  /** These are wanted from now on, and no others. */
  want(wanted: ReadonlyMap<string, WantedParty>): void {
    for (const [key, { connection }] of this.#kept) if (!wanted.has(key)) connection.endLater(() => void this.end(key))
    for (const [key, one] of wanted) this.#open(key, one)
  }

  /** At once, and nothing of it is remembered. */
  async end(key: string): Promise<void> {
    const connection = this.#kept.get(key)?.connection
    if (connection === undefined) return
    this.#kept.delete(key)
    if (this.#isShort) this.#parts.onRoom()
    this.#isShort = false
    await connection.stop()
    this.#parts.onEnd(connection)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((key) => this.end(key)))
  }

  #open(key: string, { party, intents, holders }: WantedParty): void {
    const kept = this.#kept.get(key) ?? this.#make(key, party)
    if (kept === undefined) return
    const isNew = holders.some(({ signedIn }) => !kept.tried.has(signedIn))
    if (holders.length > 0) kept.holders = holders
    for (const { signedIn } of holders) kept.tried.add(signedIn)
    if (isNew) kept.connection.retry()
    kept.connection.want(intents)
  }

  /** One that is only kept for a while gives way. */
  #makeRoom(): boolean {
    if (this.#kept.size < LIMITS.gatewayParties.value) return true
    const [idle] = [...this.#kept].find(([, { connection }]) => connection.isEnding) ?? []
    if (idle !== undefined) void this.end(idle)
    return idle !== undefined
  }

  #make(key: string, party: GatewayParty): Kept | undefined {
    const { platform, presenceOf, onDispatch, onState, openLink, ...rest } = this.#parts
    if (!this.#makeRoom()) {
      if (!this.#isShort) this.#parts.log.warn('gateway-connections-full', { application: party.applicationId })
      this.#isShort = true
      return undefined
    }
    const connection: PartyConnection = new PartyConnection(party, {
      ...rest,
      log: this.#parts.log.child({ application: party.applicationId, party: party.kind }),
      token: () => platform.token(party, tokenHolder(kept.holders)),
      url: () => platform.url(party),
      flags: () => platform.flags(party.applicationId),
      presence: () => presenceOf(party),
      openLink: (options) => openLink(options, key),
      onDispatch: (dispatch, guild) => onDispatch(connection, dispatch, guild),
      onState: () => onState(connection),
    })
    const kept: Kept = { connection, holders: [], tried: new WeakSet() }
    this.#kept.set(key, kept)
    return kept
  }
}

/** What the bridge keeps is refreshed; what a game brought is not. */
const tokenHolder = (holders: readonly Holder[]): Holder | undefined => holders.find(({ signedIn }) => signedIn.isManaged) ?? holders.at(-1)
