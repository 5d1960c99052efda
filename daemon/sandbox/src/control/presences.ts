/** Shows a user in a game without a program of theirs, so that a game has a friend who plays it. */
import { HeadlessActivity } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { formErrors, PARSE_OPTIONS } from '../api/form-errors.ts'
import { hashOf, newToken } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import { applicationOf, type Platform, rememberApplication } from '../platform.ts'
import { JOIN_SECRET } from '../social/joinable-sessions.ts'
import { applicationUserKey } from '../store/store.ts'
import { Named, userOf } from './named.ts'

export const PresenceInput = once(() =>
  z.strictObject({
    user: Named(),
    application_id: z.string().regex(/^[0-9]{1,20}$/),
    /** What the game would show; null ends it. It expires like that of a game. */
    activity: z.record(z.string(), z.unknown()).nullable(),
  }),
)

/** Replaces what the user shows in this game. Throws unknownUser, invalidForm. */
export function showPresence(
  platform: Platform,
  { user, application_id: applicationId, activity }: z.output<ReturnType<typeof PresenceInput>>,
): void {
  const { store, ids, clock, sealer } = platform
  const userId = userOf(platform, user).id
  const [before, ...more] = store.headlessSessions.group(applicationUserKey(applicationId, userId))
  const ended = (activity === null && before !== undefined ? [before, ...more] : more).map(({ id }) => store.headlessSessions.delete(id))
  if (activity === null) return store.commit(ended)
  const name = applicationOf(platform, applicationId).name
  const { secrets, ...shown } = checked({ type: 0, name, platform: 'desktop', ...activity, application_id: applicationId })
  const session = {
    id: before?.id ?? ids.next(),
    applicationId,
    userId,
    tokenHash: hashOf(newToken()),
    activity: shown,
    sealedJoinSecret: secrets?.join == null ? null : sealer.seal(secrets.join, JOIN_SECRET),
    changedAt: clock.now(),
  }
  store.commit([...ended, ...rememberApplication(platform, applicationId), store.headlessSessions.put(session.id, session)])
}

function checked(activity: object): HeadlessActivity {
  const result = HeadlessActivity().safeParse(activity, PARSE_OPTIONS)
  if (result.success) return result.data
  throw new PlatformError('invalidForm', { errors: formErrors(result.error.issues, undefined) })
}
