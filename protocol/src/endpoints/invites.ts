/** Endpoints for channel invites and their target users. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { FileInput } from '../records/file.ts'
import { ChannelInvite, INVITE_TARGET_USERS, INVITE_TARGETS, TargetUsers, TargetUsersJob } from '../records/invite.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { type ArgumentProblem, defineEndpoint, type FileUpload } from './define.ts'

const UserList = once(() =>
  FileInput().meta({
    description: 'A CSV with the header user_id and one user id per line: the users who can accept the invite.',
  }),
)

const USER_LIST: FileUpload = {
  argument: 'target_users_file',
  isList: false,
  contentType: 'text/csv',
  fileLimit: 'attachmentBytes',
}

const INVITE_BODY = once(() => ({
  max_age: wholeNumber(0, LIMITS.inviteAge.value).nullish().meta({ description: 'In seconds; 0: no expiry. Default: 86400.' }),
  max_uses: wholeNumber(0, LIMITS.inviteUses.value).nullish().meta({ description: '0 (default): unlimited.' }),
  temporary: z.boolean().nullish().meta({ description: 'The membership ends when the user disconnects, unless a role is assigned.' }),
  unique: z.boolean().nullish().meta({ description: 'Do not reuse a similar invite.' }),
  target_type: z
    .literal([INVITE_TARGETS.stream, INVITE_TARGETS.embeddedApplication])
    .nullish()
    .meta({ description: '1: the stream of target_user_id; 2: the activity of target_application_id.' }),
  target_user_id: Snowflake().nullish(),
  target_application_id: Snowflake().nullish(),
  role_ids: z
    .array(Snowflake())
    .max(LIMITS.inviteRoles.value)
    .nullish()
    .meta({ description: 'Roles for users who accept the invite; requires MANAGE_ROLES.' }),
  target_users_file: UserList().optional(),
}))

/** Required argument by target type. */
const TARGET_ARGUMENTS = [
  { type: INVITE_TARGETS.stream, argument: 'target_user_id' },
  { type: INVITE_TARGETS.embeddedApplication, argument: 'target_application_id' },
] as const

/** Returns conflicts between the arguments of an invite. */
function inviteProblems(body: z.output<z.ZodObject<ReturnType<typeof INVITE_BODY>>>): readonly ArgumentProblem[] {
  const targets = TARGET_ARGUMENTS.flatMap(({ type, argument }): ArgumentProblem[] => {
    const isGiven = body[argument] !== undefined && body[argument] !== null
    if (isGiven === (body.target_type === type)) return []
    return [{ path: [argument], message: isGiven ? `is only allowed with target_type ${type}` : `is required with target_type ${type}` }]
  })
  const roles = body.role_ids ?? []
  const again = roles.findIndex((id, index) => roles.indexOf(id) !== index)
  return again < 0 ? targets : [...targets, { path: ['role_ids', again], message: 'is a duplicate' }]
}

/** The local protocol has its own CREATE_CHANNEL_INVITE, which the desktop client handles. */
export const createChannelInviteByBot = defineEndpoint({
  name: 'CREATE_CHANNEL_INVITE_BY_BOT',
  summary: 'Create an invite to a channel, optionally limited to listed users, and optionally with roles for users who accept it.',
  method: 'POST',
  path: '/channels/{channel_id}/invites',
  params: () => ({ channel_id: Snowflake() }),
  body: INVITE_BODY,
  upload: USER_LIST,
  rules: inviteProblems,
  response: ChannelInvite,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['CREATE_INSTANT_INVITE'],
  idempotency: 'none',
  returnsSecrets: true,
  audited: true,
  platformErrors: [10003, 10011, 50001, 50013, 50035],
  provenance: 'documented',
})

export const getChannelInvites = defineEndpoint({
  name: 'GET_CHANNEL_INVITES',
  summary: 'Get the active invites to a channel with their metadata.',
  method: 'GET',
  path: '/channels/{channel_id}/invites',
  params: () => ({ channel_id: Snowflake() }),
  response: () => z.array(ChannelInvite()),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'safe',
  platformErrors: [10003, 50001, 50013],
  provenance: 'documented',
})

const CODE_CHARACTERS = 255
const InviteCode = once(() =>
  z
    .string()
    .min(1)
    .max(CODE_CHARACTERS)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be an invite code, without the URL'),
)

const TARGET_USERS = {
  path: '/invites/{code}/target-users',
  params: () => ({ code: InviteCode() }),
  auth: 'bot',
  requires: NO_SCOPE,
  provenance: 'documented',
} as const

export const getTargetUsers = defineEndpoint({
  ...TARGET_USERS,
  name: 'GET_TARGET_USERS',
  summary: 'Get the target users of an invite. Requires to be the inviter, or MANAGE_GUILD or VIEW_AUDIT_LOG.',
  method: 'GET',
  csvReply: INVITE_TARGET_USERS,
  response: TargetUsers,
  idempotency: 'safe',
  platformErrors: [10006, 10129, 50001, 50013],
})

export const updateTargetUsers = defineEndpoint({
  ...TARGET_USERS,
  name: 'UPDATE_TARGET_USERS',
  summary: 'Replace the target users of an invite. Requires to be the inviter, or MANAGE_GUILD.',
  method: 'PUT',
  body: () => ({ target_users_file: UserList() }),
  upload: USER_LIST,
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10006, 50001, 50013, 50035],
})

export const getTargetUsersJobStatus = defineEndpoint({
  ...TARGET_USERS,
  name: 'GET_TARGET_USERS_JOB_STATUS',
  summary:
    'Get the progress of the platform with the target users of an invite. Requires to be the inviter, or MANAGE_GUILD or VIEW_AUDIT_LOG.',
  method: 'GET',
  path: '/invites/{code}/target-users/job-status',
  response: TargetUsersJob,
  idempotency: 'safe',
  platformErrors: [10006, 10124, 50001, 50013],
})

const INVITE = {
  path: '/invites/{code}',
  params: () => ({ code: InviteCode() }),
  response: ChannelInvite,
  provenance: 'documented',
} as const

export const getInvite = defineEndpoint({
  ...INVITE,
  name: 'GET_INVITE',
  summary: 'Get an invite.',
  method: 'GET',
  query: () => ({ with_counts: z.boolean().optional().meta({ description: 'Include approximate member and online counts.' }) }),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10006],
})

export const deleteInvite = defineEndpoint({
  ...INVITE,
  name: 'DELETE_INVITE',
  summary: 'Delete an invite. Requires MANAGE_CHANNELS in its channel, or MANAGE_GUILD.',
  method: 'DELETE',
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10006, 50001, 50013],
})

export const getGuildInvites = defineEndpoint({
  name: 'GET_GUILD_INVITES',
  summary: 'Get the active invites of a guild with their metadata.',
  method: 'GET',
  path: '/guilds/{guild_id}/invites',
  params: () => ({ guild_id: Snowflake() }),
  response: () => z.array(ChannelInvite()),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_GUILD'],
  idempotency: 'safe',
  platformErrors: [10004, 50001, 50013],
  provenance: 'documented',
})
