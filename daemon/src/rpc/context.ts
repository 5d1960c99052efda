/** What a command handler is handed. Handlers know ports, never transports or codecs. */
import type { AccountEndCause, BridgeCommandName, DataOf, ParsedArgsOf, RemovedConnections } from '@sallyport/protocol'
import type { Accounts } from '../auth/accounts/accounts.ts'
import type { Strangers } from '../accounting/strangers.ts'
import type { Window } from '../accounting/window.ts'
import type { Authorizer, DeviceSignIns, TokenEndpoint, TokenKeeper } from '../auth/auth.ts'
import type { BotTokens } from '../auth/tokens/bot-tokens.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { MessageHistory } from '../messages/history.ts'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Grants } from '../auth/grants/grants.ts'
import type { Consent } from '../auth/grants/questions.ts'
import type { ProgramContents } from '../identity/content.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Social } from '../social/social.ts'
import type { GatewayQuestions } from '../events/providers/gateway/questions.ts'
import type { DesktopClient } from '../events/providers/desktop/desktop-client.ts'
import type { Sources } from '../events/sources.ts'
import type { SubscriptionHub } from '../events/hub.ts'
import type { OpenUpload } from '../platform/api/uploads.ts'
import type { Forwarder } from '../platform/api/upstream.ts'
import type { Account } from '../sessions/local-user.ts'
import type { Session } from '../sessions/session.ts'

/** What of the platform's profile handlers work with. */
export interface PlatformFacts {
  /** Behind `<application id>.`: where activities are proxied. */
  readonly activityProxyHost: string
  readonly removedConnections: RemovedConnections
}

/** The parts of the daemon that handlers work with. */
export interface Services {
  readonly clock: Clock
  readonly log: Logger
  readonly authorizer: Authorizer
  readonly devices: DeviceSignIns
  readonly tokenEndpoint: TokenEndpoint
  readonly keeper: TokenKeeper
  /** Which program may use which account. */
  readonly grants: Grants
  /** Reads what programs are made of. */
  readonly contents: ProgramContents
  /** Asks the user whether a program may. */
  readonly consent: Consent
  readonly forwarder: Forwarder
  /** Makes requests with what a program brought and nobody knows to be good. */
  readonly strangers: Strangers
  /** Counts, for each program that is signed in, what the platform refused. */
  readonly refusedRequests: Window
  readonly openUpload: OpenUpload
  /** Direct messages that were read before. */
  readonly history: MessageHistory
  readonly platform: PlatformFacts
  readonly hub: SubscriptionHub<Session>
  /** Where events come from. */
  readonly sources: Pick<Sources, 'welcome'>
  readonly presence: PresenceArbiter
  /** The platform's own client, for what it does better than we can. */
  readonly desktopClient: DesktopClient
  /** What the bot of an application can ask the gateway. */
  readonly gateway: GatewayQuestions
  /** Joining one another's game. */
  readonly social: Social
  readonly account: Account
  /** Tokens for operations that only the bot of an application may do. */
  readonly botTokens: BotTokens
  /** Whether this proof was left by a process with access to the private data folder; true once for each. */
  isOperator(proof: string): boolean
  /** What `GET_BRIDGE_STATUS` answers to this caller; to the operator, with all sessions, when there is none. */
  status(caller?: Session): DataOf<'GET_BRIDGE_STATUS'>
  /** How each account stands that is in use here; everything that begins or ends one is told to it. */
  readonly accounts: Accounts
  /** Ends every use of a user's tokens for an application: they were revoked, by the user unless another cause is named. */
  revoked(applicationId: string, userId: string, reason: string, cause?: AccountEndCause): Promise<void>
}

/** A call that may take time. */
export interface PendingCall {
  /** Stops at the deadline or when the caller leaves. */
  readonly stop: CancelSignal
  /** The same for those who need an AbortSignal, which costs more. */
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
}

export interface CallContext {
  readonly caller: Session
  readonly services: Services
  /** Runs work that takes time under the deadline of this caller, or under `deadlineMs`. */
  wait<T>(work: (call: PendingCall) => Promise<T>, deadlineMs?: number): Promise<T>
}

export type Handler<Name extends BridgeCommandName> = (
  args: NonNullable<ParsedArgsOf<Name>>,
  context: CallContext,
  /** `evt` of the envelope: SUBSCRIBE and UNSUBSCRIBE name their event there. */
  evt: unknown,
) => DataOf<Name> | Promise<DataOf<Name>>

/** A missing or extra handler does not compile. */
export type HandlerMap = { readonly [Name in BridgeCommandName]: Handler<Name> }
