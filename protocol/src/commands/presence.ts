/** Commands for presence, invites and join requests. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Activity, ActivityInput } from '../records/activity.ts'
import { empty, ProcessId, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const setActivity = defineCommand({
  name: 'SET_ACTIVITY',
  summary: 'Set the activity of the player; without an activity, clear it. Returns the stored activity.',
  handledBy: 'bridge',
  requires: anyOf('rpc', 'rpc.activities.write', 'rpc.local'),
  args: () =>
    z.object({
      pid: ProcessId().nullish().meta({ description: 'Required, except for pages in a browser.' }),
      activity: ActivityInput().nullish(),
    }),
  data: () => Activity().nullable(),
  errors: ['INVALID_ACTIVITY_SECRET'],
  provenance: 'documented',
})

export const sendActivityJoinInvite = defineCommand({
  name: 'SEND_ACTIVITY_JOIN_INVITE',
  summary: 'Accept a join request of a user.',
  handledBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  args: () => z.strictObject({ user_id: Snowflake(), pid: ProcessId().nullish() }),
  data: empty,
  errors: ['INVALID_ACTIVITY_JOIN_REQUEST', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'documented',
})

const closing = { args: () => z.strictObject({ user_id: Snowflake(), pid: ProcessId().nullish() }), data: empty }

export const closeActivityRequest = defineCommand({
  name: 'CLOSE_ACTIVITY_REQUEST',
  summary: 'Reject a join request of a user (name in the documentation).',
  handledBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  ...closing,
  errors: ['INVALID_ACTIVITY_JOIN_REQUEST'],
  provenance: 'documented',
})

export const closeActivityJoinRequest = defineCommand({
  name: 'CLOSE_ACTIVITY_JOIN_REQUEST',
  summary: 'Reject a join request of a user (name in libraries and the desktop client).',
  handledBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  ...closing,
  errors: ['INVALID_ACTIVITY_JOIN_REQUEST'],
  provenance: 'observed',
})

/** The only type of invite: join. */
const JoinInvite = once(() => z.literal(1))

export const activityInviteUser = defineCommand({
  name: 'ACTIVITY_INVITE_USER',
  summary: 'Invite a user to the activity of this game.',
  handledBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  args: () =>
    z.strictObject({
      user_id: Snowflake(),
      type: JoinInvite(),
      content: z.string().max(LIMITS.inviteContent.value).nullish(),
      pid: ProcessId(),
    }),
  data: empty,
  errors: ['INVALID_USER', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'observed',
})

export const acceptActivityInvite = defineCommand({
  name: 'ACCEPT_ACTIVITY_INVITE',
  summary: 'Accept an invite; the join secret arrives in ACTIVITY_JOIN. application_id is the application of the invite.',
  handledBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  args: () =>
    z.strictObject({
      type: JoinInvite(),
      user_id: Snowflake(),
      session_id: z.string(),
      channel_id: Snowflake(),
      message_id: Snowflake(),
      application_id: Snowflake().nullish(),
    }),
  data: empty,
  errors: ['INVALID_INVITE', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'observed',
})
