/** The flags of an application and what follows from them: which privileged intents it has. */
import { hasPrivilegedIntent, PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Operation } from './handlers.ts'

/** A fresh application can read messages, so that a search works before anything is set up. */
const FRESH_FLAGS = PRIVILEGED_INTENTS.MESSAGE_CONTENT.limitedFlag

/** What the application changed of itself, in the words of the wire. */
export const changesOf = ({ store }: Platform, applicationId: string): Readonly<Record<string, unknown>> =>
  store.applicationSettings.get(applicationId)?.changed ?? {}

export function flagsOf(platform: Platform, applicationId: string): number {
  const { flags } = changesOf(platform, applicationId)
  return typeof flags === 'number' ? flags : FRESH_FLAGS
}

/** Users who authorized the application, with these scopes when some are named. */
export function usersOf({ store }: Platform, applicationId: string, ...scopes: string[]): number {
  const people = store.authorizations
    .all()
    .filter((one) => one.applicationId === applicationId && scopes.every((scope) => one.scopes.includes(scope)))
  return new Set(people.map(({ userId }) => userId)).size
}

/** Throws missingAccess unless the caller's application has the intent. */
export function checkIntent({ platform, caller }: Operation, name: PrivilegedIntentName): void {
  const { applicationId } = caller
  const standing = { flags: flagsOf(platform, applicationId), users: usersOf(platform, applicationId) }
  if (hasPrivilegedIntent(name, standing, platform.clock.now())) return
  throw new PlatformError('missingAccess', { message: `The application lacks the privileged intent ${name}` })
}
