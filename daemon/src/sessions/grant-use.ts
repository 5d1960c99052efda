/** Records that sessions use their grants, so that a session that stays open for weeks does not look idle. */
import { DAY_MS } from '@sallyport/core/durations'
import type { Logger } from '@sallyport/core/logger'
import type { GrantKey, Grants, DisplayNames } from '../auth/grants/grants.ts'
import type { Session } from './session.ts'

interface GrantUseDeps {
  readonly grants: Pick<Grants, 'touch'>
  readonly log: Logger
}

/** Never throws: a use that cannot be stored does not fail the call. */
export function touchGrant(key: GrantKey, names: DisplayNames, { grants, log }: GrantUseDeps): void {
  try {
    grants.touch(key, names)
  } catch (err) {
    log.warn('grant-use-not-stored', { application: key.applicationId, err })
  }
}

/** Records the use of a signed-in session. */
export function touchGrantOfSession({ program, applicationId, signedIn }: Session, deps: GrantUseDeps): void {
  if (signedIn !== undefined) touchGrant({ program, applicationId, userId: signedIn.userId }, {}, deps)
}

/** Records the use by a call, at most once a day. */
export function touchGrantOnCall(session: Session, now: number, deps: GrantUseDeps): void {
  if (now - session.grantTouchedAt < DAY_MS) return
  session.grantTouchedAt = now
  touchGrantOfSession(session, deps)
}
