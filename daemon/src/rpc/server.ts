/** Creates a connection for each channel and a session for each handshake, and passes calls to the router. */
import { CLOSE_CODES, LIMITS, type RpcUser, sdkSupport, sdkWindow } from '@sallyport/protocol'
import { CONTRACT_VERSION, type EncodingName, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Accounting } from '../accounting/accounting.ts'
import { type ConnectionUsage, TOO_MANY_CONNECTIONS } from '../accounting/connections.ts'
import type { LocalUser } from '../sessions/local-user.ts'
import type { Codec } from '../ipc/codec/codec.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Quiet } from '@sallyport/core/quiet'
import { toDisplayPath } from '@sallyport/core/display-text'
import { type ScheduleEndOfTurn, EndOfTurnQueue } from '@sallyport/core/end-of-turn-queue'
import { Session } from '../sessions/session.ts'
import { touchGrantOfSession } from '../sessions/grant-use.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { OperatorConnections } from '../operator/connections.ts'
import type { Meter } from '../operator/metrics/meter.ts'
import type { FrameInspector } from './frame-inspector.ts'
import type { CallRecords } from './call-records.ts'
import type { Router } from './router.ts'
import { blockedProgram } from '../auth/grants/blocked.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { programOf } from '../identity/program.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Envelope } from '../ipc/connection/envelope.ts'
import type { Handshake } from '../ipc/connection/handshake.ts'
import type { CallMeter } from '../ipc/connection/call-meter.ts'
import { Connection, type ConnectionHandler, type FrameWatcher } from '../ipc/connection/connection.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import { FrameJoiner } from '../ipc/framing/encoder.ts'
import { FrameStream } from '../ipc/framing/frame-stream.ts'
import type { ByteChannel, ChannelReceiver, FrameChannel, FrameReceiver } from '../ipc/transport/transport.ts'

interface RpcServerDeps {
  readonly clock: Clock
  readonly scheduleEndOfTurn: ScheduleEndOfTurn
  readonly log: Logger
  readonly codecs: Readonly<Record<EncodingName, Codec>>
  readonly router: Router
  readonly inspector: Pick<FrameInspector, 'watcher' | 'endConnection'>
  readonly calls: CallRecords
  readonly operators: Pick<OperatorConnections, 'endConnection'>
  readonly sessions: SessionRegistry
  readonly subscriptions: SubscriptionRegistry<Session>
  readonly presence: PresenceArbiter
  readonly localUser: LocalUser
  /** Limits the shared resources that each program uses. */
  readonly accounting: Pick<Accounting, 'connect'>
  /** Records when a session last used its grant. */
  readonly grants: Pick<Grants, 'touch' | 'wasAllowed' | 'isBlocked'>
  /** The platform fields of READY. */
  readonly readyConfig: { readonly cdn_host: string; readonly api_endpoint: string }
  readonly version: string
  /** Memory is released when it is quiet. */
  readonly quiet: Pick<Quiet, 'start' | 'touch'>
  /** The server alone counts. */
  readonly counters: RpcCounters
  readonly meter: Pick<Meter, 'calls' | 'called' | 'connected' | 'disconnected'>
  /** The system user whose processes are served; undefined on systems without user ids. */
  readonly uid: number | undefined
}

/** Counted since the start. */
export interface RpcCounters {
  connections: number
  calls: number
}

/** So many connections leave memory behind that is worth a collection. */
const CROWD = 100

const essentialFields = ({ id, username, discriminator, avatar }: RpcUser): RpcUser => ({ id, username, discriminator, avatar })

export class RpcServer implements ConnectionHandler<Session> {
  readonly clock: Clock
  readonly log: Logger
  readonly calls: CallRecords
  readonly meter: CallMeter
  readonly #counters: RpcCounters
  readonly #deps: RpcServerDeps
  readonly #connections = new Set<Connection<Session>>()
  /** The most connections since memory was released. */
  #mostConnections = 0
  readonly #flushes: EndOfTurnQueue<Connection<Session>>
  readonly #joiner = new FrameJoiner()
  #readyFrames: { readonly user: RpcUser | undefined; readonly byKind: Map<string, Buffer> } = { user: undefined, byKind: new Map() }

  constructor(deps: RpcServerDeps) {
    this.#deps = deps
    this.clock = deps.clock
    this.log = deps.log
    this.calls = deps.calls
    this.meter = deps.meter.calls
    this.#counters = deps.counters
    this.#flushes = new EndOfTurnQueue(deps.scheduleEndOfTurn, (connection) => connection.flush())
  }

  get frameWatcher(): FrameWatcher<Session> | undefined {
    return this.#deps.inspector.watcher
  }

