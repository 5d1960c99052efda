/** Commands of presence and of joining one another's game. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Activity, ActivityInput } from '../records/activity.ts'
import { nothing, ProcessId, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const setActivity = defineCommand({
  name: 'SET_ACTIVITY',
  summary: 'Set what the player is doing; without an activity, clear it. Answers the activity as stored.',
  answeredBy: 'bridge',
  requires: anyOf('rpc', 'rpc.activities.write', 'rpc.local'),
  args: z.strictObject({
    pid: ProcessId.nullish().meta({ description: 'Required, but for a page in a browser, which has none to name.' }),
    activity: ActivityInput.nullish(),
  }),
  data: Activity.nullable(),
  errors: ['INVALID_ACTIVITY_SECRET'],
  provenance: 'documented',
})

export const sendActivityJoinInvite = defineCommand({
  name: 'SEND_ACTIVITY_JOIN_INVITE',
  summary: 'Accept the request of a user to join.',
  answeredBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  args: z.strictObject({ user_id: Snowflake, pid: ProcessId.nullish() }),
  data: nothing,
  errors: ['INVALID_ACTIVITY_JOIN_REQUEST', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'documented',
})

const closing = { args: z.strictObject({ user_id: Snowflake, pid: ProcessId.nullish() }), data: nothing }

export const closeActivityRequest = defineCommand({
  name: 'CLOSE_ACTIVITY_REQUEST',
  summary: 'Reject the request of a user to join, by the name the documentation gives.',
  answeredBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  ...closing,
  errors: ['INVALID_ACTIVITY_JOIN_REQUEST'],
  provenance: 'documented',
})

export const closeActivityJoinRequest = defineCommand({
  name: 'CLOSE_ACTIVITY_JOIN_REQUEST',
  summary: 'Reject the request of a user to join, by the name that libraries and the desktop client use.',
  answeredBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  ...closing,
  errors: ['INVALID_ACTIVITY_JOIN_REQUEST'],
  provenance: 'observed',
})

/** The only kind of invite there is: to join. */
const JoinInvite = z.literal(1)

export const activityInviteUser = defineCommand({
  name: 'ACTIVITY_INVITE_USER',
  summary: 'Invite a user to the activity of this game.',
  answeredBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  args: z.strictObject({
    user_id: Snowflake,
    type: JoinInvite,
    content: z.string().max(LIMITS.inviteContent.value).nullish(),
    pid: ProcessId,
  }),
  data: nothing,
  errors: ['INVALID_USER', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'observed',
})

export const acceptActivityInvite = defineCommand({
  name: 'ACCEPT_ACTIVITY_INVITE',
  summary: 'Accept an invite; the join secret follows as ACTIVITY_JOIN. application_id is the one of the invite.',
  answeredBy: 'bridge',
  requires: anyOf('rpc', 'rpc.local'),
  args: z.strictObject({
    type: JoinInvite,
    user_id: Snowflake,
    session_id: z.string(),
    channel_id: Snowflake,
    message_id: Snowflake,
    application_id: Snowflake.nullish(),
  }),
  data: nothing,
  errors: ['INVALID_INVITE', 'NO_ELIGIBLE_ACTIVITY'],
  provenance: 'observed',
})
