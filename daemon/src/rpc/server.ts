/** Connections to callers, callers to the router. Everything between a link and an answer meets here, and nothing of HTTP. */
import { CLOSE_CODES, LIMITS, type RpcUser, sdkSupport, sdkWindow } from '@sallyport/protocol'
import { CONTRACT_VERSION, type EncodingName, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Accounting } from '../accounting/accounting.ts'
import { type ConnectionAccount, TOO_MANY_CONNECTIONS } from '../accounting/connections.ts'
import type { Account } from '../sessions/local-user.ts'
import type { Codec } from '../ipc/codec/codec.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { shownPath } from '@sallyport/core/shown'
import { type Defer, TurnEnd } from '@sallyport/core/turn-end'
import { Session } from '../sessions/session.ts'
import { noteSession } from '../sessions/grant-use.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Router } from './router.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { programOf } from '../identity/program.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Envelope } from '../ipc/connection/envelope.ts'
import type { Greeting } from '../ipc/connection/handshake.ts'
import { Connection, type ConnectionHandler } from '../ipc/connection/connection.ts'
import type { SubscriptionHub } from '../events/hub.ts'
import type { ByteChannel, ChannelReceiver } from '../ipc/transport/transport.ts'

export interface BridgeParts {
  readonly clock: Clock
  readonly defer: Defer
  readonly log: Logger
  readonly codecs: Readonly<Record<EncodingName, Codec>>
  readonly router: Router
  readonly registry: SessionRegistry
  readonly hub: SubscriptionHub<Session>
  readonly presence: PresenceArbiter
  readonly account: Account
  /** What each program holds of what all share. */
  readonly accounting: Pick<Accounting, 'connect'>
  /** Where it is noted that sessions were there. */
  readonly grants: Pick<Grants, 'used'>
  /** What READY says of the platform. */
  readonly readyConfig: { readonly cdn_host: string; readonly api_endpoint: string }
  readonly version: string
  /** The system user whose processes are served; undefined where the system has no such notion. */
  readonly uid: number | undefined
}

/** Counted since the start. */
export interface BridgeCounters {
  connections: number
  calls: number
}

const essentials = ({ id, username, discriminator, avatar }: RpcUser): RpcUser => ({ id, username, discriminator, avatar })

export class Bridge implements ConnectionHandler<Session> {
  readonly clock: Clock
  readonly log: Logger
  readonly counters: BridgeCounters = { connections: 0, calls: 0 }
  readonly #parts: BridgeParts
  readonly #sessions = new Set<Connection<Session>>()
  readonly #flushes: TurnEnd<Connection<Session>>
  #readyFrames: { readonly user: RpcUser | undefined; readonly byKind: Map<string, Buffer> } = { user: undefined, byKind: new Map() }

  constructor(parts: BridgeParts) {
    this.#parts = parts
    this.clock = parts.clock
    this.log = parts.log
    this.#flushes = new TurnEnd(parts.defer, (session) => session.flush())
  }

  /** Takes over a new connection. A process of another system user is refused before it hears anything. */
  accept(link: ByteChannel): ChannelReceiver {
    const session = new Connection<Session>(++this.counters.connections, link, this)
    this.#sessions.add(session)
    const { uid } = link.peer
    if (uid !== undefined && uid !== this.#parts.uid)
      session.close(CLOSE_CODES.INVALID_ORIGIN.code, 'This bridge serves another user of the system.')
    else if (session.isRefused) session.close(TOO_MANY_CONNECTIONS.code, TOO_MANY_CONNECTIONS.reason)
    else session.regulate()
    return session
  }

  /** Ends every connection with a word. */
  close(reason: string): void {
    for (const session of [...this.#sessions]) session.close(CLOSE_CODES.CLOSE_NORMAL.code, reason)
  }

  codec(name: EncodingName): Codec {
    return this.#parts.codecs[name]
  }

  account(session: Connection<Session>): ConnectionAccount {
    return this.#parts.accounting.connect(programOf(session.peer), session)
  }

  greet(session: Connection<Session>, greeting: Greeting): { caller: Session; ready: Buffer } {
    const caller = new Session(session, greeting)
    this.#parts.registry.add(caller)
    const { pid, executable, trust, origin } = session.peer
    this.log.info('session-ready', {
      session: session.id,
      application: greeting.applicationId,
      pid,
      executable: executable === undefined ? undefined : shownPath(executable),
      trust,
      origin,
      contract: greeting.contract,
      sdk: greeting.sdkVersion,
    })
    this.#checkSdk(session, greeting)
    return { caller, ready: this.#readyFor(session, greeting) }
  }

  /** An old SDK is served all the same: only whoever reads the log is told that its maker no longer mends it. */
  #checkSdk(session: Connection<Session>, { applicationId, sdkVersion }: Greeting): void {
    const now = this.clock.now()
    if (sdkVersion === undefined || sdkSupport(sdkVersion, now) !== 'ended') return
    this.log.warn('sdk-unsupported', { session: session.id, application: applicationId, sdk: sdkVersion, supported: sdkWindow(now) })
  }

  call(caller: Session, envelope: Envelope): unknown {
    this.counters.calls++
    return this.#parts.router.route(caller, envelope)
  }

  flushSoon(session: Connection<Session>): void {
    this.#flushes.add(session)
  }

  ended(session: Connection<Session>, caller: Session | undefined): void {
    this.#sessions.delete(session)
    if (caller === undefined) return
    // Before it is forgotten who plays there.
    this.#parts.presence.clear(caller.applicationId, session.id)
    this.#parts.registry.remove(caller)
    noteSession(caller, { grants: this.#parts.grants, log: this.log })
    this.#parts.hub.drop(caller)
    caller.abandonCalls()
    this.log.info('session-ended', { session: session.id, application: caller.applicationId })
  }

  /** READY differs by encoding, contract and kind of peer alone, until the account changes; a crowd of handshakes shares the frame. */
  #readyFor(session: Connection<Session>, greeting: Greeting): Buffer {
    const { user } = this.#parts.account
    if (this.#readyFrames.user !== user) this.#readyFrames = { user, byKind: new Map() }
    // A page learns who plays here when that user signs in on it.
    const isLocal = session.peer.trust !== 'origin'
    const kind = `${greeting.encoding} ${greeting.contract !== undefined} ${isLocal}`
    const frame = this.#readyFrames.byKind.get(kind) ?? session.encodeEvent('READY', this.#readyData(greeting, isLocal ? user : undefined))
    this.#readyFrames.byKind.set(kind, frame)
    return frame
  }

  #readyData(greeting: Greeting, user: RpcUser | undefined): object {
    const { readyConfig, version } = this.#parts
    const ready = {
      v: PROTOCOL_VERSION,
      config: { ...readyConfig, environment: 'production' },
      ...(user === undefined ? {} : { user }),
      ...(greeting.contract === undefined ? {} : { contract: CONTRACT_VERSION, bridge: { name: 'sallyport', version } }),
    }
    // Old readers take 1,024 bytes for the first frame: what they all need comes first, the rest only if it fits.
    const envelopeBytes = 64
    const fits = Buffer.byteLength(JSON.stringify(ready)) <= LIMITS.readyBytes.value - envelopeBytes
    return fits || user === undefined ? ready : { ...ready, user: essentials(user) }
  }
}
