/** The transitions of a gateway connection. Pure: each returns the next state and the effects as data. */
import { BUDGETS } from '@sallyport/core/budgets'
import { GATEWAY_OPCODES, GATEWAY_OWN_CLOSE_CODES, type CloseAction, gatewayCloseRow, gatewayInvalidSession } from '@sallyport/protocol'
import type { Secret } from '@sallyport/core/secret'
import { failuresAfter, reconnectDelayMs } from './backoff.ts'
import { checkHeartbeat, firstHeartbeat, type Heartbeat, hasJumped, nextHeartbeat, restOfInterval } from './heartbeat.ts'
import {
  type GatewayEffect,
  type GatewayInput,
  type GatewayMachine,
  type GatewayPhase,
  type GatewayStep,
  type StepContext,
  STOPPED,
} from './machine.ts'
import { type GatewayPayload, isGatewayUrl, resumeUrl } from './payload.ts'
import { fieldsOf } from '@sallyport/core/json-read'
import { MINUTE_MS } from '@sallyport/core/durations'
import { MESSAGE_TOO_LARGE } from './socket.ts'

const MIB = 1_048_576

/** Timeout for URL and token; both have shorter deadlines of their own. */
const RESOLVE_MS = 60_000
/** Timeout from the first packet to Hello. */
const HELLO_MS = 20_000
/** Timeout from Identify or Resume to READY or RESUMED; many events may precede RESUMED. */
const AUTHENTICATE_MS = 60_000
/** Timeout for the gateway's close frame. */
const CLOSE_MS = 1000
/** After so many rejected Resumes, the session is dropped. */
const MAX_REFUSALS = 3

const TOO_MANY_SESSIONS =
  'Too many gateway sessions were started within a day; the platform resets the token at its limit. Find out why the sessions end, then restart the bridge.'

/** Why a connection ended, and what follows. */
interface Disconnect {
  readonly follow: CloseAction
  readonly reason: string
  readonly atLeastMs?: number
  readonly closeCode?: number | undefined
}

const setHeartbeatTimer = (heartbeat: Heartbeat): GatewayEffect => ({
  do: 'set-timer',
  timer: 'heartbeat',
  ms: heartbeat.dueAt - heartbeat.setAt,
})
const setPhaseTimer = (ms: number): GatewayEffect => ({ do: 'set-timer', timer: 'phase', ms })
const NO_TIMERS: readonly GatewayEffect[] = [
  { do: 'clear-timer', timer: 'heartbeat' },
  { do: 'clear-timer', timer: 'phase' },
]

const stay = (machine: GatewayMachine): GatewayStep => [machine, []]

const HAS_SOCKET: ReadonlySet<GatewayPhase> = new Set(['connecting', 'throttled', 'authenticating', 'live'])
const IN_SESSION: ReadonlySet<GatewayPhase> = new Set(['authenticating', 'live'])

/** Requests URL and token for the next connection. */
function connect(machine: GatewayMachine, { now }: StepContext): GatewayStep {
  const isKept = machine.session !== undefined && now - machine.liveUntil <= BUDGETS.gatewayResumableMs.value
  const attempt = machine.attempt + 1
  const next = { ...machine, phase: 'resolving' as const, attempt, ...(isKept ? {} : { session: undefined, seq: null }) }
  return [next, [{ do: 'resolve', attempt, needsUrl: !isKept }, setPhaseTimer(RESOLVE_MS)]]
}

/** Records a disconnect in the machine. */
function recordDisconnect(
  machine: GatewayMachine,
  { follow, reason, atLeastMs = 0, closeCode }: Disconnect,
  { now, jitter }: StepContext,
): GatewayMachine {
  const isLive = machine.phase === 'live'
  const failures = failuresAfter(machine.failures, isLive ? now - machine.liveSince : undefined)
  const refusals = machine.phase === 'authenticating' && machine.session !== undefined ? machine.refusals + 1 : machine.refusals
  const isKept = follow === 'resume' && refusals < MAX_REFUSALS
  return {
    ...machine,
    ...(isKept ? { refusals } : { session: undefined, seq: null, refusals: 0 }),
    token: undefined,
    liveUntil: isLive ? now : machine.liveUntil,
    heartbeat: undefined,
    failures,
    after: follow === 'end' ? 'end' : 'reconnect',
    backoffMs: Math.max(reconnectDelayMs(failures, jitter), atLeastMs),
    problem: reason,
    closeCode,
  }
}

