/** What each thing that happens to a gateway connection leads to. Pure; what must be done comes out as data. */
import {
  GATEWAY_OPCODES,
  GATEWAY_OWN_CLOSE_CODES,
  type GatewayFollow,
  gatewayCloseRow,
  gatewayInvalidSession,
  LIMITS,
} from '@sallyport/protocol'
import type { Secret } from '@sallyport/core/secret'
import { failuresAfter, pauseMs } from './back-off.ts'
import { checkHeartbeat, firstHeartbeat, type Heartbeat, hasJumped, nextHeartbeat, restOfInterval } from './heartbeat.ts'
import {
  type GatewayEffect,
  type GatewayInput,
  type GatewayMachine,
  type GatewayPhase,
  type GatewayStep,
  type Moment,
  STOPPED,
} from './machine.ts'
import { type GatewayPayload, isGatewayUrl, resumeUrl } from './payload.ts'
import { fieldsOf } from './reading.ts'

/** Time for address and token; they have shorter deadlines of their own. */
const ASK_MS = 60_000
/** Time from the first packet to Hello. */
const HELLO_MS = 20_000
/** Time from Identify or Resume to READY or RESUMED; much may come before RESUMED. */
const ENTER_MS = 60_000
/** Time the other side has to say goodbye. */
const CLOSE_MS = 1000
/** A session that was resumed in vain so often is given up. */
const MOST_REFUSALS = 3

const TOO_MANY_SESSIONS =
  'So many sessions were begun at the gateway within a day that a few more would make the platform reset the token. Find out what ends them, then restart this program.'

/** Why a connection is over, and what follows. */
interface Break {
  readonly follow: GatewayFollow
  readonly reason: string
  readonly atLeastMs?: number
  readonly closeCode?: number | undefined
}

const timed = (beat: Heartbeat): GatewayEffect => ({ do: 'time', timer: 'beat', ms: beat.dueAt - beat.setAt })
const stepIn = (ms: number): GatewayEffect => ({ do: 'time', timer: 'step', ms })
const NO_TIMERS: readonly GatewayEffect[] = [
  { do: 'untime', timer: 'beat' },
  { do: 'untime', timer: 'step' },
]

const stay = (machine: GatewayMachine): GatewayStep => [machine, []]

const HAS_SOCKET: ReadonlySet<GatewayPhase> = new Set(['dialing', 'greeted', 'entering', 'live'])
const IS_INSIDE: ReadonlySet<GatewayPhase> = new Set(['entering', 'live'])

/** Asks for what the next connection needs. */
function connect(machine: GatewayMachine, { now }: Moment): GatewayStep {
  const isKept = machine.session !== undefined && now - machine.liveUntil <= LIMITS.gatewayResumableMs.value
  const attempt = machine.attempt + 1
  const next = { ...machine, phase: 'asking' as const, attempt, ...(isKept ? {} : { session: undefined, seq: null }) }
  return [next, [{ do: 'ask', attempt, needsUrl: !isKept }, stepIn(ASK_MS)]]
}

/** What the machine knows after a break. */
function afterBreak(machine: GatewayMachine, { follow, reason, atLeastMs = 0, closeCode }: Break, { now, chance }: Moment): GatewayMachine {
  const isLive = machine.phase === 'live'
  const failures = failuresAfter(machine.failures, isLive ? now - machine.liveSince : undefined)
  const refusals = machine.phase === 'entering' && machine.session !== undefined ? machine.refusals + 1 : machine.refusals
  const isKept = follow === 'resume' && refusals < MOST_REFUSALS
  return {
    ...machine,
    ...(isKept ? { refusals } : { session: undefined, seq: null, refusals: 0 }),
    token: undefined,
    liveUntil: isLive ? now : machine.liveUntil,
    beat: undefined,
    failures,
    after: follow === 'end' ? 'end' : 'again',
    pauseMs: Math.max(pauseMs(failures, chance), atLeastMs),
    problem: reason,
    closeCode,
  }
}

