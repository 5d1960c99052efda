/** One connection: Hello, heartbeats, Identify or Resume, then requests of the session. A wrong step closes it with the platform's close code. */
import { GATEWAY_CLOSE_CODES, GATEWAY_OPCODES, gatewayCloseRow } from '@sallyport/protocol'
import { type Platform, rememberApplication } from '../platform.ts'
import { OAuthError } from '../platform-error.ts'
import type { SessionStartLimit } from './session-start-limit.ts'
import type { GatewayFaults } from './gateway-faults.ts'
import { SendRateLimit } from './send-rate-limit.ts'
import { GatewayCloseError, parseIdentify, parseResume } from './identify.ts'
import type { GatewayCaller } from './viewer.ts'
import { HEARTBEAT_GRACE, PAYLOAD_MAX_BYTES } from './limits.ts'
import { firstEvents } from './ready.ts'
import { REQUEST_HANDLERS, type RequestContext } from './requests/requests.ts'
import { payload, type GatewaySession } from './session.ts'
import type { GatewaySessions } from './sessions.ts'
import type { ClientSocket } from './client-socket.ts'

export interface GatewayConnectionDeps {
  readonly platform: Platform
  readonly sessions: GatewaySessions
  readonly faults: GatewayFaults
  readonly sessionStarts: SessionStartLimit
  readonly requests: RequestContext
  /** Called when another connection resumes the session. */
  readonly onSessionMoved: (session: GatewaySession) => void
  readonly socket: ClientSocket
}

const { HEARTBEAT, HEARTBEAT_ACK, HELLO, IDENTIFY, INVALID_SESSION, RECONNECT, RESUME } = GATEWAY_OPCODES
/** Close codes of a client that does not resume its session. */
const NORMAL_CLOSE_CODES: readonly number[] = [1000, 1001]

export class GatewayConnection {
  readonly #deps: GatewayConnectionDeps
  readonly #sendRateLimit = new SendRateLimit()
  readonly #interval: number
  #session: GatewaySession | undefined
  #isClosed = false
  #cancelTimeout = () => {}
  readonly #cancelPendingAcks = new Set<() => void>()

  constructor(deps: GatewayConnectionDeps) {
    this.#deps = deps
    this.#interval = deps.faults.heartbeatInterval
    this.#awaitHeartbeat()
    this.#send(HELLO.op, { heartbeat_interval: this.#interval })
  }

  get session(): GatewaySession | undefined {
    return this.#session
  }