/** Continues when there is no socket. */
function proceed(machine: GatewayMachine, context: StepContext): GatewayStep {
  const { after, attempt, problem, closeCode } = machine
  if (after === 'stop') return [{ ...STOPPED, attempt }, NO_TIMERS]
  if (after === 'end') return [{ ...STOPPED, attempt, phase: 'ended', problem, closeCode }, NO_TIMERS]
  if (machine.backoffMs > 0) return [{ ...machine, phase: 'backoff' }, [...NO_TIMERS, setPhaseTimer(machine.backoffMs)]]
  const [next, effects] = connect(machine, context)
  return [next, [...NO_TIMERS, ...effects]]
}

/** Closes the socket, then continues. */
function closeThen(machine: GatewayMachine, code: number, disconnect: Disconnect, context: StepContext): GatewayStep {
  return [
    { ...recordDisconnect(machine, disconnect, context), phase: 'closing' },
    [...NO_TIMERS, { do: 'close', code }, setPhaseTimer(CLOSE_MS)],
  ]
}

const reconnect = (machine: GatewayMachine, disconnect: Disconnect, context: StepContext): GatewayStep =>
  closeThen(machine, GATEWAY_OWN_CLOSE_CODES.KEEP_SESSION, disconnect, context)

/** Sends Resume if there is a session, otherwise Identify as soon as the throttle allows. */
function authenticate(machine: GatewayMachine, context: StepContext): GatewayStep {
  const { token, session, seq } = machine
  if (token === undefined) throw new Error('connecting without a token')
  const authenticating = { ...machine, phase: 'authenticating' as const, token: undefined }
  if (session !== undefined) return [authenticating, [{ do: 'resume', token, session, seq }, setPhaseTimer(AUTHENTICATE_MS)]]
  const { msUntilIdentify } = context
  if (msUntilIdentify === undefined) {
    return closeThen(machine, GATEWAY_OWN_CLOSE_CODES.END_SESSION, { follow: 'end', reason: TOO_MANY_SESSIONS }, context)
  }
  if (msUntilIdentify > 0) return [{ ...machine, phase: 'throttled' }, [setPhaseTimer(msUntilIdentify)]]
  return [authenticating, [{ do: 'identify', token }, setPhaseTimer(AUTHENTICATE_MS)]]
}

/** Sends a heartbeat immediately, as a liveness check. */
function check(machine: GatewayMachine, heartbeat: Heartbeat, { now }: StepContext): GatewayStep {
  const next = checkHeartbeat(heartbeat, now)
  return [{ ...machine, heartbeat: next }, [{ do: 'heartbeat', seq: machine.seq, isRequested: false }, setHeartbeatTimer(next)]]
}

function heartbeatDue(machine: GatewayMachine, context: StepContext): GatewayStep {
  const { heartbeat, seq } = machine
  if (heartbeat === undefined) return stay(machine)
  if (!heartbeat.isAnswered)
    return reconnect(machine, { follow: 'resume', reason: 'The gateway did not acknowledge the heartbeat.' }, context)
  const next = heartbeat.isCheck ? restOfInterval(heartbeat, context.now) : nextHeartbeat(heartbeat, context.now)
  return [
    { ...machine, heartbeat: next },
    [...(heartbeat.isCheck ? [] : [{ do: 'heartbeat', seq, isRequested: false } as const]), setHeartbeatTimer(next)],
  ]
}

const TIMEOUT_REASONS: Readonly<Partial<Record<GatewayPhase, string>>> = {
  connecting: 'The connection to the gateway timed out.',
  authenticating: 'The gateway did not start the session in time.',
}

function phaseDue(machine: GatewayMachine, context: StepContext): GatewayStep {
  const { phase } = machine
  if (phase === 'backoff') return connect(machine, context)
  if (phase === 'throttled') return authenticate(machine, context)
  if (phase === 'closing') return [machine, [{ do: 'destroy' }]]
  if (phase === 'resolving') {
    return proceed(
      recordDisconnect(machine, { follow: 'resume', reason: 'The gateway URL or token was not available in time.' }, context),
      context,
    )
  }
  const reason = TIMEOUT_REASONS[phase]
  return reason === undefined ? stay(machine) : reconnect(machine, { follow: 'resume', reason }, context)
}

type OpHandler = (machine: GatewayMachine, payload: GatewayPayload, context: StepContext) => GatewayStep

