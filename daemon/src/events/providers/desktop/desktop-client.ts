/** The platform's own desktop client as the rest of the daemon sees it: one connection for each application, kept while somebody needs it. */
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'

export interface DesktopClient {
  /** Whether a client that carries out commands is there for this application now, and is this user's. Whoever did not sign in is its user. */
  isLinked(applicationId: string, userId: string | undefined): boolean
  /**
   * One command in the name of a session, exactly as its game sent it. Rejects with the error that the client answered, with SERVICE_UNAVAILABLE
   * when no client runs. `stop`: nobody waits for the answer any more.
   */
  call(caller: Session, cmd: string, args: unknown, stop?: CancelSignal): Promise<unknown>
}

/** Where there is none to link to. */
export const noDesktopClient: DesktopClient = {
  isLinked: () => false,
  call: (_caller, cmd) =>
    Promise.reject(
      new BridgeError('SERVICE_UNAVAILABLE', `${cmd} needs the platform's own desktop client, and this bridge has no link to one.`),
    ),
}