  /** Handles one payload of the client. */
  receive(text: string): void {
    if (this.#isClosed) return
    try {
      this.#handle(text)
    } catch (failure) {
      if (failure instanceof GatewayCloseError) return this.close(failure.code, failure.message)
      this.#deps.platform.log.error('sandbox-gateway-failed', { error: failure instanceof Error ? failure.stack : String(failure) })
      this.close(GATEWAY_CLOSE_CODES.UNKNOWN_ERROR.code, 'Unknown error.')
    }
  }

  /** The socket closed; `code` is the client's close code. */
  socketClosed(code: number): void {
    if (!this.#isClosed) this.#cleanUp(!NORMAL_CLOSE_CODES.includes(code))
  }

  /** Closes the connection from the server's side. The code decides whether the session can be resumed. */
  close(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#cleanUp(gatewayCloseRow(code).follow === 'resume' && !NORMAL_CLOSE_CODES.includes(code))
    this.#deps.socket.close(code, reason)
  }

  /** Another connection resumed the session. */
  sessionMoved(): void {
    this.#session = undefined
    this.terminate()
  }

  /** Terminates the connection without a close frame. */
  terminate(): void {
    if (!this.#isClosed) this.#cleanUp(true)
    this.#deps.socket.terminate()
  }

  requestReconnect(): void {
    this.#send(RECONNECT.op, null)
  }

  requestHeartbeat(): void {
    this.#send(HEARTBEAT.op, null)
  }

  /** Sends Invalid Session. The connection stays open without a session. */
  invalidate(isResumable: boolean): void {
    this.#releaseSession(isResumable)
    this.#send(INVALID_SESSION.op, isResumable)
  }

  #handle(text: string): void {
    const { platform, requests } = this.#deps
    if (Buffer.byteLength(text) > PAYLOAD_MAX_BYTES) throw new GatewayCloseError('DECODE_ERROR', 'The payload is too large.')
    if (!this.#sendRateLimit.tryConsume(platform.clock.now())) throw new GatewayCloseError('RATE_LIMITED', 'You are being rate limited.')
    const { op, d } = decodePayload(text)
    if (op === HEARTBEAT.op) return this.#heartbeat()
    if (op === IDENTIFY.op) return this.#identify(d)
    if (op === RESUME.op) return this.#resume(d)
    const request = REQUEST_HANDLERS.get(op)
    if (request === undefined) throw new GatewayCloseError('UNKNOWN_OPCODE', 'Unknown opcode.')
    if (this.#session === undefined) throw new GatewayCloseError('NOT_AUTHENTICATED', 'Not authenticated.')
    request(requests, this.#session, d)
  }

  #heartbeat(): void {
    const { platform, faults } = this.#deps
    this.#awaitHeartbeat()
    const delay = faults.ackDelay(this.#session?.caller)
    if (delay === 'never') return
    if (delay === 0) return this.#send(HEARTBEAT_ACK.op, null)
    const cancel = platform.wallClock.after(delay, () => {
      this.#cancelPendingAcks.delete(cancel)
      this.#send(HEARTBEAT_ACK.op, null)
    })
    this.#cancelPendingAcks.add(cancel)
  }

  #awaitHeartbeat(): void {
    this.#cancelTimeout()
    this.#cancelTimeout = this.#deps.platform.wallClock.after(this.#interval * (1 + HEARTBEAT_GRACE), () => {
      this.close(GATEWAY_CLOSE_CODES.SESSION_TIMED_OUT.code, 'Session timed out.')
    })
  }

  #identify(d: unknown): void {
    const { platform, sessions, faults, sessionStarts, socket } = this.#deps
    if (this.#session !== undefined) throw new GatewayCloseError('ALREADY_AUTHENTICATED', 'Already authenticated.')
    const identified = parseIdentify(platform, d, (applicationId) => faults.requiredShards(applicationId))
    registerApplication(platform, identified.caller.applicationId)
    if (this.#isTooEarly(identified.caller)) return this.#send(INVALID_SESSION.op, false)
    if (!sessionStarts.tryConsume(identified.caller.applicationId))
      throw new GatewayCloseError('AUTHENTICATION_FAILED', 'The application started too many sessions today.')
    const session = sessions.start(identified)
    this.#session = session
    session.attach(socket)
    for (const { t, d: data } of firstEvents(platform, session, sessions.presences)) session.dispatch(t, data)
  }

  #isTooEarly({ kind, applicationId }: GatewayCaller): boolean {
    const { platform, sessionStarts } = this.#deps
    if (kind === 'user' || sessionStarts.isPaced(applicationId)) return false
    return platform.strictness.holds('identify-pace', applicationId, 'op 2')
  }

  #resume(d: unknown): void {
    const { platform, sessions, faults, socket, onSessionMoved } = this.#deps
    if (this.#session !== undefined) throw new GatewayCloseError('ALREADY_AUTHENTICATED', 'Already authenticated.')
    const { caller, sessionId, seq } = parseResume(platform, d)
    const resumed = faults.consumeResumeRefusal(caller) ? undefined : sessions.resume(caller, sessionId, seq)
    if (resumed === undefined) return this.#send(INVALID_SESSION.op, false)
    const { session, missed } = resumed
    onSessionMoved(session)
    this.#session = session
    session.attach(socket)
    for (const text of missed) socket.send(text)
    session.dispatch('RESUMED', {})
  }

  #cleanUp(isResumable: boolean): void {
    this.#isClosed = true
    this.#cancelTimeout()
    for (const cancel of this.#cancelPendingAcks) cancel()
    this.#cancelPendingAcks.clear()
    this.#releaseSession(isResumable)
  }

  #releaseSession(isResumable: boolean): void {
    const session = this.#session
    this.#session = undefined
    session?.detach()
    if (session === undefined) return
    if (isResumable) this.#deps.sessions.release(session)
    else this.#deps.sessions.end(session)
  }

  #send(op: number, d: unknown): void {
    this.#deps.socket.send(payload(op, d))
  }
}

/** Throws GatewayCloseError for an invalid payload. */
function decodePayload(text: string): { readonly op: number; readonly d: unknown } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new GatewayCloseError('DECODE_ERROR', 'Error while decoding payload.')
  }
  if (typeof parsed !== 'object' || parsed === null || !('op' in parsed))
    throw new GatewayCloseError('DECODE_ERROR', 'Error while decoding payload.')
  const { op, d } = parsed as { readonly op: unknown; readonly d?: unknown }
  if (typeof op !== 'number') throw new GatewayCloseError('DECODE_ERROR', 'Error while decoding payload.')
  return { op, d }
}

/** Registers the application, so that the limit of applications also holds here. Throws GatewayCloseError at the limit. */
function registerApplication(platform: Platform, applicationId: string): void {
  try {
    platform.store.commit(rememberApplication(platform, applicationId))
  } catch (failure) {
    if (failure instanceof OAuthError) throw new GatewayCloseError('AUTHENTICATION_FAILED', failure.message)
    throw failure
  }
}