/** A resumed session would send it again, and so would each new one: it costs a session and the whole message. */
const TOO_LARGE: Disconnect = {
  follow: 'new-session',
  reason: `The gateway sent a message of more than ${BUDGETS.gatewayMessageBytes.value / MIB} MiB, which the bridge does not take; the account may have too many relationships. The bridge tries again every ${BUDGETS.gatewayTooLargeMs.value / MINUTE_MS} minutes.`,
  atLeastMs: BUDGETS.gatewayTooLargeMs.value,
}

function unreadable(machine: GatewayMachine, problem: string, context: StepContext): GatewayStep {
  const invalid = { follow: 'resume', reason: `The gateway sent an invalid payload: ${problem}.` } as const
  return closeThen(machine, GATEWAY_OWN_CLOSE_CODES.UNREADABLE, problem === MESSAGE_TOO_LARGE ? TOO_LARGE : invalid, context)
}

const ignored = (machine: GatewayMachine, { op }: GatewayPayload): GatewayStep => [machine, [{ do: 'ignore', op }]]

const hello: OpHandler = (machine, payload, context) => {
  if (machine.phase !== 'connecting') return ignored(machine, payload)
  const heartbeat = firstHeartbeat(fieldsOf(payload.d)['heartbeat_interval'], context.jitter, context.now)
  if (heartbeat === undefined) return unreadable(machine, 'Hello without an interval', context)
  const [next, effects] = authenticate({ ...machine, heartbeat }, context)
  return [next, next.phase === 'closing' ? effects : [setHeartbeatTimer(heartbeat), ...effects]]
}

/** State changes for READY and RESUMED, besides their dispatch. */
const SESSION_STARTS: Readonly<Record<string, (machine: GatewayMachine, d: unknown) => Pick<GatewayMachine, 'session'>>> = {
  READY: ({ url }, d) => {
    const { session_id: id, resume_gateway_url: resumeAt } = fieldsOf(d)
    return { session: typeof id === 'string' && id !== '' ? { id, url: resumeUrl(resumeAt, url) } : undefined }
  },
  RESUMED: ({ session }) => ({ session }),
}

const dispatch: OpHandler = (machine, payload, { now }) => {
  const { t, s, d } = payload
  if (typeof t !== 'string' || !IN_SESSION.has(machine.phase)) return ignored(machine, payload)
  const seq = typeof s === 'number' && Number.isInteger(s) ? s : machine.seq
  const delivered = { do: 'dispatch', dispatch: { t, s: seq ?? 0, d } } as const
  const begin = Object.hasOwn(SESSION_STARTS, t) ? SESSION_STARTS[t] : undefined
  if (begin === undefined) return [{ ...machine, seq }, [delivered]]
  const since = machine.phase === 'live' ? machine.liveSince : now
  const live = { ...machine, seq, ...begin(machine, d), phase: 'live', liveSince: since, refusals: 0, problem: undefined } as const
  return [live, [{ do: 'clear-timer', timer: 'phase' }, delivered]]
}

const invalidSession: OpHandler = (machine, { d }, context) => {
  const { follow, ...rule } = gatewayInvalidSession(d)
  const [minMs, maxMs] = 'afterMs' in rule ? rule.afterMs : [0, 0]
  const disconnect = { follow, reason: 'The gateway rejected or ended the session.', atLeastMs: minMs + (maxMs - minMs) * context.jitter }
  return reconnect(machine, disconnect, context)
}

const OPS: ReadonlyMap<number, OpHandler> = new Map<number, OpHandler>([
  [GATEWAY_OPCODES.DISPATCH.op, dispatch],
  [GATEWAY_OPCODES.HEARTBEAT.op, (machine) => [machine, [{ do: 'heartbeat', seq: machine.seq, isRequested: true }]]],
  [
    GATEWAY_OPCODES.RECONNECT.op,
    (machine, _payload, context) => reconnect(machine, { follow: 'resume', reason: 'The gateway requested a reconnect.' }, context),
  ],
  [GATEWAY_OPCODES.INVALID_SESSION.op, invalidSession],
  [GATEWAY_OPCODES.HELLO.op, hello],
  [
    GATEWAY_OPCODES.HEARTBEAT_ACK.op,
    (machine) => stay(machine.heartbeat === undefined ? machine : { ...machine, heartbeat: { ...machine.heartbeat, isAnswered: true } }),
  ],
])

