/** The connection as a pure state machine: `step(state, input)` gives the next state and what the shell has to do. */
import type { Restored, Server } from './server.ts'
import { type BackOff, delayBefore } from './backoff.ts'

/** `no-server`: nothing usable listens; `lost`: there was a connection and it broke. */
export type WaitReason = 'no-server' | 'lost'

interface Outage {
  /** Attempts made since there was no connection. */
  readonly attempt: number
  /** When the outage, or the first search, began; milliseconds of the client's clock. */
  readonly sinceMs: number
  /** When a first search is given up; a client that was connected once never gives up. */
  readonly giveUpAtMs?: number
}

/*
 *            connect               greeted, restored
 *  offline ─────────▶ connecting ─────────────────────▶ ready
 *     ▲                 │     ▲                           │
 *     │ given up        ▼     │ timer, or a socket        │ lost
 *     └───────────── waiting ─┘ appeared                  │
 *                       ▲─────────────────────────────────┘
 *  every state ── close ──▶ closed
 */
export type ConnectionState =
  | { readonly name: 'offline'; readonly error?: Error }
  | ({ readonly name: 'connecting'; readonly step: 'finding' | 'restoring' } & Outage)
  | ({
      readonly name: 'ready'
      readonly server: Server
      readonly restored: Restored
      readonly readyAtMs: number
      readonly outageMs: number
    } & Outage)
  | ({ readonly name: 'waiting'; readonly reason: WaitReason; readonly error: Error; readonly delayMs: number } & Outage)
  | { readonly name: 'closed' }

export type Input =
  | { readonly type: 'connect'; readonly nowMs: number; readonly waitMs: number }
  | { readonly type: 'greeted' }
  | { readonly type: 'restored'; readonly server: Server; readonly restored: Restored; readonly nowMs: number }
  /** The search found nothing, or the connection broke. */
  | { readonly type: 'failed'; readonly error: Error; readonly nowMs: number; readonly random: number }
  | { readonly type: 'retry' }
  | { readonly type: 'close' }

/** `find`: look for a server; `restore`: apply the game's wishes; `wait`: give a `retry` after the delay; `drop`: end whatever is open or under way. */
export type Effect =
  | { readonly type: 'find' }
  | { readonly type: 'restore' }
  | { readonly type: 'wait'; readonly delayMs: number }
  | { readonly type: 'drop' }

export interface Policy {
  readonly reconnect: boolean
  readonly backOff: BackOff
}

export type Step = readonly [state: ConnectionState, effects: readonly Effect[]]

const outageOf = ({ attempt, sinceMs, giveUpAtMs }: Outage): Outage => ({
  attempt,
  sinceMs,
  ...(giveUpAtMs === undefined ? {} : { giveUpAtMs }),
})

const finding = (outage: Outage): Step => [{ name: 'connecting', step: 'finding', ...outage }, [{ type: 'find' }]]

const DROP: Effect = { type: 'drop' }

function afterFailure(state: ConnectionState & Outage, input: Extract<Input, { type: 'failed' }>, policy: Policy): Step {
  const { error, nowMs, random } = input
  const wasReady = state.name === 'ready'
  if (wasReady && !policy.reconnect) return [{ name: 'offline', error }, [DROP]]
  if (state.giveUpAtMs !== undefined && nowMs >= state.giveUpAtMs) return [{ name: 'offline', error }, [DROP]]
  // A connection that held ends the outage; one that broke at once was a part of it.
  const held = wasReady && nowMs - state.readyAtMs >= policy.backOff.stableMs
  const attempt = held ? 0 : state.attempt
  const sinceMs = held ? nowMs : state.sinceMs
  const wanted = delayBefore(attempt, nowMs - sinceMs, random, policy.backOff)
  const delayMs = state.giveUpAtMs === undefined ? wanted : Math.min(wanted, state.giveUpAtMs - nowMs)
  const reason = wasReady || (state.name === 'connecting' && state.step === 'restoring') ? 'lost' : 'no-server'
  return [
    { name: 'waiting', reason, error, delayMs, ...outageOf({ ...state, attempt: attempt + 1, sinceMs }) },
    [DROP, { type: 'wait', delayMs }],
  ]
}

/** Inputs that a state does not expect change nothing: they are late news of something already over. */
export function step(state: ConnectionState, input: Input, policy: Policy): Step {
  switch (input.type) {
    case 'connect':
      if (state.name === 'offline') return finding({ attempt: 0, sinceMs: input.nowMs, giveUpAtMs: input.nowMs + input.waitMs })
      return state.name === 'waiting' ? finding(outageOf(state)) : [state, []]
    case 'retry':
      return state.name === 'waiting' ? finding(outageOf(state)) : [state, []]
    case 'greeted':
      if (state.name !== 'connecting' || state.step !== 'finding') return [state, []]
      return [{ name: 'connecting', step: 'restoring', ...outageOf(state) }, [{ type: 'restore' }]]
    case 'restored': {
      if (state.name !== 'connecting' || state.step !== 'restoring') return [state, []]
      const { server, restored, nowMs } = input
      const { attempt, sinceMs } = state
      return [{ name: 'ready', server, restored, attempt, sinceMs, readyAtMs: nowMs, outageMs: nowMs - sinceMs }, []]
    }
    case 'failed':
      return state.name === 'connecting' || state.name === 'ready' ? afterFailure(state, input, policy) : [state, []]
    case 'close':
      return state.name === 'closed' ? [state, []] : [{ name: 'closed' }, [{ type: 'drop' }]]
  }
}
