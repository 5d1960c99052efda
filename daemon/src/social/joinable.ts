/** Finds the activity of an account that other users can join: it has a party, a party size and a join secret. */
import type { Activity } from '@sallyport/protocol'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { AccountKey } from '@sallyport/core/account-key'

/** The activity of the account, if other users can join it. */
export const joinableActivityOf =
  (presence: Pick<PresenceArbiter, 'of'>) =>
  (account: AccountKey): Activity | undefined => {
    const { activity, secrets } = presence.of(account)?.stored ?? {}
    const isJoinable = activity?.party?.id !== undefined && activity.party.size !== undefined && secrets?.join !== undefined
    return isJoinable ? activity : undefined
  }