function closed(machine: GatewayMachine, code: number | undefined, problem: string | undefined, context: StepContext): GatewayStep {
  const isClosing = machine.phase === 'closing'
  if (!isClosing && !HAS_SOCKET.has(machine.phase)) return stay(machine)
  if (problem === MESSAGE_TOO_LARGE && !isClosing) return proceed(recordDisconnect(machine, TOO_LARGE, context), context)
  const row = gatewayCloseRow(code)
  // The daemon was closing the socket. A close code from the gateway matters only if it forbids the intended next step.
  if (isClosing && (machine.after !== 'reconnect' || row.follow === 'resume')) return proceed(machine, context)
  const event = machine.phase === 'connecting' && code === undefined ? 'The gateway cannot be reached' : 'The gateway closed the connection'
  const detail = code ?? problem
  const reason = `${detail === undefined ? event : `${event} (${detail})`}: ${row.meaning}.${row.follow === 'end' ? ` ${row.todo}` : ''}`
  return proceed(recordDisconnect(machine, { follow: row.follow, reason, closeCode: code }, context), context)
}

function stop(machine: GatewayMachine): GatewayStep {
  if (machine.phase === 'closing') return stay({ ...machine, after: 'stop' })
  if (!HAS_SOCKET.has(machine.phase)) return [{ ...STOPPED, attempt: machine.attempt }, NO_TIMERS]
  const closing = { ...STOPPED, attempt: machine.attempt, phase: 'closing', after: 'stop' } as const
  return [closing, [...NO_TIMERS, { do: 'close', code: GATEWAY_OWN_CLOSE_CODES.END_SESSION }, setPhaseTimer(CLOSE_MS)]]
}

function start(machine: GatewayMachine, context: StepContext): GatewayStep {
  if (machine.phase === 'closing' && machine.after === 'stop') return stay({ ...machine, after: 'reconnect' })
  if (machine.phase !== 'stopped' && machine.phase !== 'ended') return stay(machine)
  return connect({ ...STOPPED, attempt: machine.attempt }, context)
}

function resolved(machine: GatewayMachine, token: Secret<string>, resolvedUrl: string | undefined, context: StepContext): GatewayStep {
  const url = machine.session?.url ?? resolvedUrl ?? ''
  if (!isGatewayUrl(url)) {
    const reason = "The platform's gateway URL is invalid; it must begin with wss:// or ws://. Correct the platform profile."
    return proceed(recordDisconnect(machine, { follow: 'end', reason }, context), context)
  }
  return [{ ...machine, phase: 'connecting', url, token }, [{ do: 'dial', url }, setPhaseTimer(HELLO_MS)]]
}

function transition(machine: GatewayMachine, input: GatewayInput, context: StepContext): GatewayStep {
  switch (input.kind) {
    case 'start':
      return start(machine, context)
    case 'stop':
      return stop(machine)
    case 'resolved':
    case 'resolve-failed':
      if (machine.phase !== 'resolving' || machine.attempt !== input.attempt) return stay(machine)
      if (input.kind === 'resolved') return resolved(machine, input.token, input.url, context)
      return proceed(recordDisconnect(machine, { follow: input.isFinal ? 'end' : 'resume', reason: input.reason }, context), context)
    case 'payload':
      if (!HAS_SOCKET.has(machine.phase)) return stay(machine)
      return (OPS.get(input.payload.op) ?? ignored)(machine, input.payload, context)
    case 'unreadable':
      return HAS_SOCKET.has(machine.phase) ? unreadable(machine, input.problem, context) : stay(machine)
    case 'closed':
      return closed(machine, input.code, input.problem, context)
    case 'heartbeat-due':
      return heartbeatDue(machine, context)
    case 'phase-due':
      return phaseDue(machine, context)
    case 'send-requested':
      return stay(machine)
  }
}

/** Inputs of a live connection at which a sleep or a clock change can be noticed. */
const REVEALS_SLEEP: ReadonlySet<GatewayInput['kind']> = new Set(['payload', 'heartbeat-due', 'send-requested'])

export function step(machine: GatewayMachine, input: GatewayInput, context: StepContext): GatewayStep {
  const { heartbeat } = machine
  if (heartbeat === undefined || !REVEALS_SLEEP.has(input.kind) || !hasJumped(heartbeat, context.now))
    return transition(machine, input, context)
  const [checked, first] = check(machine, heartbeat, context)
  if (input.kind === 'heartbeat-due') return [checked, first]
  const [next, then] = transition(checked, input, context)
  return [next, [...first, ...then]]
}
