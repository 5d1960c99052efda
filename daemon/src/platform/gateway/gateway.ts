/** Public types of the gateway client. A gateway connection reconnects automatically until it is stopped or a reconnect is forbidden. */
import type { Secret } from '@sallyport/core/secret'
import type { TakerOf } from './large-payload.ts'

/** The identity of a connection: an application's bot, or a user signed in to the application. */
export type GatewayIdentity =
  | { readonly kind: 'bot'; readonly applicationId: string }
  | { readonly kind: 'user'; readonly applicationId: string; readonly userId: string }

/** Op 0. */
export interface GatewayDispatch {
  /** Event name. */
  readonly t: string
  readonly s: number
  readonly d: unknown
}

/**
 * `waiting`: for the next attempt, or until a session may begin. `ended`: no automatic reconnect. `reason` describes the problem; for
 * `ended` it also gives advice.
 */
export interface GatewayState {
  readonly name: 'connecting' | 'live' | 'waiting' | 'ended'
  /** For `ended`: the close code of the gateway, if it closed the connection. */
  readonly closeCode?: number
  /** The problem as a sentence, if there is one. */
  readonly reason?: string
}

export interface GatewayConnectionOptions {
  /** Returns the `token` for Identify and Resume, including its scheme; called for each. Rejects with BridgeError if there is none. */
  readonly token: () => Promise<Secret<string>>
  /** Returns the base URL without query; called for each new session. Rejects with BridgeError. */
  readonly url: () => Promise<string>
  readonly intents: number
  /** Bits for `capabilities` in Identify; 0 omits the field. */
  readonly capabilities: number
  readonly compress: 'none' | 'zlib-stream' | 'zstd-stream'
  /** The presence for Identify; undefined omits it. */
  readonly presence: () => object | undefined
  /** Receives all dispatches in order, including READY and RESUMED. */
  readonly onDispatch: (dispatch: GatewayDispatch) => void
  readonly onState: (state: GatewayState) => void
  /** Takes arrays of large dispatches while they are parsed. What it returns is in their place. */
  readonly takerOf: TakerOf
}

export interface GatewayConnection {
  readonly state: GatewayState
  /** Number of ignored payloads since creation. */
  readonly ignored: number
  /** Starts a new session, also after the connection was stopped or has ended. */
  start(): void
  /** Resolves when the payload is sent. Rejects with SERVICE_UNAVAILABLE unless live, or RATE_LIMITED if the queue is full. */
  send(op: number, d: unknown): Promise<void>
  /** Ends the session. Resolves when the socket is closed; no callback runs afterwards. */
  stop(): Promise<void>
}
