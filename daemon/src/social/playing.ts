/** Whether a user plays a game now. */
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Party } from './activity-message.ts'

/** `maybe`: it runs, and nobody is known to play it. */
export type Playing = 'yes' | 'maybe' | 'no'

/** `userOf`: for whom a session is there, as far as its process says. */
export const playingOf =
  (registry: Pick<SessionRegistry, 'of' | 'signedInAs'>, userOf: (sessionId: number) => string | undefined) =>
  ({ applicationId, userId }: Party): Playing => {
    if (registry.signedInAs(applicationId, userId).length > 0) return 'yes'
    return registry.of(applicationId).some(({ channel }) => userOf(channel.id) === undefined) ? 'maybe' : 'no'
  }
