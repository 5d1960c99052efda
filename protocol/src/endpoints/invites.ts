/** Endpoints about invites to channels, and the users they are kept for. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { FileInput } from '../records/file.ts'
import { ChannelInvite, INVITE_TARGET_USERS, INVITE_TARGETS, TargetUsers, TargetUsersJob } from '../records/invite.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { type ArgumentProblem, defineEndpoint, type FileUpload } from './define.ts'

const UserList = FileInput.meta({ description: 'A CSV with the one header user_id and an id in each line: who may take the invite.' })

const USER_LIST: FileUpload = {
  argument: 'target_users_file',
  isList: false,
  contentType: 'text/csv',
  fileLimit: 'attachmentBytes',
  requestLimit: 'messageRequestBytes',
}

const INVITE_BODY = {
  max_age: wholeNumber(0, LIMITS.inviteAge.value).nullish().meta({ description: 'In seconds; 0 never ends, 86400 when absent.' }),
  max_uses: wholeNumber(0, LIMITS.inviteUses.value).nullish().meta({ description: '0, also when absent: without end.' }),
  temporary: z.boolean().nullish().meta({ description: 'Membership ends when the user leaves, unless a role was given.' }),
  unique: z.boolean().nullish().meta({ description: 'Do not hand out an invite that is like it.' }),
  target_type: z
    .literal([INVITE_TARGETS.stream, INVITE_TARGETS.embeddedApplication])
    .nullish()
    .meta({ description: '1: the stream of target_user_id; 2: the activity of target_application_id.' }),
  target_user_id: Snowflake.nullish(),
  target_application_id: Snowflake.nullish(),
  role_ids: z.array(Snowflake).max(LIMITS.inviteRoles.value).nullish().meta({ description: 'Roles for who takes it; needs MANAGE_ROLES.' }),
  target_users_file: UserList.optional(),
}

/** By target: the argument that says which one. */
const TARGET_ARGUMENTS = [
  { type: INVITE_TARGETS.stream, argument: 'target_user_id' },
  { type: INVITE_TARGETS.embeddedApplication, argument: 'target_application_id' },
] as const

/** What is wrong between the arguments of an invite. */
function inviteProblems(body: z.output<z.ZodObject<typeof INVITE_BODY>>): readonly ArgumentProblem[] {
  const targets = TARGET_ARGUMENTS.flatMap(({ type, argument }): ArgumentProblem[] => {
    const isGiven = body[argument] !== undefined && body[argument] !== null
    if (isGiven === (body.target_type === type)) return []
    return [{ path: [argument], message: isGiven ? `stands only with target_type ${type}` : `is needed with target_type ${type}` }]
  })
  const roles = body.role_ids ?? []
  const again = roles.findIndex((id, index) => roles.indexOf(id) !== index)
  return again < 0 ? targets : [...targets, { path: ['role_ids', again], message: 'is there a second time' }]
}

/** The local protocol has CREATE_CHANNEL_INVITE of its own, for the desktop client. */
export const createChannelInviteByBot = defineEndpoint({
  name: 'CREATE_CHANNEL_INVITE_BY_BOT',
  summary: 'Make an invite to a channel; it can be kept for listed users and give roles to who takes it.',
  method: 'POST',
  path: '/channels/{channel_id}/invites',
  params: { channel_id: Snowflake },
  body: INVITE_BODY,
  upload: USER_LIST,
  rules: inviteProblems,
  response: ChannelInvite,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['CREATE_INSTANT_INVITE'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10003, 10011, 50001, 50013, 50035],
  provenance: 'documented',
})

export const getChannelInvites = defineEndpoint({
  name: 'GET_CHANNEL_INVITES',
  summary: 'Invites to a channel that still work, with how they were made.',
  method: 'GET',
  path: '/channels/{channel_id}/invites',
  params: { channel_id: Snowflake },
  response: z.array(ChannelInvite),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'safe',
  platformErrors: [10003, 50001, 50013],
  provenance: 'documented',
})

const CODE_CHARACTERS = 255
const InviteCode = z
  .string()
  .min(1)
  .max(CODE_CHARACTERS)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be the code of an invite, without its address')

const TARGET_USERS = {
  path: '/invites/{code}/target-users',
  params: { code: InviteCode },
  auth: 'bot',
  requires: NO_SCOPE,
  provenance: 'documented',
} as const

export const getTargetUsers = defineEndpoint({
  ...TARGET_USERS,
  name: 'GET_TARGET_USERS',
  summary: 'The users that an invite is kept for. For its inviter, and with MANAGE_GUILD or VIEW_AUDIT_LOG.',
  method: 'GET',
  csvReply: INVITE_TARGET_USERS,
  response: TargetUsers,
  idempotency: 'safe',
  platformErrors: [10006, 10129, 50001, 50013],
})

export const updateTargetUsers = defineEndpoint({
  ...TARGET_USERS,
  name: 'UPDATE_TARGET_USERS',
  summary: 'Keep an invite for other users. For its inviter, and with MANAGE_GUILD.',
  method: 'PUT',
  body: { target_users_file: UserList },
  upload: USER_LIST,
  response: z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10006, 50001, 50013, 50035],
})

export const getTargetUsersJobStatus = defineEndpoint({
  ...TARGET_USERS,
  name: 'GET_TARGET_USERS_JOB_STATUS',
  summary: 'How far the platform is with the users of an invite. For its inviter, and with MANAGE_GUILD or VIEW_AUDIT_LOG.',
  method: 'GET',
  path: '/invites/{code}/target-users/job-status',
  response: TargetUsersJob,
  idempotency: 'safe',
  platformErrors: [10006, 10124, 50001, 50013],
})
