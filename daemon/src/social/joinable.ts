/** Which activity of an account others can join: one with a party, its size, and a secret to join by. */
import type { Activity } from '@sallyport/protocol'
import type { CallerRegistry } from '../dispatch/registry.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { Presence } from '../presence/sink.ts'
import type { Party } from './activity-message.ts'

const isJoinable = ({ stored: { activity, secrets } }: Presence): boolean =>
  activity.party?.id !== undefined && activity.party.size !== undefined && secrets?.join !== undefined

/** The newest that a game of this account set. */
export const joinableOf =
  (registry: CallerRegistry, presence: PresenceArbiter) =>
  ({ applicationId, userId }: Party): Activity | undefined =>
    registry
      .signedInAs(applicationId, userId)
      .flatMap(({ channel }) => presence.ofSession(applicationId, channel.id) ?? [])
      .filter(isJoinable)
      .toSorted((one, other) => other.since - one.since)[0]?.stored.activity
