/** The desktop client as the rest of the daemon sees it: one connection for each application, open while it is needed. */
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { PresenceOwner } from '../../../presence/sink.ts'
import type { Session } from '../../../sessions/session.ts'

export interface DesktopClient {
  /** Looks for a client that executes commands. Never rejects. */
  runs(applicationId: string): Promise<boolean>
  /** Whether a client that executes commands is connected for this application and user. Any client matches where no user signed in. */
  isConnected(user: PresenceOwner): boolean
  /**
   * Forwards a command on behalf of a session, exactly as its game sent it. Rejects with the error of the client, with SERVICE_UNAVAILABLE when no
   * client runs. `stop` cancels the call.
   */
  call(session: Session, cmd: string, args: unknown, stop?: CancelSignal): Promise<unknown>
}

/** For a bridge without the desktop client. */
export const noDesktopClient: DesktopClient = {
  runs: () => Promise.resolve(false),
  isConnected: () => false,
  call: (_caller, cmd) =>
    Promise.reject(
      new BridgeError('SERVICE_UNAVAILABLE', `${cmd} needs the platform's own desktop client, and this bridge does not connect to one.`),
    ),
}
