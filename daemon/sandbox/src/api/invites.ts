/** Channel invites: created by bots, and listed until they expire. */
import type { Platform } from '../platform.ts'
import { PlatformError } from '../platform-error.ts'
import type { StoredChannel, StoredInvite } from '../store/records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { countsOf } from './guild-view.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { inviteEnd, inviteFor, inviteWrites, newInviteCode } from './invite-lifecycle.ts'
import { inviteView } from './invite-view.ts'
import { guildPermissions, holds } from './permissions.ts'
import { userIdsIn } from './target-users.ts'

const DEFAULT_AGE_SECONDS = 86_400

type InviteArgs = Parameters<Handler<'CREATE_CHANNEL_INVITE_BY_BOT'>>[0]

const createChannelInviteByBot: Handler<'CREATE_CHANNEL_INVITE_BY_BOT'> = (args, operation) => {
  const { platform } = operation
  const { store } = platform
  const channel = textChannelFor(operation, args.channel_id, 'CREATE_INSTANT_INVITE')
  const invite = inviteOf(args, channel, operation)
  const earlier = args.unique === true ? undefined : reusableInvite(platform, invite)
  if (earlier !== undefined) return inviteView(platform, earlier)
  const noted = { event: 'INVITE_CREATE', targetId: null, changes: [{ key: 'code', new_value: invite.code }] } as const
  store.commit([...inviteWrites(platform, invite), ...auditWrites(operation, channel.guildId, { ...noted, reason: args.audit_log_reason })])
  return inviteView(platform, invite)
}

function inviteOf(args: InviteArgs, channel: StoredChannel, operation: Operation): StoredInvite {
  const { platform, caller, files } = operation
  const target = targetOf(args, platform)
  const [file] = files
  return {
    code: newInviteCode(),
    guildId: channel.guildId,
    channelId: channel.id,
    inviterId: caller.applicationId,
    targetUserId: null,
    maxUses: args.max_uses ?? 0,
    maxAgeSeconds: args.max_age ?? DEFAULT_AGE_SECONDS,
    temporary: args.temporary ?? false,
    roleIds: rolesFor(args.role_ids ?? [], channel, operation),
    ...(target === undefined ? {} : { target }),
    ...(file === undefined ? {} : { keptFor: { userIds: userIdsIn(platform, file), since: platform.clock.now() } }),
    createdAt: platform.clock.now(),
  }
}

function rolesFor(ids: readonly string[], channel: StoredChannel, operation: Operation): readonly string[] {
  if (ids.length > 0 && !mayIn(operation, channel, 'MANAGE_ROLES')) throw new PlatformError('missingPermissions')
  const { roles } = operation.platform.store
  if (ids.some((id) => roles.get(id)?.guildId !== channel.guildId)) throw new PlatformError('unknownRole')
  return ids
}

function targetOf({ target_type: type, target_user_id: userId, target_application_id: applicationId }: InviteArgs, { store }: Platform) {
  if (type === 1 && store.users.get(userId ?? '') === undefined) throw new PlatformError('unknownUser')
  return type === undefined || type === null ? undefined : { type, id: (type === 1 ? userId : applicationId) ?? '' }
}

/** An equivalent invite of the same bot; none for an invite with target users or a target. */
function reusableInvite({ store, clock }: Platform, invite: StoredInvite): StoredInvite | undefined {
  const traits = ({ inviterId, maxUses, maxAgeSeconds, temporary, roleIds, target, keptFor, targetUserId }: StoredInvite): string =>
    JSON.stringify([inviterId, maxUses, maxAgeSeconds, temporary, roleIds, target, keptFor !== undefined, targetUserId])
  if (invite.keptFor !== undefined) return undefined
  return store.invites.group(invite.channelId).find((one) => inviteEnd(one) > clock.now() && traits(one) === traits(invite))
}

const getChannelInvites: Handler<'GET_CHANNEL_INVITES'> = ({ channel_id }, operation) => {
  const { platform } = operation
  const channel = textChannelFor(operation, channel_id, 'MANAGE_CHANNELS')
  return platform.store.invites
    .group(channel.id)
    .filter((invite) => inviteEnd(invite) > platform.clock.now())
    .map((invite) => inviteView(platform, invite))
}

const getGuildInvites: Handler<'GET_GUILD_INVITES'> = ({ guild_id }, operation) => {
  const { platform } = operation
  const guild = guildFor(operation, guild_id, 'MANAGE_GUILD')
  return platform.store.invites
    .all()
    .filter((invite) => invite.guildId === guild.id && inviteEnd(invite) > platform.clock.now())
    .map((invite) => inviteView(platform, invite))
}

const getInvite: Handler<'GET_INVITE'> = ({ code, with_counts }, { platform }) => {
  const invite = inviteFor(platform, code)
  const guild = platform.store.guilds.get(invite.guildId)
  const counts = guild === undefined || with_counts !== true ? {} : countsOf(guild)
  return { ...inviteView(platform, invite), ...counts }
}

const deleteInvite: Handler<'DELETE_INVITE'> = ({ code, audit_log_reason: reason }, operation) => {
  const { platform } = operation
  const { store } = platform
  const invite = inviteFor(platform, code)
  const channel = store.channels.get(invite.channelId)
  const bits = guildPermissions(operation.platform, guildFor(operation, invite.guildId), operation.caller)
  const mayDelete = holds(bits, 'MANAGE_GUILD') || (channel !== undefined && mayIn(operation, channel, 'MANAGE_CHANNELS'))
  if (!mayDelete) throw new PlatformError('missingPermissions')
  const changes = [{ key: 'code', old_value: code }]
  store.commit([
    store.invites.delete(code),
    ...auditWrites(operation, invite.guildId, { event: 'INVITE_DELETE', targetId: null, changes, reason }),
  ])
  return inviteView(platform, invite)
}

export const inviteHandlers = {
  DELETE_INVITE: deleteInvite,
  GET_GUILD_INVITES: getGuildInvites,
  GET_INVITE: getInvite,
  CREATE_CHANNEL_INVITE_BY_BOT: createChannelInviteByBot,
  GET_CHANNEL_INVITES: getChannelInvites,
} satisfies Partial<Handlers>
