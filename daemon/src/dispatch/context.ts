/** What a command handler is handed. Handlers know ports, never transports or codecs. */
import type { BridgeCommandName, DataOf, ParsedArgsOf } from '@sallyport/protocol'
import type { Authorizer, TokenEndpoint, TokenKeeper } from '../auth/auth.ts'
import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Secret } from '../core/secret.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { SubscriptionHub } from '../subscriptions/hub.ts'
import type { Forwarder } from '../upstream/upstream.ts'
import type { Account } from '../auth/account.ts'
import type { Caller } from './caller.ts'

/** The parts of the daemon that handlers work with. */
export interface Services {
  readonly clock: Clock
  readonly log: Logger
  readonly authorizer: Authorizer
  readonly tokenEndpoint: TokenEndpoint
  readonly keeper: TokenKeeper
  readonly forwarder: Forwarder
  readonly hub: SubscriptionHub
  readonly presence: PresenceArbiter
  readonly account: Account
  /** Token for operations that only the application's bot may do, when the operator stored one. */
  readonly botToken: Secret<string> | undefined
  /** What `GET_BRIDGE_STATUS` answers. */
  status(): DataOf<'GET_BRIDGE_STATUS'>
  /** Ends every use of a user's tokens for an application: they were revoked. */
  revoked(applicationId: string, userId: string, reason: string): Promise<void>
}

/** A call that may take time. */
export interface PendingCall {
  /** Aborts at the deadline or when the caller leaves. */
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
}

export interface CallContext {
  readonly caller: Caller
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
