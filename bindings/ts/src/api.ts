/** The types of the client's public surface: options, state, subscriptions and what signing in gives. */
import type { ArgsOf, CommandName, DataOf } from '@sallyport/protocol'
import type { EncodingName } from '@sallyport/protocol/wire'
import type { Ports } from './ports.ts'
import type { ConnectionState } from './machine.ts'

/** Commands for `call`; subscriptions go through `on`, which survives reconnects. */
export type CallableCommand = Exclude<CommandName, 'SUBSCRIBE' | 'UNSUBSCRIBE'>

export interface CallOptions {
  /** Gives the call up; the promise rejects with the signal's reason. The server may still carry it out. */
  readonly signal?: AbortSignal
  /** Milliseconds to wait for the answer; default: `callTimeoutMs` of the client. */
  readonly timeoutMs?: number
}

/** Arguments of `call` after the command: the command's own are optional only where the command needs none. */
export type CallRest<Name extends CallableCommand> =
  Record<never, never> extends ArgsOf<Name> ? [args?: ArgsOf<Name>, options?: CallOptions] : [args: ArgsOf<Name>, options?: CallOptions]

export type CallAnswer<Name extends CallableCommand> = DataOf<Name>

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
  /** The only directory to look for sockets in; default: the discovery rule (XDG_RUNTIME_DIR, TMPDIR, TMP, TEMP, /tmp), where others may write this user's own folder below it. Not used on Windows. */
  readonly runtimeDir?: string
  /** The only slot to try, 0 to 9; default: all, ascending. */
  readonly slot?: number
  /** First part of the socket's name. Default `discord-ipc`. */
  readonly ipcPrefix?: string
  /** Encoding to ask for; a server that does not know the choice gets JSON. Default `json`. */
  readonly encoding?: EncodingName
  /** Whether a server of the protocol that is not a Sallyport bridge is passed over. Default false: a bridge is preferred, any server will do. */
  readonly requireBridge?: boolean
  /** `false`: a lost connection stays lost. */
  readonly reconnect?: false | ReconnectOptions
  /** Milliseconds to wait for an answer. Default: 5,000 more than the daemon takes, which is 30,000 or what SET_HTTP_REQUEST_TIMEOUT set, so that its error wins. */
  readonly callTimeoutMs?: number
  /** Name and version of the game or tool, shown to people who look at the daemon. */
  readonly sdkVersion?: string
  /** Time, randomness and the system, for tests. */
  readonly ports?: Partial<Ports>
}

export interface ConnectOptions {
  /** Milliseconds to keep looking for a server. Default 0: one scan. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

export interface WaitOptions {
  /** Milliseconds; default: no limit. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** `revoked`: the player or the platform took the permission back; the game must ask again. */
export type AccountState = 'signed-out' | 'signed-in' | 'revoked'

/** `waiting`: not confirmed on the present connection, or there is none; `refused`: `refusal` says why. */
export type SubscriptionStatus = 'waiting' | 'active' | 'refused' | 'closed'

export interface Subscription {
  /** Resolves once the server has confirmed it for the first time; rejects with CallError when refused. Never causes an unhandled rejection. */
  readonly active: Promise<void>
  /** How it stands now. One that is refused is asked for again after the next sign-in or reconnect, and by itself when the reason may pass. */
  readonly status: SubscriptionStatus
  /** Why it is refused. */
  readonly refusal: Error | undefined
  /** Stops the listener; the last one of its kind ends the subscription at the server. Repeating it is fine. */
  close(): void
}

export interface SignInOptions extends CallOptions {
  /** What to ask the player for, e.g. DEFAULT_PRESENCE_SCOPES of the protocol package. */
  readonly scopes: readonly string[]
  /** `none`: succeed without asking or fail. */
  readonly prompt?: 'consent' | 'none'
}

export type SignedIn = DataOf<'AUTHENTICATE'> & {
  /** The daemon could not keep the sign-in: it holds for this connection, and the player is asked again next time. */
  readonly kept?: false
}
export type CurrentUser = SignedIn['user']

export type StateListener = (state: ConnectionState) => void
export type AccountListener = (account: AccountState) => void
