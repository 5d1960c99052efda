/** The flags of an application and the privileged intents that follow from them. */
import { hasPrivilegedIntent, type IntentEligibility, PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Operation } from './handlers.ts'

/** An application whose developer set no flags can read messages in the relaxed sandbox, so that searches work without setup. */
const FRESH_FLAGS = PRIVILEGED_INTENTS.MESSAGE_CONTENT.limitedFlag

/** The changed settings of an application, in the wire form. */
export const changesOf = ({ store }: Pick<Platform, 'store'>, applicationId: string): Readonly<Record<string, unknown>> =>
  store.applicationSettings.get(applicationId)?.changed ?? {}

/** The flags that the application set, and those of approved intents. */
export const flagsOf = (platform: Platform, applicationId: string): number =>
  flagsFrom(platform, applicationId, platform.strictness.isStrict ? 0 : FRESH_FLAGS)

function flagsFrom(platform: Platform, applicationId: string, fresh: number): number {
  const { flags } = changesOf(platform, applicationId)
  return approvedIntents(platform, applicationId).reduce(
    (sum, name) => sum | PRIVILEGED_INTENTS[name].approvedFlag,
    typeof flags === 'number' ? flags : fresh,
  )
}

const approvedIntents = ({ store }: Platform, applicationId: string): readonly PrivilegedIntentName[] =>
  store.applications.get(applicationId)?.approvedIntents?.names ?? []

/** Whether the application has the intent. One that its developer did not turn on counts in the relaxed sandbox only. */
export function hasIntentOf(platform: Platform, applicationId: string, name: PrivilegedIntentName): boolean {
  const { approvedIntents: approval, userCount } = platform.store.applications.get(applicationId) ?? {}
  const eligibility: IntentEligibility = {
    flags: flagsFrom(platform, applicationId, FRESH_FLAGS),
    users: userCount ?? usersOf(platform, applicationId),
    approvedAt: approval?.at,
  }
  if (!hasPrivilegedIntent(name, eligibility, platform.clock.now())) return false
  const isTurnedOn = typeof changesOf(platform, applicationId)['flags'] === 'number' || approval?.names.includes(name) === true
  return isTurnedOn || !platform.strictness.holds('message-content', applicationId, name)
}

/** The number of users who authorized the application, with these scopes if given. */
export function usersOf({ store }: Platform, applicationId: string, ...scopes: string[]): number {
  const people = store.authorizations
    .all()
    .filter((one) => one.applicationId === applicationId && scopes.every((scope) => one.scopes.includes(scope)))
  return new Set(people.map(({ userId }) => userId)).size
}

/** Whether the caller's application has the intent. */
export function hasIntent({ platform, caller }: Operation, name: PrivilegedIntentName): boolean {
  return hasIntentOf(platform, caller.applicationId, name)
}

/** Throws missingAccess unless the caller's application has the intent. */
export function checkIntent(operation: Operation, name: PrivilegedIntentName): void {
  if (hasIntent(operation, name)) return
  throw new PlatformError('missingAccess', { message: `The application lacks the privileged intent ${name}` })
}
