/** The platform's own desktop client as the rest of the daemon sees it: one connection for each application, kept while somebody needs it. */
import type { Caller } from '../../dispatch/caller.ts'

export interface DesktopClient {
  /** Whether a connection for this application is up now. */
  isLinked(applicationId: string): boolean
  /**
   * One command in the name of a session, exactly as its game sent it. Rejects with the error that the client answered, with SERVICE_UNAVAILABLE
   * when no client runs.
   */
  call(caller: Caller, cmd: string, args: unknown): Promise<unknown>
}
