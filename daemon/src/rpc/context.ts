/** What command handlers receive with each call. What they depend on is given to the factory of their family. */
import type { BridgeCommandName, DataOf, ParsedArgsOf } from '@sallyport/protocol'
import type { WithWarnings } from '../ipc/connection/with-warnings.ts'
import type { Session } from '../sessions/session.ts'
import type { CallDeadline } from '../sessions/timed-call.ts'

export interface CallContext {
  readonly session: Session
  /** `evt` of the envelope: SUBSCRIBE and UNSUBSCRIBE name their event there. */
  readonly evt: unknown
  /** The arguments as the game sent them: before the check, which may drop some. */
  readonly given: unknown
  /** The key of the call, if its command takes one. */
  readonly key: string | undefined
  /** Runs work under the deadline of this session, or under `deadlineMs`. */
  withDeadline<T>(work: (call: CallDeadline) => Promise<T>, deadlineMs?: number): Promise<T>
}

type Answer<Data> = Data | WithWarnings<Data>

export type Handler<Name extends BridgeCommandName> = (
  args: NonNullable<ParsedArgsOf<Name>>,
  context: CallContext,
) => Answer<DataOf<Name>> | Promise<Answer<DataOf<Name>>>

/** A handler of any row, with its arguments as they were parsed. */
export type AnyHandler = (args: unknown, context: CallContext) => unknown

/** A missing or extra handler does not compile. */
export type HandlerMap = { readonly [Name in BridgeCommandName]: Handler<Name> }
