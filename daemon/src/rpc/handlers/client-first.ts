/** Commands that the desktop client answers where it runs, and the bridge elsewhere. */
import { COMMANDS, type CommandName, type CommandRow, type DataOf, type ParsedArgsOf, satisfies } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { CallDeadline } from '../../sessions/timed-call.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallContext } from '../context.ts'
import type { DesktopClientDeps } from './desktop-client.ts'

/** The answer of the bridge. The call ends at the deadline of the command. */
type ByBridge<Name extends CommandName> = (
  args: NonNullable<ParsedArgsOf<Name>>,
  session: Session,
  call: CallDeadline,
) => DataOf<Name> | Promise<DataOf<Name>>

/** No client runs, or it belongs to another user, whose data the game must not get. */
const isForBridge = (failure: unknown): boolean =>
  failure instanceof BridgeError && (failure.error === 'SERVICE_UNAVAILABLE' || failure.error === 'INVALID_TOKEN')

/** A client that answers null does not know it. */
export function clientFirst<Name extends CommandName>(name: Name, byBridge: ByBridge<Name>, { desktopClient }: DesktopClientDeps) {
  const row: CommandRow = COMMANDS[name]
  const clientRequires = row.clientRequires ?? row.requires
  return (args: NonNullable<ParsedArgsOf<Name>>, context: CallContext): Promise<DataOf<Name>> =>
    context.withDeadline(async (call) => {
      const { session } = context
      if (!satisfies(clientRequires, session.scopes)) return byBridge(args, session, call)
      try {
        // The client validates its own answers.
        const answer = (await desktopClient.call(session, name, args, call.cancelSignal)) as DataOf<Name> | null
        if (answer !== null) return answer
      } catch (failure) {
        if (!isForBridge(failure) || call.cancelSignal.aborted) throw failure
      }
      return byBridge(args, session, call)
    })
}
