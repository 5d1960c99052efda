/** One connection: Hello, heartbeats, Identify or Resume, then what the session asks; every wrong step ends it with the platform's close code. */
import { GATEWAY_CLOSE_CODES, GATEWAY_OPCODES, gatewayCloseRow } from '@sallyport/protocol'
import { type Platform, rememberApplication } from '../platform.ts'
import { OAuthError } from '../platform-error.ts'
import type { Allowance } from './allowance.ts'
import type { Breaks } from './breaks.ts'
import { Budget } from './budget.ts'
import { Closed, readIdentify, readResume } from './identify.ts'
import { HEARTBEAT_GRACE, PAYLOAD_MAX_BYTES } from './limits.ts'
import { firstEvents } from './ready.ts'
import { REQUESTS, type RequestContext } from './requests/requests.ts'
import { payload, type Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import type { Peer } from './stream.ts'

export interface ConnectionParts {
  readonly platform: Platform
  readonly sessions: Sessions
  readonly breaks: Breaks
  readonly allowance: Allowance
  readonly requests: RequestContext
  /** The connection that a session came from, where it still stands: it has lost the session. */
  readonly replaced: (session: Session) => void
  readonly peer: Peer
}

const { HEARTBEAT, HEARTBEAT_ACK, HELLO, IDENTIFY, INVALID_SESSION, RECONNECT, RESUME } = GATEWAY_OPCODES
/** Codes by which a client says that it will not come back. */
const LEAVING: readonly number[] = [1000, 1001]

export class Connection {
  readonly #parts: ConnectionParts
  readonly #budget = new Budget()
  readonly #interval: number
  #session: Session | undefined
  #isOver = false
  #cancelTimeout = () => {}
  readonly #acks = new Set<() => void>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#interval = parts.breaks.heartbeatInterval
    this.#awaitHeartbeat()
    this.#send(HELLO.op, { heartbeat_interval: this.#interval })
  }

  get session(): Session | undefined {
    return this.#session
  }

  /** Something came from the client. */
  receive(text: string): void {
    if (this.#isOver) return
    try {
      this.#take(text)
    } catch (failure) {
      if (failure instanceof Closed) return this.close(failure.code, failure.message)
      this.#parts.platform.log.error('sandbox-gateway-failed', { error: failure instanceof Error ? failure.stack : String(failure) })
      this.close(GATEWAY_CLOSE_CODES.UNKNOWN_ERROR.code, 'Unknown error.')
    }
  }

  /** The socket is gone; `code` is what the client closed it with. */
  gone(code: number): void {
    if (!this.#isOver) this.#end(!LEAVING.includes(code))
  }

  /** Ends it from our side; the code decides what becomes of the session. */
  close(code: number, reason: string): void {
    if (this.#isOver) return
    this.#end(gatewayCloseRow(code).follow === 'resume' && !LEAVING.includes(code))
    this.#parts.peer.close(code, reason)
  }

  /** Its client came back over another connection, and the session is there now. */
  lose(): void {
    this.#session = undefined
    this.drop()
  }

  /** Breaks it without a word. */
  drop(): void {
    if (!this.#isOver) this.#end(true)
    this.#parts.peer.drop()
  }

  askToReconnect(): void {
    this.#send(RECONNECT.op, null)
  }

  askForHeartbeat(): void {
    this.#send(HEARTBEAT.op, null)
  }

  /** The session is over or has to be resumed; the connection stays, as nobody's. */
  invalidate(isResumable: boolean): void {
    this.#leaveSession(isResumable)
    this.#send(INVALID_SESSION.op, isResumable)
  }

  #take(text: string): void {
    const { platform, requests } = this.#parts
    if (Buffer.byteLength(text) > PAYLOAD_MAX_BYTES) throw new Closed('DECODE_ERROR', 'The payload is too large.')
    if (!this.#budget.take(platform.clock.now())) throw new Closed('RATE_LIMITED', 'You are being rate limited.')
    const { op, d } = decoded(text)
    if (op === HEARTBEAT.op) return this.#heartbeat()
    if (op === IDENTIFY.op) return this.#identify(d)
    if (op === RESUME.op) return this.#resume(d)
    const request = REQUESTS.get(op)
    if (request === undefined) throw new Closed('UNKNOWN_OPCODE', 'Unknown opcode.')
    if (this.#session === undefined) throw new Closed('NOT_AUTHENTICATED', 'Not authenticated.')
    request(requests, this.#session, d)
  }

  #heartbeat(): void {
    const { platform, breaks } = this.#parts
    this.#awaitHeartbeat()
    const delay = breaks.ackDelay(this.#session?.party)
    if (delay === 'never') return
    if (delay === 0) return this.#send(HEARTBEAT_ACK.op, null)
    const cancel = platform.clock.after(delay, () => {
      this.#acks.delete(cancel)
      this.#send(HEARTBEAT_ACK.op, null)
    })
    this.#acks.add(cancel)
  }

  #awaitHeartbeat(): void {
    this.#cancelTimeout()
    this.#cancelTimeout = this.#parts.platform.clock.after(this.#interval * (1 + HEARTBEAT_GRACE), () => {
      this.close(GATEWAY_CLOSE_CODES.SESSION_TIMED_OUT.code, 'Session timed out.')
    })
  }

  #identify(d: unknown): void {
    const { platform, sessions, breaks, allowance, peer } = this.#parts
    if (this.#session !== undefined) throw new Closed('ALREADY_AUTHENTICATED', 'Already authenticated.')
    const identified = readIdentify(platform, d, (applicationId) => breaks.shardsNeeded(applicationId))
    remember(platform, identified.party.applicationId)
    if (!allowance.take(identified.party.applicationId)) throw new Closed('AUTHENTICATION_FAILED', 'Too many sessions began today.')
    const session = sessions.begin(identified)
    this.#session = session
    session.attach(peer)
    for (const { t, d: data } of firstEvents(platform, session, sessions.presences)) session.tell(t, data)
  }

  #resume(d: unknown): void {
    const { platform, sessions, breaks, peer, replaced } = this.#parts
    if (this.#session !== undefined) throw new Closed('ALREADY_AUTHENTICATED', 'Already authenticated.')
    const { party, sessionId, seq } = readResume(platform, d)
    const resumed = breaks.takeRefusal(party) ? undefined : sessions.resume(party, sessionId, seq)
    if (resumed === undefined) return this.#send(INVALID_SESSION.op, false)
    const { session, missed } = resumed
    replaced(session)
    this.#session = session
    session.attach(peer)
    for (const text of missed) peer.send(text)
    session.tell('RESUMED', {})
  }

  #end(keepsSession: boolean): void {
    this.#isOver = true
    this.#cancelTimeout()
    for (const cancel of this.#acks) cancel()
    this.#acks.clear()
    this.#leaveSession(keepsSession)
  }

  #leaveSession(keeps: boolean): void {
    const session = this.#session
    this.#session = undefined
    session?.detach()
    if (session === undefined) return
    if (keeps) this.#parts.sessions.release(session)
    else this.#parts.sessions.end(session)
  }

  #send(op: number, d: unknown): void {
    this.#parts.peer.send(payload(op, d))
  }
}

/** Throws Closed for what is no payload. */
function decoded(text: string): { readonly op: number; readonly d: unknown } {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Closed('DECODE_ERROR', 'Error while decoding payload.')
  }
  if (typeof given !== 'object' || given === null || !('op' in given)) throw new Closed('DECODE_ERROR', 'Error while decoding payload.')
  const { op, d } = given as { readonly op: unknown; readonly d?: unknown }
  if (typeof op !== 'number') throw new Closed('DECODE_ERROR', 'Error while decoding payload.')
  return { op, d }
}

/** Makes the application known, so that only so many are ever counted. Throws Closed for one too many. */
function remember(platform: Platform, applicationId: string): void {
  try {
    platform.store.commit(rememberApplication(platform, applicationId))
  } catch (failure) {
    if (failure instanceof OAuthError) throw new Closed('AUTHENTICATION_FAILED', failure.message)
    throw failure
  }
}
