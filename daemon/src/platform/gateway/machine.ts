/** The state machine of a gateway connection as data: phases, inputs and effects. step.ts defines the transitions. */
import type { Secret } from '@sallyport/core/secret'
import type { GatewayDispatch, GatewayState } from './gateway.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { GatewayPayload, GatewaySession } from './payload.ts'

export const GATEWAY_PHASES = [
  'stopped',
  'resolving',
  'connecting',
  'throttled',
  'authenticating',
  'live',
  'closing',
  'backoff',
  'ended',
] as const

/**
 * `resolving`: gets URL and token. `connecting`: until Hello. `throttled`: until it may identify. `authenticating`: until READY or RESUMED.
 * `closing`: until the socket is closed. `backoff`: until the next attempt. A socket exists from `connecting` to `closing` only.
 */
export type GatewayPhase = (typeof GATEWAY_PHASES)[number]

export interface GatewayMachine {
  readonly phase: GatewayPhase
  /** Counts the resolve requests, so that a late result is recognized. */
  readonly attempt: number
  /** URL of the connection, without query. */
  readonly url: string
  readonly token: Secret<string> | undefined
  /** The resumable session; undefined if there is none. */
  readonly session: GatewaySession | undefined
  /** Sequence number of the last event in the session. */
  readonly seq: number | null
  /** When the session was last live, in ms since the epoch. */
  readonly liveUntil: number
  /** When the connection became live. */
  readonly liveSince: number
  readonly heartbeat: Heartbeat | undefined
  /** Consecutive failed attempts. */
  readonly failures: number
  /** Rejected Resumes among them. */
  readonly refusals: number
  /** What follows `closing`. */
  readonly after: 'reconnect' | 'end' | 'stop'
  /** ms until the next attempt. */
  readonly backoffMs: number
  /** The problem as a sentence. */
  readonly problem: string | undefined
  /** The last close code of the gateway. */
  readonly closeCode: number | undefined
}

export type GatewayInput =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'resolved'; readonly attempt: number; readonly token: Secret<string>; readonly url: string | undefined }
  | { readonly kind: 'resolve-failed'; readonly attempt: number; readonly reason: string; readonly isFinal: boolean }
  | { readonly kind: 'payload'; readonly payload: GatewayPayload }
  | { readonly kind: 'unreadable'; readonly problem: string }
  | { readonly kind: 'closed'; readonly code: number | undefined; readonly problem: string | undefined }
  /** A timer expired. */
  | { readonly kind: 'heartbeat-due' }
  | { readonly kind: 'phase-due' }
  /** A caller wants to send, which is a good time for a liveness check. */
  | { readonly kind: 'send-requested' }

export type GatewayTimer = 'heartbeat' | 'phase'

export type GatewayEffect =
  | { readonly do: 'resolve'; readonly attempt: number; readonly needsUrl: boolean }
  | { readonly do: 'dial'; readonly url: string }
  | { readonly do: 'identify'; readonly token: Secret<string> }
  | { readonly do: 'resume'; readonly token: Secret<string>; readonly session: GatewaySession; readonly seq: number | null }
  /** `isRequested`: the gateway requested it; it is sent only if the send limit allows. */
  | { readonly do: 'heartbeat'; readonly seq: number | null; readonly isRequested: boolean }
  | { readonly do: 'close'; readonly code: number }
  | { readonly do: 'destroy' }
  /** Sets the timer, replacing the previous one. */
  | { readonly do: 'set-timer'; readonly timer: GatewayTimer; readonly ms: number }
  | { readonly do: 'clear-timer'; readonly timer: GatewayTimer }
  | { readonly do: 'dispatch'; readonly dispatch: GatewayDispatch }
  | { readonly do: 'ignore'; readonly op: number }

export interface StepContext {
  /** ms since the epoch. */
  readonly now: number
  /** A number from 0 to 1. */
  readonly jitter: number
  /** ms until a session may start; undefined if the daily limit is reached. */
  readonly msUntilIdentify: number | undefined
}

export type GatewayStep = readonly [GatewayMachine, readonly GatewayEffect[]]

export const STOPPED: GatewayMachine = {
  phase: 'stopped',
  attempt: 0,
  url: '',
  token: undefined,
  session: undefined,
  seq: null,
  liveUntil: 0,
  liveSince: 0,
  heartbeat: undefined,
  failures: 0,
  refusals: 0,
  after: 'reconnect',
  backoffMs: 0,
  problem: undefined,
  closeCode: undefined,
}

/** Phases that do not become live soon. */
const IS_WAITING: ReadonlySet<GatewayPhase> = new Set(['stopped', 'throttled', 'closing', 'backoff'])

/** The state for the rest of the daemon. */
export function publicState({ phase, after, problem, closeCode }: GatewayMachine): GatewayState {
  const reason = problem === undefined ? {} : { reason: problem }
  if (phase === 'live') return { name: 'live' }
  if (phase === 'ended') return { name: 'ended', ...reason, ...(closeCode === undefined ? {} : { closeCode }) }
  if (phase === 'closing' && after === 'end') return { name: 'ended', ...reason }
  return { name: IS_WAITING.has(phase) ? 'waiting' : 'connecting', ...reason }
}
