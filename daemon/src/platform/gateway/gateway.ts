/** A connection to the platform's gateway as the rest of the daemon sees it: it comes back by itself until it is stopped or must not. */
import type { Secret } from '@sallyport/core/secret'

/** Who a connection speaks for: the bot of an application, or a user who signed in to it. */
export type GatewayParty =
  | { readonly kind: 'bot'; readonly applicationId: string }
  | { readonly kind: 'user'; readonly applicationId: string; readonly userId: string }

/** Op 0. */
export interface GatewayDispatch {
  /** Name of the event. */
  readonly t: string
  readonly s: number
  readonly d: unknown
}

/**
 * `waiting`: until it tries again, or until a session may be begun. `ended`: it must not try again by itself. `reason` says what is wrong,
 * and of `ended` what to do.
 */
export interface GatewayState {
  readonly name: 'connecting' | 'live' | 'waiting' | 'ended'
  /** Of `ended`: the code with which the other side closed, if it was that. */
  readonly closeCode?: number
  /** As a sentence, where something is wrong. */
  readonly reason?: string
}

export interface GatewayLinkOptions {
  /** The value of `token` of Identify and Resume, scheme included, asked anew for each. Rejects with BridgeError when there is none. */
  readonly token: () => Promise<Secret<string>>
  /** Base address, without query; asked for each new session. Rejects with BridgeError. */
  readonly url: () => Promise<string>
  readonly intents: number
  /** Bits of Identify's `capabilities`; 0 leaves the field out. */
  readonly capabilities: number
  readonly compress: 'none' | 'zlib-stream' | 'zstd-stream'
  /** What Identify says of the presence; undefined: nothing. */
  readonly presence: () => object | undefined
  /** READY and RESUMED included, in order. */
  readonly onDispatch: (dispatch: GatewayDispatch) => void
  readonly onState: (state: GatewayState) => void
}

export interface GatewayLink {
  readonly state: GatewayState
  /** Payloads that meant nothing here, since it was made. */
  readonly ignored: number
  /** From the beginning, also after it was stopped or has ended. */
  start(): void
  /** Sends within the budget, newest-last; resolves when it went out. Rejects with SERVICE_UNAVAILABLE when the link is not live, RATE_LIMITED when too much waits. */
  send(op: number, d: unknown): Promise<void>
  /** Ends the session. Resolves when the connection is gone; nothing is told any more. */
  stop(): Promise<void>
}
