/** The connection as a pure state machine: `step(state, input)` returns the next state and the effects to perform. */
import type { Restored, Server } from './server.ts'
import { type Backoff, delayBefore } from './backoff.ts'

/** `no-server`: no usable server was found; `lost`: the connection ended. */
export type WaitReason = 'no-server' | 'lost'

interface Outage {
  /** Attempts since the connection was lost. */
  readonly attempt: number
  /** Start of the outage or of the first search; milliseconds of the client's clock. */
  readonly sinceMs: number
  /** End of the first search; a client that was connected once never stops searching. */
  readonly giveUpAtMs?: number
}

/*
 *            connect              connected, restored
 *  offline ─────────▶ connecting ─────────────────────▶ ready
 *     ▲                 │     ▲                           │
 *     │ timeout         ▼     │ timer, or a socket        │ lost
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
  | { readonly type: 'connect'; readonly nowMs: number; readonly timeoutMs: number }
  | { readonly type: 'connected' }
  | { readonly type: 'restored'; readonly server: Server; readonly restored: Restored; readonly nowMs: number }
  /** The search found no server, or the connection ended. */
  | { readonly type: 'failed'; readonly error: Error; readonly nowMs: number; readonly random: number }
  | { readonly type: 'retry' }
  | { readonly type: 'close' }

/** `find`: search for a server; `restore`: apply the desired state; `wait`: send a `retry` after the delay; `disconnect`: end the search and the connection. */
export type Effect =
  | { readonly type: 'find' }
  | { readonly type: 'restore' }
  | { readonly type: 'wait'; readonly delayMs: number }
  | { readonly type: 'disconnect' }

export interface Policy {
  readonly reconnect: boolean
  readonly backoff: Backoff
}

export type Step = readonly [state: ConnectionState, effects: readonly Effect[]]

const toOutage = ({ attempt, sinceMs, giveUpAtMs }: Outage): Outage => ({
  attempt,
  sinceMs,
  ...(giveUpAtMs === undefined ? {} : { giveUpAtMs }),
})

const finding = (outage: Outage): Step => [{ name: 'connecting', step: 'finding', ...outage }, [{ type: 'find' }]]

const DISCONNECT: Effect = { type: 'disconnect' }

function afterFailure(state: ConnectionState & Outage, input: Extract<Input, { type: 'failed' }>, policy: Policy): Step {
  const { error, nowMs, random } = input
  const wasReady = state.name === 'ready'
  if (wasReady && !policy.reconnect) return [{ name: 'offline', error }, [DISCONNECT]]
  if (state.giveUpAtMs !== undefined && nowMs >= state.giveUpAtMs) return [{ name: 'offline', error }, [DISCONNECT]]
  // A stable connection ends the outage; a connection that ended at once is part of it.
  const wasStable = wasReady && nowMs - state.readyAtMs >= policy.backoff.stableMs
  const attempt = wasStable ? 0 : state.attempt
  const sinceMs = wasStable ? nowMs : state.sinceMs
  const backoffMs = delayBefore(attempt, nowMs - sinceMs, random, policy.backoff)
  const delayMs = state.giveUpAtMs === undefined ? backoffMs : Math.min(backoffMs, state.giveUpAtMs - nowMs)
  const reason = wasReady || (state.name === 'connecting' && state.step === 'restoring') ? 'lost' : 'no-server'
  return [
    { name: 'waiting', reason, error, delayMs, ...toOutage({ ...state, attempt: attempt + 1, sinceMs }) },
    [DISCONNECT, { type: 'wait', delayMs }],
  ]
}

/** A state ignores inputs that it does not expect, because they belong to an earlier state. */
export function step(state: ConnectionState, input: Input, policy: Policy): Step {
  switch (input.type) {
    case 'connect':
      if (state.name === 'offline') return finding({ attempt: 0, sinceMs: input.nowMs, giveUpAtMs: input.nowMs + input.timeoutMs })
      return state.name === 'waiting' ? finding(toOutage(state)) : [state, []]
    case 'retry':
      return state.name === 'waiting' ? finding(toOutage(state)) : [state, []]
    case 'connected':
      if (state.name !== 'connecting' || state.step !== 'finding') return [state, []]
      return [{ name: 'connecting', step: 'restoring', ...toOutage(state) }, [{ type: 'restore' }]]
    case 'restored': {
      if (state.name !== 'connecting' || state.step !== 'restoring') return [state, []]
      const { server, restored, nowMs } = input
      const { attempt, sinceMs } = state
      return [{ name: 'ready', server, restored, attempt, sinceMs, readyAtMs: nowMs, outageMs: nowMs - sinceMs }, []]
    }
    case 'failed':
      return state.name === 'connecting' || state.name === 'ready' ? afterFailure(state, input, policy) : [state, []]
    case 'close':
      return state.name === 'closed' ? [state, []] : [{ name: 'closed' }, [{ type: 'disconnect' }]]
  }
}
