/** The life of a gateway connection as data: what it is in, what can happen to it, and what can follow. step.ts says which follows which. */
import type { Secret } from '@sallyport/core/secret'
import type { GatewayDispatch, GatewayState } from './gateway.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { GatewayPayload, GatewaySession } from './payload.ts'

export const GATEWAY_PHASES = ['stopped', 'asking', 'dialing', 'greeted', 'entering', 'live', 'closing', 'waiting', 'ended'] as const

/**
 * `asking`: for address and token. `dialing`: until Hello. `greeted`: until it may identify. `entering`: until READY or RESUMED.
 * `closing`: until the socket is gone. `waiting`: before the next try. From `dialing` to `closing`, and only then, there is a socket.
 */
export type GatewayPhase = (typeof GATEWAY_PHASES)[number]

export interface GatewayMachine {
  readonly phase: GatewayPhase
  /** Counts the times that address and token were asked for, so that an answer that comes too late is known. */
  readonly attempt: number
  /** Address of the connection, without query. */
  readonly url: string
  readonly token: Secret<string> | undefined
  /** Undefined: there is nothing to resume. */
  readonly session: GatewaySession | undefined
  /** Number of the last event of the session. */
  readonly seq: number | null
  /** When the session was last live, in ms since the epoch. */
  readonly liveUntil: number
  /** When the connection became live. */
  readonly liveSince: number
  readonly beat: Heartbeat | undefined
  /** Tries in a row that came to nothing. */
  readonly failures: number
  /** Of these, times that a Resume was sent in vain. */
  readonly refusals: number
  /** What comes after `closing`. */
  readonly after: 'again' | 'end' | 'stop'
  /** ms to wait before the next try. */
  readonly pauseMs: number
  /** What is wrong, as a sentence. */
  readonly problem: string | undefined
  /** The code with which the other side closed last. */
  readonly closeCode: number | undefined
}

export type GatewayInput =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'asked'; readonly attempt: number; readonly token: Secret<string>; readonly url: string | undefined }
  | { readonly kind: 'unasked'; readonly attempt: number; readonly reason: string; readonly isFinal: boolean }
  | { readonly kind: 'payload'; readonly payload: GatewayPayload }
  | { readonly kind: 'unreadable'; readonly problem: string }
  | { readonly kind: 'closed'; readonly code: number | undefined; readonly problem: string | undefined }
  /** A timer ran out. */
  | { readonly kind: 'beat-due' }
  | { readonly kind: 'step-due' }
  /** Somebody uses the link: a good moment to see whether it lives. */
  | { readonly kind: 'used' }

export type GatewayTimer = 'beat' | 'step'

export type GatewayEffect =
  | { readonly do: 'ask'; readonly attempt: number; readonly needsUrl: boolean }
  | { readonly do: 'dial'; readonly url: string }
  | { readonly do: 'identify'; readonly token: Secret<string> }
  | { readonly do: 'resume'; readonly token: Secret<string>; readonly session: GatewaySession; readonly seq: number | null }
  /** `isAsked`: the platform wants one, which is owed only as far as the budget goes. */
  | { readonly do: 'beat'; readonly seq: number | null; readonly isAsked: boolean }
  | { readonly do: 'close'; readonly code: number }
  | { readonly do: 'destroy' }
  /** Sets the timer anew. */
  | { readonly do: 'time'; readonly timer: GatewayTimer; readonly ms: number }
  | { readonly do: 'untime'; readonly timer: GatewayTimer }
  | { readonly do: 'tell'; readonly dispatch: GatewayDispatch }
  | { readonly do: 'ignore'; readonly op: number }

export interface Moment {
  /** ms since the epoch. */
  readonly now: number
  /** A number from 0 to 1. */
  readonly chance: number
  /** ms until a session may be begun; undefined when none may any more. */
  readonly identifyInMs: number | undefined
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
  beat: undefined,
  failures: 0,
  refusals: 0,
  after: 'again',
  pauseMs: 0,
  problem: undefined,
  closeCode: undefined,
}

/** Nothing can be had of it soon. */
const IS_HELD_UP: ReadonlySet<GatewayPhase> = new Set(['stopped', 'greeted', 'closing', 'waiting'])

/** As the rest of the daemon sees it. */
export function shownState({ phase, after, problem, closeCode }: GatewayMachine): GatewayState {
  const reason = problem === undefined ? {} : { reason: problem }
  if (phase === 'live') return { name: 'live' }
  if (phase === 'ended') return { name: 'ended', ...reason, ...(closeCode === undefined ? {} : { closeCode }) }
  if (phase === 'closing' && after === 'end') return { name: 'ended', ...reason }
  return { name: IS_HELD_UP.has(phase) ? 'waiting' : 'connecting', ...reason }
}