/** Goes on once there is no socket. */
function goOn(machine: GatewayMachine, moment: Moment): GatewayStep {
  const { after, attempt, problem, closeCode } = machine
  if (after === 'stop') return [{ ...STOPPED, attempt }, NO_TIMERS]
  if (after === 'end') return [{ ...STOPPED, attempt, phase: 'ended', problem, closeCode }, NO_TIMERS]
  if (machine.pauseMs > 0) return [{ ...machine, phase: 'waiting' }, [...NO_TIMERS, stepIn(machine.pauseMs)]]
  const [next, effects] = connect(machine, moment)
  return [next, [...NO_TIMERS, ...effects]]
}

/** Closes the socket, then goes on. */
function giveUp(machine: GatewayMachine, code: number, why: Break, moment: Moment): GatewayStep {
  return [{ ...afterBreak(machine, why, moment), phase: 'closing' }, [...NO_TIMERS, { do: 'close', code }, stepIn(CLOSE_MS)]]
}

const leave = (machine: GatewayMachine, why: Break, moment: Moment): GatewayStep =>
  giveUp(machine, GATEWAY_OWN_CLOSE_CODES.KEEP_SESSION, why, moment)

/** Sends Resume where something can be resumed; else Identify, as soon as that may be. */
function enter(machine: GatewayMachine, moment: Moment): GatewayStep {
  const { token, session, seq } = machine
  if (token === undefined) throw new Error('nothing is dialed without a token')
  const entering = { ...machine, phase: 'entering' as const, token: undefined }
  if (session !== undefined) return [entering, [{ do: 'resume', token, session, seq }, stepIn(ENTER_MS)]]
  const { identifyInMs } = moment
  if (identifyInMs === undefined) {
    return giveUp(machine, GATEWAY_OWN_CLOSE_CODES.END_SESSION, { follow: 'end', reason: TOO_MANY_SESSIONS }, moment)
  }
  if (identifyInMs > 0) return [{ ...machine, phase: 'greeted' }, [stepIn(identifyInMs)]]
  return [entering, [{ do: 'identify', token }, stepIn(ENTER_MS)]]
}

/** Looks at once whether the link still lives. */
function check(machine: GatewayMachine, beat: Heartbeat, { now }: Moment): GatewayStep {
  const next = checkHeartbeat(beat, now)
  return [{ ...machine, beat: next }, [{ do: 'beat', seq: machine.seq, isAsked: false }, timed(next)]]
}

function beatDue(machine: GatewayMachine, moment: Moment): GatewayStep {
  const { beat, seq } = machine
  if (beat === undefined) return stay(machine)
  if (!beat.isAnswered) return leave(machine, { follow: 'resume', reason: 'The gateway no longer answered.' }, moment)
  const next = beat.isCheck ? restOfInterval(beat, moment.now) : nextHeartbeat(beat, moment.now)
  return [{ ...machine, beat: next }, [...(beat.isCheck ? [] : [{ do: 'beat', seq, isAsked: false } as const]), timed(next)]]
}

const TOO_SLOW: Readonly<Partial<Record<GatewayPhase, string>>> = {
  dialing: 'The gateway could not be reached in time.',
  entering: 'The gateway did not begin the session in time.',
}

function stepDue(machine: GatewayMachine, moment: Moment): GatewayStep {
  const { phase } = machine
  if (phase === 'waiting') return connect(machine, moment)
  if (phase === 'greeted') return enter(machine, moment)
  if (phase === 'closing') return [machine, [{ do: 'destroy' }]]
  if (phase === 'asking') {
    return goOn(
      afterBreak(machine, { follow: 'resume', reason: 'The address and the token for the gateway took too long.' }, moment),
      moment,
    )
  }
  const reason = TOO_SLOW[phase]
  return reason === undefined ? stay(machine) : leave(machine, { follow: 'resume', reason }, moment)
}

type OpHandler = (machine: GatewayMachine, payload: GatewayPayload, moment: Moment) => GatewayStep

