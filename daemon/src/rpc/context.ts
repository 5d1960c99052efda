/** What command handlers receive. Handlers depend on interfaces, never on transports or codecs. */
import type { AccountEndCause, BridgeCommandName, DataOf, ParsedArgsOf, RemovedConnections } from '@sallyport/protocol'
import type { Accounts } from '../auth/accounts/accounts.ts'
import type { UnverifiedRequests } from '../accounting/unverified-requests.ts'
import type { Window } from '../accounting/window.ts'
import type { Authorizer, DeviceSignIns, TokenEndpoint, TokenStore } from '../auth/auth.ts'
import type { BotTokens } from '../auth/tokens/bot-tokens.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { MessageHistory } from '../messages/history.ts'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Grants } from '../auth/grants/grants.ts'
import type { Consent } from '../auth/grants/consent-prompts.ts'
import type { ProgramContents } from '../identity/content.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Social } from '../social/social.ts'
import type { BotRequests } from '../events/providers/gateway/bot-requests.ts'
import type { DesktopClient } from '../events/providers/desktop/desktop-client.ts'
import type { EventProviders } from '../events/providers.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { OpenUpload } from '../platform/api/uploads.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'
import type { LocalUser } from '../sessions/local-user.ts'
import type { Session } from '../sessions/session.ts'

/** Facts of the platform's profile that handlers use. */
export interface PlatformFacts {
  /** Host name after `<application id>.` under which the platform proxies activities. */
  readonly activityProxyHost: string
  readonly removedConnections: RemovedConnections
}

/** The parts of the daemon that handlers use. */
export interface Services {
  readonly clock: Clock
  readonly log: Logger
  readonly authorizer: Authorizer
  readonly devices: DeviceSignIns
  readonly tokenEndpoint: TokenEndpoint
  readonly tokenStore: TokenStore
  /** Which program may use which account. */
  readonly grants: Grants
  /** Reads the digests of programs. */
  readonly contents: ProgramContents
  /** Prompts the user to allow a program. */
  readonly consentPrompts: Consent
  readonly forwarder: Forwarder
  /** Sends requests with credentials that a program supplied and that are not verified yet. */
  readonly unverifiedRequests: UnverifiedRequests
  /** Counts the requests of each signed-in program that the platform rejected. */
  readonly rejectedRequests: Window
  readonly openUpload: OpenUpload
  /** Cached direct messages. */
  readonly messageHistory: MessageHistory
  readonly platform: PlatformFacts
  readonly subscriptions: SubscriptionRegistry<Session>
  /** The providers of events. */
  readonly eventProviders: Pick<EventProviders, 'confirm'>
  readonly presence: PresenceArbiter
  /** The desktop client, for commands that it handles better than the daemon. */
  readonly desktopClient: DesktopClient
  /** Gateway requests by the bot of an application. */
  readonly botRequests: BotRequests
  /** Invites, join requests and launches of games. */
  readonly social: Social
  readonly localUser: LocalUser
  /** Tokens for operations that only the bot of an application may call. */
  readonly botTokens: BotTokens
  /** True once for each proof that a process with access to the private data folder created. */
  redeemOperatorProof(proof: string): boolean
  /** Result of `GET_BRIDGE_STATUS` for this session. Without a session: for the operator, with all sessions. */
  status(session?: Session): DataOf<'GET_BRIDGE_STATUS'>
  /** The state of each account in use. It receives every event that begins or ends an account. */
  readonly accounts: Accounts
  /** Ends every use of a user's revoked tokens for an application. Default cause: the user. */
  revokeAccount(applicationId: string, userId: string, reason: string, cause?: AccountEndCause): Promise<void>
}

/** The deadline of a call that takes time, and the signals that cancel it. */
export interface CallDeadline {
  /** Fires at the deadline or when the session ends. */
  readonly cancelSignal: CancelSignal
  /** The same as an AbortSignal, which costs more. */
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
}

export interface CallContext {
  readonly session: Session
  readonly services: Services
  /** Runs work under the deadline of this session, or under `deadlineMs`. */
  withDeadline<T>(work: (call: CallDeadline) => Promise<T>, deadlineMs?: number): Promise<T>
}

export type Handler<Name extends BridgeCommandName> = (
  args: NonNullable<ParsedArgsOf<Name>>,
  context: CallContext,
  /** `evt` of the envelope: SUBSCRIBE and UNSUBSCRIBE name their event there. */
  evt: unknown,
) => DataOf<Name> | Promise<DataOf<Name>>

/** A missing or extra handler does not compile. */
export type HandlerMap = { readonly [Name in BridgeCommandName]: Handler<Name> }
