/** Invites to channels as the HTTP API shows them, and their target users. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { Invite } from './channel.ts'
import { Role } from './role.ts'
import { User } from './user.ts'

/** Additional target of an invite. */
export const INVITE_TARGETS = { stream: 1, embeddedApplication: 2 } as const

/** A role in an invite. */
const InviteRole = once(() =>
  Role().pick({ id: true, name: true, position: true, color: true, colors: true, icon: true, unicode_emoji: true }),
)

export const ChannelInvite = once(() =>
  Invite()
    .extend({
      roles: z.array(InviteRole()).nullish(),
      target_type: z.number().int().nullish().meta({ description: '1: a stream; 2: an activity.' }),
      target_user: User().nullish(),
      target_application: tolerant({ id: Snowflake(), name: z.string() }).nullish(),
      approximate_member_count: z.number().int().nullish(),
      approximate_presence_count: z.number().int().nullish(),
      guild_scheduled_event: z.unknown().optional(),
      flags: z.number().int().nullish().meta({ description: 'Bit 0: users who accept the invite join as guests.' }),
    })
    .meta({ id: 'ChannelInvite', description: 'An invite to a channel as the HTTP API shows it.' }),
)
export type ChannelInvite = z.output<ReturnType<typeof ChannelInvite>>

export const INVITE_TARGET_USERS = { header: 'user_id', as: 'user_ids' } as const

export const TargetUsers = once(() =>
  z.strictObject({ user_ids: z.array(Snowflake()) }).meta({
    id: 'TargetUsers',
    description: 'The users who can accept an invite.',
  }),
)

/** Progress of the platform with the target users of an invite. */
export const JOB_STATUS = { unspecified: 0, processing: 1, completed: 2, failed: 3 } as const

export const TargetUsersJob = once(() =>
  tolerant({
    status: z.number().int().meta({ description: '0 unspecified, 1 processing, 2 completed, 3 failed.' }),
    total_users: z.number().int(),
    processed_users: z.number().int(),
    created_at: IsoTime().nullable(),
    completed_at: IsoTime().nullable(),
    error_message: z.string().nullable(),
  }).meta({ id: 'TargetUsersJob', description: 'Progress of the platform with the target users of an invite.' }),
)
export type TargetUsersJob = z.output<ReturnType<typeof TargetUsersJob>>