const unreadable = (machine: GatewayMachine, problem: string, moment: Moment): GatewayStep =>
  giveUp(
    machine,
    GATEWAY_OWN_CLOSE_CODES.UNREADABLE,
    { follow: 'resume', reason: `The gateway sent what cannot be used: ${problem}.` },
    moment,
  )

const ignored = (machine: GatewayMachine, { op }: GatewayPayload): GatewayStep => [machine, [{ do: 'ignore', op }]]

const hello: OpHandler = (machine, payload, moment) => {
  if (machine.phase !== 'dialing') return ignored(machine, payload)
  const beat = firstHeartbeat(fieldsOf(payload.d)['heartbeat_interval'], moment.chance, moment.now)
  if (beat === undefined) return unreadable(machine, 'a Hello without an interval', moment)
  const [next, effects] = enter({ ...machine, beat }, moment)
  return [next, next.phase === 'closing' ? effects : [timed(beat), ...effects]]
}

/** What READY and RESUMED change besides being told. */
const BEGINNINGS: Readonly<Record<string, (machine: GatewayMachine, d: unknown) => Pick<GatewayMachine, 'session'>>> = {
  READY: ({ url }, d) => {
    const { session_id: id, resume_gateway_url: there } = fieldsOf(d)
    return { session: typeof id === 'string' && id !== '' ? { id, url: resumeUrl(there, url) } : undefined }
  },
  RESUMED: ({ session }) => ({ session }),
}

const dispatch: OpHandler = (machine, payload, { now }) => {
  const { t, s, d } = payload
  if (typeof t !== 'string' || !IS_INSIDE.has(machine.phase)) return ignored(machine, payload)
  const seq = typeof s === 'number' && Number.isInteger(s) ? s : machine.seq
  const told = { do: 'tell', dispatch: { t, s: seq ?? 0, d } } as const
  const begin = Object.hasOwn(BEGINNINGS, t) ? BEGINNINGS[t] : undefined
  if (begin === undefined) return [{ ...machine, seq }, [told]]
  const since = machine.phase === 'live' ? machine.liveSince : now
  const live = { ...machine, seq, ...begin(machine, d), phase: 'live', liveSince: since, refusals: 0, problem: undefined } as const
  return [live, [{ do: 'untime', timer: 'step' }, told]]
}

const invalidSession: OpHandler = (machine, { d }, moment) => {
  const { follow, ...rule } = gatewayInvalidSession(d)
  const [least, most] = 'afterMs' in rule ? rule.afterMs : [0, 0]
  const why = { follow, reason: 'The gateway refused the session, or ended it.', atLeastMs: least + (most - least) * moment.chance }
  return leave(machine, why, moment)
}

const OPS: ReadonlyMap<number, OpHandler> = new Map<number, OpHandler>([
  [GATEWAY_OPCODES.DISPATCH.op, dispatch],
  [GATEWAY_OPCODES.HEARTBEAT.op, (machine) => [machine, [{ do: 'beat', seq: machine.seq, isAsked: true }]]],
  [
    GATEWAY_OPCODES.RECONNECT.op,
    (machine, _payload, moment) => leave(machine, { follow: 'resume', reason: 'The gateway asked for a new connection.' }, moment),
  ],
  [GATEWAY_OPCODES.INVALID_SESSION.op, invalidSession],
  [GATEWAY_OPCODES.HELLO.op, hello],
  [
    GATEWAY_OPCODES.HEARTBEAT_ACK.op,
    (machine) => stay(machine.beat === undefined ? machine : { ...machine, beat: { ...machine.beat, isAnswered: true } }),
  ],
])

