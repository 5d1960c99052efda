/** Notes that programs use what they were granted, so that a session that stays open for weeks does not look idle. */
import type { Logger } from '@sallyport/core/logger'
import type { GrantPlace, Grants, Names } from '../auth/grants/grants.ts'
import type { Session } from './session.ts'

export interface GrantUseParts {
  readonly grants: Pick<Grants, 'used'>
  readonly log: Logger
}

const DAY_MS = 86_400_000

/** Nothing fails because its use cannot be written down. */
export function noteGrantUse(place: GrantPlace, names: Names, { grants, log }: GrantUseParts): void {
  try {
    grants.used(place, names)
  } catch (err) {
    log.warn('grant-use-not-noted', { application: place.applicationId, err })
  }
}

/** A connection that is signed in ends, or was there all the time. */
export function noteSession({ program, applicationId, signedIn }: Session, parts: GrantUseParts): void {
  if (signedIn !== undefined) noteGrantUse({ program, applicationId, userId: signedIn.userId }, {}, parts)
}

/** A connection calls; all but the first of a day cost a comparison. */
export function noteCall(caller: Session, now: number, parts: GrantUseParts): void {
  if (now - caller.useNotedAt < DAY_MS) return
  caller.useNotedAt = now
  noteSession(caller, parts)
}
