/** The public types of the client: options, state, subscriptions and the result of a sign-in. */
import type { ArgsOf, CommandName, DataOf } from '@sallyport/protocol'
import type { EncodingName } from '@sallyport/protocol/wire'
import type { Environment } from './environment.ts'
import type { ConnectionState } from './machine.ts'

/** Commands for `call`; subscriptions go through `on`, which survives reconnects. */
export type CallableCommand = Exclude<CommandName, 'SUBSCRIBE' | 'UNSUBSCRIBE'>

export interface CallOptions {
  /** Cancels the call; the promise rejects with the signal's reason. The server may still execute the call. */
  readonly signal?: AbortSignal
  /** Milliseconds to wait for the response; default: `callTimeoutMs` of the client. */
  readonly timeoutMs?: number
  /**
   * Key of a call that takes effect at most once: 32 hexadecimal digits in lower case. Default: a new one for each call of a command that takes a
   * key, if the client reconnects. A game that stored a call with its key can repeat it after it was killed, within five minutes of the first call;
   * `newCallKey` makes one.
   */
  readonly key?: string
}

/** Arguments of `call` after the command name: the command's arguments are optional only if the command requires none. */
export type CallParameters<Name extends CallableCommand> =
  Record<never, never> extends ArgsOf<Name> ? [args?: ArgsOf<Name>, options?: CallOptions] : [args: ArgsOf<Name>, options?: CallOptions]

export type CallResult<Name extends CallableCommand> = DataOf<Name>

/** The presence as SET_ACTIVITY takes it. */
export type Activity = NonNullable<ArgsOf<'SET_ACTIVITY'>['activity']>

/** How long to wait between attempts, in milliseconds. */
export interface ReconnectOptions {
  /** Longest wait in the first minute of an outage. Default 500. */
  readonly earlyCapMs?: number
  /** Longest wait after that. Default 5,000. */
  readonly capMs?: number
}

export interface ClientOptions {
  /** The application's id, decimal text. */
  readonly applicationId: string
  /** The only directory to search for sockets. Default: the discovery rule (XDG_RUNTIME_DIR, TMPDIR, TMP, TEMP, /tmp); if other users can write there, this user's folder below it. Not used on Windows. */
  readonly runtimeDir?: string
  /** The only slot to try, 0 to 9; default: all, ascending. */
  readonly slot?: number
  /** First part of the socket's name. Default `discord-ipc`. */
  readonly ipcPrefix?: string
  /** Requested encoding; the client falls back to JSON if the server does not support it. Default `json`. */
  readonly encoding?: EncodingName
  /** Whether the client ignores servers that are not a Sallyport bridge. Default false: the client prefers a bridge and accepts any server. */
  readonly requireBridge?: boolean
  /**
   * Whether the platform's own client is also used where it is installed as a Flatpak or Snap. Contained programs can listen there too, and then
   * get the presence and the tokens of the game. Default false. No effect with `requireBridge`.
   */
  readonly allowPackagedClient?: boolean
  /** `false`: the client does not reconnect. */
  readonly reconnect?: false | ReconnectOptions
  /** Milliseconds to wait for a response. Default: 5,000 more than the daemon's own limit (30,000, or the value of SET_HTTP_REQUEST_TIMEOUT), so that its error arrives first. */
  readonly callTimeoutMs?: number
  /** Name and version of the game or tool; the daemon shows them to its user. */
  readonly sdkVersion?: string
  /** Clock, randomness and system access; tests replace them. */
  readonly environment?: Partial<Environment>
}

export interface ConnectOptions {
  /** Milliseconds to search for a server. Default 0: one scan. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface WaitOptions {
  /** Milliseconds; default: no limit. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** `revoked`: the player or the platform revoked the permission; the game must request it again. */
export type AccountState = 'signed-out' | 'signed-in' | 'revoked'

/** `waiting`: not confirmed on the current connection, or no connection; `refused`: `error` is the reason. */
export type SubscriptionStatus = 'waiting' | 'active' | 'refused' | 'closed'

export interface Subscription {
  /** Resolves when the server confirms the subscription for the first time; rejects with CallError if the server refuses it. Never causes an unhandled rejection. */
  readonly active: Promise<void>
  /** The current status. The client retries a refused subscription after the next sign-in or reconnect, and periodically if the error is transient. */
  readonly status: SubscriptionStatus
  /** The error of the last refusal. */
  readonly error: Error | undefined
  /** Removes the listener; removing the last listener unsubscribes at the server. Safe to call more than once. */
  close(): void
}

export interface SignInOptions extends CallOptions {
  /** Requested scopes, e.g. DEFAULT_PRESENCE_SCOPES of the protocol package. */
  readonly scopes: readonly string[]
  /** `none`: fail instead of prompting the player. */
  readonly prompt?: 'consent' | 'none'
}

export type SignedIn = DataOf<'AUTHENTICATE'> & {
  /** The daemon did not store the sign-in: it is valid for this connection only, and the player must consent again next time. */
  readonly kept?: false
  /** Why, as a sentence for developers. */
  readonly not_kept_reason?: string
}
export type CurrentUser = SignedIn['user']

/**
 * The end of a presence that was set without a connection: `activity` as the server shows it, null after a clear; or `error`, by which the
 * server refused it or did not answer.
 */
export type PresenceReport =
  | { readonly activity: CallResult<'SET_ACTIVITY'>; readonly error?: undefined }
  | { readonly activity?: undefined; readonly error: Error }

export type StateListener = (state: ConnectionState) => void
export type AccountListener = (account: AccountState) => void
export type PresenceListener = (report: PresenceReport) => void
