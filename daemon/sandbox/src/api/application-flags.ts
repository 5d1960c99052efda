/** The flags of an application and the privileged intents that follow from them. */
import { hasPrivilegedIntent, type IntentEligibility, PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Operation } from './handlers.ts'

/** A new application can read messages, so that searches work without setup. */
const FRESH_FLAGS = PRIVILEGED_INTENTS.MESSAGE_CONTENT.limitedFlag

/** The changed settings of an application, in the wire form. */
export const changesOf = ({ store }: Pick<Platform, 'store'>, applicationId: string): Readonly<Record<string, unknown>> =>
  store.applicationSettings.get(applicationId)?.changed ?? {}

/** The flags that the application set, and those of approved intents. */
export function flagsOf(platform: Platform, applicationId: string): number {
  const { flags } = changesOf(platform, applicationId)
  const approved = platform.store.applications.get(applicationId)?.approvedIntents?.names ?? []
  return approved.reduce((sum, name) => sum | PRIVILEGED_INTENTS[name].approvedFlag, typeof flags === 'number' ? flags : FRESH_FLAGS)
}

/** What decides whether an application has a privileged intent. */
export function intentEligibility(platform: Platform, applicationId: string): IntentEligibility {
  const { approvedIntents, userCount } = platform.store.applications.get(applicationId) ?? {}
  return {
    flags: flagsOf(platform, applicationId),
    users: userCount ?? usersOf(platform, applicationId),
    approvedAt: approvedIntents?.at,
  }
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
  return hasPrivilegedIntent(name, intentEligibility(platform, caller.applicationId), platform.clock.now())
}

/** Throws missingAccess unless the caller's application has the intent. */
export function checkIntent(operation: Operation, name: PrivilegedIntentName): void {
  if (hasIntent(operation, name)) return
  throw new PlatformError('missingAccess', { message: `The application lacks the privileged intent ${name}` })
}