  /** Opens a connection on a new channel of bytes. */
  openStream(channel: ByteChannel): ChannelReceiver {
    return new FrameStream(channel, this.clock, this.#joiner, (frames) => this.openConnection(frames))
  }

  /** Opens a connection on a new channel. Rejects a process of another system user before it receives anything. */
  openConnection(channel: FrameChannel): FrameReceiver {
    this.#deps.quiet.touch()
    const connection = new Connection<Session>(++this.#counters.connections, channel, this)
    this.#connections.add(connection)
    this.#deps.meter.connected()
    const { uid } = channel.peer
    if (uid !== undefined && uid !== this.#deps.uid)
      connection.close(CLOSE_CODES.INVALID_ORIGIN.code, 'This bridge serves another user of the system.')
    else if (connection.isRefused) connection.close(TOO_MANY_CONNECTIONS.code, TOO_MANY_CONNECTIONS.reason)
    else connection.applyBackpressure()
    this.#releaseIfCrowded()
    return connection
  }

  /** Closes every connection with a reason. */
  close(reason: string): void {
    for (const connection of [...this.#connections]) connection.close(CLOSE_CODES.CLOSE_NORMAL.code, reason)
  }

  codec(name: EncodingName): Codec {
    return this.#deps.codecs[name]
  }

  usage(connection: Connection<Session>): ConnectionUsage {
    return this.#deps.accounting.connect(programOf(connection.peer), connection)
  }

  accept(connection: Connection<Session>, handshake: Handshake): { session: Session; ready: Buffer } {
    const session = new Session(connection, handshake, this.#deps.sessions.signInChanged)
    session.isBlocked = this.#deps.grants.isBlocked(session.program)
    this.#deps.sessions.add(session)
    const { pid, executable, trust, origin } = connection.peer
    this.log.info('session-ready', {
      session: connection.id,
      application: handshake.applicationId,
      pid,
      executable: executable === undefined ? undefined : toDisplayPath(executable),
      trust,
      origin,
      contract: handshake.contract,
      sdk: handshake.sdkVersion,
    })
    this.#checkSdk(connection, handshake)
    this.#deps.subscriptions.traceSent(session, 'READY', () => this.#readyData(handshake, this.#userOfReady(connection)))
    return { session, ready: this.#readyFor(connection, handshake) }
  }

  hasRights({ program, applicationId }: Session): boolean {
    return this.#deps.grants.wasAllowed(program, applicationId)
  }

  /** Serves an unsupported SDK too; only the log warns that its vendor no longer maintains it. */
  #checkSdk(connection: Connection<Session>, { applicationId, sdkVersion }: Handshake): void {
    const now = this.clock.now()
    if (sdkVersion === undefined || sdkSupport(sdkVersion, now) !== 'ended') return
    this.log.warn('sdk-unsupported', { session: connection.id, application: applicationId, sdk: sdkVersion, supported: sdkWindow(now) })
  }

  call(session: Session, envelope: Envelope): unknown {
    this.#counters.calls++
    this.#deps.meter.called(session.applicationId)
    this.#deps.quiet.touch()
    if (session.isBlocked) throw blockedProgram()
    return this.#deps.router.route(session, envelope)
  }

  flushSoon(connection: Connection<Session>): void {
    this.#flushes.add(connection)
  }

  onEnded(connection: Connection<Session>, session: Session | undefined): void {
    if (this.#connections.delete(connection)) this.#deps.meter.disconnected()
    if (session === undefined) {
      this.#releaseIfIdle()
      return
    }
    // Before the registry loses the user of the session.
    this.#deps.presence.clear(session.applicationId, connection.id)
    this.#deps.sessions.remove(session)
    touchGrantOfSession(session, { grants: this.#deps.grants, log: this.log })
    this.#deps.subscriptions.removeSubscriber(session)
    session.cancelCalls()
    this.#deps.inspector.endConnection(connection.id)
    this.calls.endConnection(connection.id)
    this.#deps.operators.endConnection(connection.id)
    this.#releaseIfIdle()
    this.log.info('session-ended', { session: connection.id, application: session.applicationId })
  }

  /** A crowd that comes leaves garbage behind too, which stays where nothing else is allocated. */
  #releaseIfCrowded(): void {
    const { size } = this.#connections
    if (size <= this.#mostConnections) return
    this.#mostConnections = size
    if (size % CROWD === 0) this.#deps.quiet.start()
  }

  /** Memory can go when the last game has left, while the tray stays connected, and when half of a crowd has. */
  #releaseIfIdle(): void {
    const hasCrowdLeft = this.#mostConnections >= CROWD && this.#connections.size <= this.#mostConnections / 2
    if (hasCrowdLeft) this.#mostConnections = this.#connections.size
    if (hasCrowdLeft || this.#deps.sessions.size === 0) this.#deps.quiet.start()
  }

  /** Caches READY by encoding, contract and kind of peer until the local user changes, so that simultaneous handshakes share a frame. */
  #readyFor(connection: Connection<Session>, handshake: Handshake): Buffer {
    const { user } = this.#deps.localUser
    if (this.#readyFrames.user !== user) this.#readyFrames = { user, byKind: new Map() }
    const shown = this.#userOfReady(connection)
    const kind = `${handshake.encoding} ${handshake.contract !== undefined} ${shown !== undefined}`
    const frame = this.#readyFrames.byKind.get(kind) ?? connection.encodeEvent('READY', this.#readyData(handshake, shown))
    this.#readyFrames.byKind.set(kind, frame)
    return frame
  }

  /** A page receives the local user only when that user signs in on the page. */
  #userOfReady({ peer }: Connection<Session>): RpcUser | undefined {
    return peer.trust === 'origin' ? undefined : this.#deps.localUser.user
  }

  #readyData(handshake: Handshake, user: RpcUser | undefined): object {
    const { readyConfig, version } = this.#deps
    const ready = {
      v: PROTOCOL_VERSION,
      config: { ...readyConfig, environment: 'production' },
      ...(user === undefined ? {} : { user }),
      ...(handshake.contract === undefined ? {} : { contract: CONTRACT_VERSION, call_keys: true, bridge: { name: 'sallyport', version } }),
    }
    // Old clients read 1,024 bytes for the first frame: optional user fields are included only if they fit.
    const envelopeBytes = 64
    const fits = Buffer.byteLength(JSON.stringify(ready)) <= LIMITS.readyBytes.value - envelopeBytes
    return fits || user === undefined ? ready : { ...ready, user: essentialFields(user) }
  }
}
