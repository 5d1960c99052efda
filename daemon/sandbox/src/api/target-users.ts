/** Target users of an invite: a CSV that is checked at once and processed in a job. */
import { INVITE_TARGET_USERS, JOB_STATUS, type PermissionName } from '@sallyport/protocol'
import { TARGET_USERS_MS } from '../constants.ts'
import type { ReceivedFile } from '../http/exchange.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { isSnowflake } from '../snowflake.ts'
import type { StoredInvite } from '../store/records.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { inviteFor } from './invite-lifecycle.ts'
import { guildPermissions, holds } from './permissions.ts'
import { isoTime } from './wire-time.ts'

/** Unknown ids that an error lists. */
const LISTED = 100

const badFile = (message: string): PlatformError =>
  new PlatformError('invalidForm', { errors: { target_users_file: { _errors: [{ code: 'TARGET_USERS_INVALID', message }] } } })

/** The distinct ids in a CSV of users. Throws invalidForm with the unknown ids. */
export function userIdsIn({ store }: Platform, { bytes }: ReceivedFile): readonly string[] {
  const [header, ...lines] = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
  if (header !== INVITE_TARGET_USERS.header) throw badFile(`The only header must be ${INVITE_TARGET_USERS.header}.`)
  const ids = [...new Set(lines.filter((line) => line !== ''))]
  if (ids.length === 0) throw badFile('The file has no users.')
  const bad = ids.filter((id) => !isSnowflake(id) || store.users.get(id) === undefined)
  if (bad.length > 0) throw badFile(`These user ids are unknown: ${bad.slice(0, LISTED).join(', ')}`)
  return ids
}

/** The invite, for its inviter and for members with one of the permissions. */
function inviteOf({ platform, caller }: Operation, code: string, ...permissions: PermissionName[]): StoredInvite {
  const invite = inviteFor(platform, code)
  const guild = platform.store.guilds.get(invite.guildId)
  const bits = guild === undefined ? undefined : guildPermissions(platform, guild, caller)
  if (invite.inviterId !== caller.applicationId && !permissions.some((name) => holds(bits, name)))
    throw new PlatformError('missingPermissions')
  return invite
}

const getTargetUsers: Handler<'GET_TARGET_USERS'> = ({ code }, operation) => {
  const { keptFor } = inviteOf(operation, code, 'MANAGE_GUILD', 'VIEW_AUDIT_LOG')
  if (keptFor === undefined) throw new PlatformError('noTargetUsers')
  return { user_ids: [...keptFor.userIds] }
}

const updateTargetUsers: Handler<'UPDATE_TARGET_USERS'> = ({ code }, operation) => {
  const { platform, files } = operation
  const { store, clock } = platform
  const invite = inviteOf(operation, code, 'MANAGE_GUILD')
  const [file] = files
  if (file === undefined) throw badFile('The file is missing.')
  const keptFor = { userIds: userIdsIn(platform, file), since: clock.now() }
  store.commit([store.invites.put(code, { ...invite, keptFor })])
  return null
}

const getTargetUsersJobStatus: Handler<'GET_TARGET_USERS_JOB_STATUS'> = ({ code }, operation) => {
  const { keptFor } = inviteOf(operation, code, 'MANAGE_GUILD', 'VIEW_AUDIT_LOG')
  if (keptFor === undefined) throw new PlatformError('noTargetUsersJob')
  const { userIds, since } = keptFor
  const doneAt = since + TARGET_USERS_MS
  const isDone = operation.platform.clock.now() >= doneAt
  return {
    status: isDone ? JOB_STATUS.completed : JOB_STATUS.processing,
    total_users: userIds.length,
    processed_users: isDone ? userIds.length : 0,
    created_at: isoTime(since),
    completed_at: isDone ? isoTime(doneAt) : null,
    error_message: null,
  }
}

export const targetUserHandlers = {
  GET_TARGET_USERS: getTargetUsers,
  GET_TARGET_USERS_JOB_STATUS: getTargetUsersJobStatus,
  UPDATE_TARGET_USERS: updateTargetUsers,
} satisfies Partial<Handlers>
