/** Events about invites, joining a game, and the overlay. */
import * as z from 'zod'
import { Activity } from '../records/activity.ts'
import { RpcUser } from '../records/user.ts'
import { noArguments, ProcessId, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const activityJoin = defineEvent({
  name: 'ACTIVITY_JOIN',
  summary: 'The user joins a game; connect to it with the secret. intent: 0 play, 1 spectate.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ secret: z.string(), intent: z.number().int().optional(), applicationId: Snowflake().optional() }),
  provenance: 'documented',
})

export const activitySpectate = defineEvent({
  name: 'ACTIVITY_SPECTATE',
  summary: 'The user spectates a game; connect to it with the secret.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ secret: z.string() }),
  provenance: 'documented',
})

export const activityJoinRequest = defineEvent({
  name: 'ACTIVITY_JOIN_REQUEST',
  summary: 'A user requests to join the game of this user.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.local'),
  args: noArguments,
  data: () =>
    z.looseObject({
      user: RpcUser(),
      activity: Activity().partial().nullish(),
      type: z.number().int().optional(),
      channel_id: Snowflake().nullish(),
      message_id: Snowflake().nullish(),
    }),
  provenance: 'documented',
})

export const activityInvite = defineEvent({
  name: 'ACTIVITY_INVITE',
  summary: 'The user received an invite to a game.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.local'),
  args: noArguments,
  data: () =>
    z.looseObject({
      type: z.number().int(),
      user: RpcUser(),
      activity: Activity().partial(),
      channel_id: Snowflake(),
      message_id: Snowflake(),
      session_id: z.string().nullish(),
      party_id: z.string().nullish(),
      application_id: Snowflake()
        .nullish()
        .meta({ description: 'Application of the inviting game; can be a sibling of this application.' }),
      parent_application_id: Snowflake().nullish(),
    }),
  provenance: 'documented',
})

export const overlayUpdate = defineEvent({
  name: 'OVERLAY_UPDATE',
  summary: 'The overlay of the process was turned on, off, locked or unlocked.',
  delivery: 'subscription',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ pid: ProcessId() }),
  data: () => z.looseObject({ enabled: z.boolean(), locked: z.boolean() }),
  provenance: 'observed',
})