function closed(machine: GatewayMachine, code: number | undefined, problem: string | undefined, moment: Moment): GatewayStep {
  const isClosing = machine.phase === 'closing'
  if (!isClosing && !HAS_SOCKET.has(machine.phase)) return stay(machine)
  const row = gatewayCloseRow(code)
  // We were closing it ourselves; what the other side said at the same moment counts where it forbids what we meant to do.
  if (isClosing && (machine.after !== 'again' || row.follow === 'resume')) return goOn(machine, moment)
  const event = machine.phase === 'dialing' && code === undefined ? 'The gateway cannot be reached' : 'The gateway closed the connection'
  const said = code ?? problem
  const reason = `${said === undefined ? event : `${event} (${said})`}: ${row.meaning}.${row.follow === 'end' ? ` ${row.todo}` : ''}`
  return goOn(afterBreak(machine, { follow: row.follow, reason, closeCode: code }, moment), moment)
}

function stop(machine: GatewayMachine): GatewayStep {
  if (machine.phase === 'closing') return stay({ ...machine, after: 'stop' })
  if (!HAS_SOCKET.has(machine.phase)) return [{ ...STOPPED, attempt: machine.attempt }, NO_TIMERS]
  const closing = { ...STOPPED, attempt: machine.attempt, phase: 'closing', after: 'stop' } as const
  return [closing, [...NO_TIMERS, { do: 'close', code: GATEWAY_OWN_CLOSE_CODES.END_SESSION }, stepIn(CLOSE_MS)]]
}

function start(machine: GatewayMachine, moment: Moment): GatewayStep {
  if (machine.phase === 'closing' && machine.after === 'stop') return stay({ ...machine, after: 'again' })
  if (machine.phase !== 'stopped' && machine.phase !== 'ended') return stay(machine)
  return connect({ ...STOPPED, attempt: machine.attempt }, moment)
}

function asked(machine: GatewayMachine, token: Secret<string>, given: string | undefined, moment: Moment): GatewayStep {
  const url = machine.session?.url ?? given ?? ''
  if (!isGatewayUrl(url)) {
    const reason = "The platform's address of its gateway is none: it must begin with wss:// or ws://. Correct the platform profile."
    return goOn(afterBreak(machine, { follow: 'end', reason }, moment), moment)
  }
  return [{ ...machine, phase: 'dialing', url, token }, [{ do: 'dial', url }, stepIn(HELLO_MS)]]
}

function take(machine: GatewayMachine, input: GatewayInput, moment: Moment): GatewayStep {
  switch (input.kind) {
    case 'start':
      return start(machine, moment)
    case 'stop':
      return stop(machine)
    case 'asked':
    case 'unasked':
      if (machine.phase !== 'asking' || machine.attempt !== input.attempt) return stay(machine)
      if (input.kind === 'asked') return asked(machine, input.token, input.url, moment)
      return goOn(afterBreak(machine, { follow: input.isFinal ? 'end' : 'resume', reason: input.reason }, moment), moment)
    case 'payload':
      if (!HAS_SOCKET.has(machine.phase)) return stay(machine)
      return (OPS.get(input.payload.op) ?? ignored)(machine, input.payload, moment)
    case 'unreadable':
      return HAS_SOCKET.has(machine.phase) ? unreadable(machine, input.problem, moment) : stay(machine)
    case 'closed':
      return closed(machine, input.code, input.problem, moment)
    case 'beat-due':
      return beatDue(machine, moment)
    case 'step-due':
      return stepDue(machine, moment)
    case 'used':
      return stay(machine)
  }
}

/** Things that happen to a live link: moments at which a machine that slept, or whose clock was set, can be noticed. */
const SHOWS_TIME: ReadonlySet<GatewayInput['kind']> = new Set(['payload', 'beat-due', 'used'])

export function step(machine: GatewayMachine, input: GatewayInput, moment: Moment): GatewayStep {
  const { beat } = machine
  if (beat === undefined || !SHOWS_TIME.has(input.kind) || !hasJumped(beat, moment.now)) return take(machine, input, moment)
  const [checked, first] = check(machine, beat, moment)
  if (input.kind === 'beat-due') return [checked, first]
  const [next, then] = take(checked, input, moment)
  return [next, [...first, ...then]]
}
