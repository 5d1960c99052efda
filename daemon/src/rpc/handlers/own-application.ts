/** The check of commands that name an application. */
import { BridgeError } from '@sallyport/core/errors'
import type { Session } from '../../sessions/session.ts'

/** Returns the session's application id. Throws INVALID_CLIENTID if the call names another. */
export function requireOwnApplication(named: string | undefined, { applicationId }: Session): string {
  if (named === undefined || named === applicationId) return applicationId
  throw new BridgeError('INVALID_CLIENTID', `The application id ${named} is not the one of this connection, ${applicationId}.`)
}
