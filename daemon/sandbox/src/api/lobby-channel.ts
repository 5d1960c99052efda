/** Lobby operations of members besides messages: leave, link to a channel, and invites to that channel. */
import { LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { StoredChannel, StoredGuild, StoredInvite, StoredLobby } from '../store/records.ts'
import type { UserCaller } from './authentication.ts'
import { asUser, type Handler, type Handlers } from './handlers.ts'
import { inviteWrites, newInviteCode } from './invite-lifecycle.ts'
import { removeMember } from './lobby-backend.ts'
import { lobbyOf, lobbyOfMember } from './lobby-lifecycle.ts'
import { lobbyView } from './lobby-view.ts'
import { channelPermissions, holds } from './permissions.ts'

/** Member flag: may link the lobby to a channel. */
const CAN_LINK = 1

const leaveLobby: Handler<'LEAVE_LOBBY'> = ({ lobby_id }, { platform, caller }) => {
  const user = asUser(caller)
  removeMember(platform, lobbyOf(platform, user.applicationId, lobby_id), user.id)
  return null
}

const linkChannelToLobby: Handler<'LINK_CHANNEL_TO_LOBBY'> = ({ lobby_id, channel_id }, { platform, caller }) => {
  const { store, clock } = platform
  const user = asUser(caller)
  const before = lobbyToLink(platform, lobby_id, user)
  const channel = channelToLink(platform, channel_id, user)
  const lobby = { ...before, linkedChannelId: channel.id, lastUsedAt: clock.now() }
  store.commit([store.lobbies.put(lobby.id, lobby)])
  return lobbyView(platform, lobby)
}

const unlinkChannelFromLobby: Handler<'UNLINK_CHANNEL_FROM_LOBBY'> = ({ lobby_id }, { platform, caller }) => {
  const { store, clock } = platform
  const { linkedChannelId: _, ...rest } = lobbyToLink(platform, lobby_id, asUser(caller))
  const lobby = { ...rest, lastUsedAt: clock.now() }
  store.commit([store.lobbies.put(lobby.id, lobby)])
  return lobbyView(platform, lobby)
}

function lobbyToLink(platform: Platform, lobbyId: string, { applicationId, id }: UserCaller): StoredLobby {
  const lobby = lobbyOfMember(platform, applicationId, lobbyId, id)
  const flags = lobby.members.find((member) => member.id === id)?.flags ?? 0
  if ((flags & CAN_LINK) === 0) throw new PlatformError('missingPermissions')
  return lobby
}

function channelToLink(platform: Platform, channelId: string, user: UserCaller): StoredChannel {
  const { store } = platform
  const channel = store.channels.get(channelId)
  const guild = store.guilds.get(channel?.guildId ?? '')
  if (channel === undefined || guild === undefined) throw new PlatformError('unknownChannel')
  const bits = channelPermissions(platform, guild, channel, user)
  if (!holds(bits, 'VIEW_CHANNEL')) throw new PlatformError('missingAccess')
  if (channel.type !== CHANNEL_TYPES.text) throw new PlatformError('wrongChannelType')
  if (!holds(bits, 'MANAGE_CHANNELS') || !holds(bits, 'SEND_MESSAGES')) throw new PlatformError('missingPermissions')
  return channel
}

const createLobbyChannelInviteForSelf: Handler<'CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF'> = ({ lobby_id }, { platform, caller }) => {
  const user = asUser(caller)
  return invite(platform, lobbyOfMember(platform, user.applicationId, lobby_id, user.id), user.id)
}

const createLobbyChannelInviteForUser: Handler<'CREATE_LOBBY_CHANNEL_INVITE_FOR_USER'> = ({ lobby_id, user_id }, { platform, caller }) => {
  const lobby = lobbyOf(platform, caller.applicationId, lobby_id)
  if (!lobby.members.some(({ id }) => id === user_id)) throw new PlatformError('unknownMember')
  return invite(platform, lobby, user_id)
}

/** A single-use invite for one user, valid for an hour. */
function invite(platform: Platform, lobby: StoredLobby, userId: string): { code: string } {
  const { store, clock } = platform
  const channel = store.channels.get(lobby.linkedChannelId ?? '')
  const guild: StoredGuild | undefined = store.guilds.get(channel?.guildId ?? '')
  if (channel === undefined || guild === undefined) throw new PlatformError('noLinkedChannel')
  const one: StoredInvite = {
    code: newInviteCode(),
    guildId: guild.id,
    channelId: channel.id,
    inviterId: lobby.applicationId,
    targetUserId: userId,
    maxUses: LIMITS.lobbyInviteUses.value,
    maxAgeSeconds: LIMITS.lobbyInviteAge.value,
    createdAt: clock.now(),
  }
  store.commit(inviteWrites(platform, one))
  return { code: one.code }
}

export const lobbyChannelHandlers = {
  CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF: createLobbyChannelInviteForSelf,
  CREATE_LOBBY_CHANNEL_INVITE_FOR_USER: createLobbyChannelInviteForUser,
  LEAVE_LOBBY: leaveLobby,
  LINK_CHANNEL_TO_LOBBY: linkChannelToLobby,
  UNLINK_CHANNEL_FROM_LOBBY: unlinkChannelFromLobby,
} satisfies Partial<Handlers>
