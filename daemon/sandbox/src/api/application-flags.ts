/** The flags of an application and the privileged intents that follow from them. */
import { hasPrivilegedIntent, PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Operation } from './handlers.ts'

/** A new application can read messages, so that searches work without setup. */
const FRESH_FLAGS = PRIVILEGED_INTENTS.MESSAGE_CONTENT.limitedFlag

/** The changed settings of an application, in the wire form. */
export const changesOf = ({ store }: Pick<Platform, 'store'>, applicationId: string): Readonly<Record<string, unknown>> =>
  store.applicationSettings.get(applicationId)?.changed ?? {}

export function flagsOf(platform: Platform, applicationId: string): number {
  const { flags } = changesOf(platform, applicationId)
  return typeof flags === 'number' ? flags : FRESH_FLAGS
}

/** The number of users who authorized the application, with these scopes if given. */
export function usersOf({ store }: Platform, applicationId: string, ...scopes: string[]): number {
  const people = store.authorizations
    .all()
    .filter((one) => one.applicationId === applicationId && scopes.every((scope) => one.scopes.includes(scope)))
  return new Set(people.map(({ userId }) => userId)).size
}

/** Throws missingAccess unless the caller's application has the intent. */
export function checkIntent({ platform, caller }: Operation, name: PrivilegedIntentName): void {
  const { applicationId } = caller
  const application = { flags: flagsOf(platform, applicationId), users: usersOf(platform, applicationId) }
  if (hasPrivilegedIntent(name, application, platform.clock.now())) return
  throw new PlatformError('missingAccess', { message: `The application lacks the privileged intent ${name}` })
}
