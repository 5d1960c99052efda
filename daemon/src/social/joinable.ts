/** Which activity of an account others can join: one with a party, its size, and a secret to join by. */
import type { Activity } from '@sallyport/protocol'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Party } from './activity-message.ts'

/** What the account shows, if others can join it. */
export const joinableOf =
  (presence: Pick<PresenceArbiter, 'of'>) =>
  (party: Party): Activity | undefined => {
    const { activity, secrets } = presence.of(party)?.stored ?? {}
    const isJoinable = activity?.party?.id !== undefined && activity.party.size !== undefined && secrets?.join !== undefined
    return isJoinable ? activity : undefined
  }
