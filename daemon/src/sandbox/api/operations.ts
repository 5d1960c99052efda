/** The routes of the API, one per row of ENDPOINTS: who calls, what they may, what they sent, then the handler. */
import { ENDPOINTS, satisfies } from '@sallyport/protocol'
import type { Answer, Call } from '../http/exchange.ts'
import { reply } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { fits, type ObjectRow, parseArguments } from './arguments.ts'
import { type Caller, callerOf } from './caller.ts'
import { createMessage, editMessage } from './channel-messages.ts'
import { createGuild, getGuildChannels, setVoiceChannelStatus } from './guilds.ts'
import { editCurrentApplication, getCurrentApplication } from './current-application.ts'
import {
  createApplicationEmoji,
  deleteApplicationEmoji,
  getApplicationEmoji,
  listApplicationEmojis,
  modifyApplicationEmoji,
} from './emojis.ts'
import { consumeEntitlement, createTestEntitlement, deleteTestEntitlement, getEntitlement, listEntitlements } from './entitlements.ts'
import { beginGuildPrune, getGuildPruneCount, modifyCurrentMember } from './members.ts'
import { getGuildRole, getGuildRoleMemberCounts } from './roles.ts'
import {
  createGuildSoundboardSound,
  deleteGuildSoundboardSound,
  getGuildSoundboardSound,
  listDefaultSoundboardSounds,
  listGuildSoundboardSounds,
  modifyGuildSoundboardSound,
  sendSoundboardSound,
} from './soundboard.ts'
import { getSkuSubscription, listSkuSubscriptions, listSkus } from './subscriptions.ts'
import { getCurrentUserVoiceState, getUserVoiceState } from './voice-states.ts'
import type { ApiEndpointName, Handlers, OAuthEndpointName, Operation } from './handlers.ts'
import { getChannelInvites } from './invites.ts'
import { bulkUpdateLobbyMembers, createOrJoinLobby } from './lobbies.ts'
import {
  addLobbyMember,
  createLobby,
  deleteLobby,
  getLobby,
  modifyLobby,
  removeLobbyMember,
  updateLobbyMessageModerationMetadata,
} from './lobby-backend.ts'
import {
  createLobbyChannelInviteForSelf,
  createLobbyChannelInviteForUser,
  leaveLobby,
  linkChannelToLobby,
  unlinkChannelFromLobby,
} from './lobby-channel.ts'
import { getLobbyMessages, sendLobbyMessage } from './lobby-messages.ts'
import { searchGuildMessages } from './message-search.ts'
import { getChannelPins, pinMessage, unpinMessage } from './pins.ts'
import { getCurrentAuthorizationInformation, getCurrentUser, getCurrentUserConnections, getCurrentUserGuilds } from './users.ts'

const HANDLERS: Handlers = {
  ADD_LOBBY_MEMBER: addLobbyMember,
  BEGIN_GUILD_PRUNE: beginGuildPrune,
  BULK_UPDATE_LOBBY_MEMBERS: bulkUpdateLobbyMembers,
  CONSUME_ENTITLEMENT: consumeEntitlement,
  CREATE_APPLICATION_EMOJI: createApplicationEmoji,
  CREATE_GUILD: createGuild,
  CREATE_GUILD_SOUNDBOARD_SOUND: createGuildSoundboardSound,
  CREATE_LOBBY: createLobby,
  CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF: createLobbyChannelInviteForSelf,
  CREATE_LOBBY_CHANNEL_INVITE_FOR_USER: createLobbyChannelInviteForUser,
  CREATE_MESSAGE: createMessage,
  CREATE_OR_JOIN_LOBBY: createOrJoinLobby,
  CREATE_TEST_ENTITLEMENT: createTestEntitlement,
  DELETE_APPLICATION_EMOJI: deleteApplicationEmoji,
  DELETE_GUILD_SOUNDBOARD_SOUND: deleteGuildSoundboardSound,
  DELETE_LOBBY: deleteLobby,
  DELETE_TEST_ENTITLEMENT: deleteTestEntitlement,
  EDIT_CURRENT_APPLICATION: editCurrentApplication,
  EDIT_MESSAGE: editMessage,
  GET_APPLICATION_EMOJI: getApplicationEmoji,
  GET_CHANNEL_INVITES: getChannelInvites,
  GET_CHANNEL_PINS: getChannelPins,
  GET_CURRENT_APPLICATION: getCurrentApplication,
  GET_CURRENT_AUTHORIZATION_INFORMATION: getCurrentAuthorizationInformation,
  GET_CURRENT_USER: getCurrentUser,
  GET_CURRENT_USER_CONNECTIONS: getCurrentUserConnections,
  GET_CURRENT_USER_GUILDS: getCurrentUserGuilds,
  GET_CURRENT_USER_VOICE_STATE: getCurrentUserVoiceState,
  GET_ENTITLEMENT: getEntitlement,
  GET_GUILD_CHANNELS: getGuildChannels,
  GET_GUILD_PRUNE_COUNT: getGuildPruneCount,
  GET_GUILD_ROLE: getGuildRole,
  GET_GUILD_ROLE_MEMBER_COUNTS: getGuildRoleMemberCounts,
  GET_GUILD_SOUNDBOARD_SOUND: getGuildSoundboardSound,
  GET_LOBBY: getLobby,
  GET_LOBBY_MESSAGES: getLobbyMessages,
  GET_SKU_SUBSCRIPTION: getSkuSubscription,
  GET_USER_VOICE_STATE: getUserVoiceState,
  LEAVE_LOBBY: leaveLobby,
  LINK_CHANNEL_TO_LOBBY: linkChannelToLobby,
  LIST_APPLICATION_EMOJIS: listApplicationEmojis,
  LIST_DEFAULT_SOUNDBOARD_SOUNDS: listDefaultSoundboardSounds,
  LIST_ENTITLEMENTS: listEntitlements,
  LIST_GUILD_SOUNDBOARD_SOUNDS: listGuildSoundboardSounds,
  LIST_SKUS: listSkus,
  LIST_SKU_SUBSCRIPTIONS: listSkuSubscriptions,
  MODIFY_APPLICATION_EMOJI: modifyApplicationEmoji,
  MODIFY_CURRENT_MEMBER: modifyCurrentMember,
  MODIFY_GUILD_SOUNDBOARD_SOUND: modifyGuildSoundboardSound,
  MODIFY_LOBBY: modifyLobby,
  PIN_MESSAGE: pinMessage,
  REMOVE_LOBBY_MEMBER: removeLobbyMember,
  SEARCH_GUILD_MESSAGES: searchGuildMessages,
  SEND_LOBBY_MESSAGE: sendLobbyMessage,
  SEND_SOUNDBOARD_SOUND: sendSoundboardSound,
  SET_VOICE_CHANNEL_STATUS: setVoiceChannelStatus,
  UNLINK_CHANNEL_FROM_LOBBY: unlinkChannelFromLobby,
  UNPIN_MESSAGE: unpinMessage,
  UPDATE_LOBBY_MESSAGE_MODERATION_METADATA: updateLobbyMessageModerationMetadata,
}

/** A handler whose arguments its own row has checked, so that the pair fits though the table's types cannot say so. */
type AnyHandler = (args: unknown, operation: Operation) => unknown

const routeOf = (row: ObjectRow, answer: Answer): Route => ({
  method: row.method,
  path: row.path,
  ...(row.majorParameter === undefined ? {} : { majorParameter: row.majorParameter }),
  answer,
})

/** The routes of the whole table; the OAuth rows are answered by what is passed in. */
export function endpointRoutes(platform: Platform, oauth: { readonly [Name in OAuthEndpointName]: Answer }): Route[] {
  const rows = Object.values(ENDPOINTS) as unknown as readonly (ObjectRow & { readonly name: ApiEndpointName | OAuthEndpointName })[]
  return [...Map.groupBy(rows, ({ method, path }) => `${method} ${path}`).values()].map((alike) => {
    const [first] = alike as [(typeof rows)[number]]
    const { name } = first
    return routeOf(first, name in oauth ? oauth[name as OAuthEndpointName] : operation(platform, alike as unknown as Alike))
  })
}

/** Rows of one method and path, told apart by their bodies; one row as a rule. */
type Alike = readonly [ApiRow, ...ApiRow[]]
type ApiRow = ObjectRow & { readonly name: ApiEndpointName }

const operation =
  (platform: Platform, alike: Alike): Answer =>
  (call) => {
    const caller = callerOf(platform, call.request.headers.authorization)
    if (caller === undefined) throw new PlatformError('unauthorized')
    const row = fitting(alike, call)
    checkCaller(row, caller)
    const handler = HANDLERS[row.name] as AnyHandler
    const data = handler(parseArguments(row, call), { platform, caller })
    const [status = 200] = row.success
    return status === 204 ? reply.empty() : reply.json(status, data)
  }

/** The row whose arguments fit; the first when none does, to say what is wrong. */
const fitting = ([first, ...others]: Alike, call: Call): ApiRow =>
  others.length === 0 || fits(first, call) ? first : (others.find((row) => fits(row, call)) ?? first)

/** Whether this kind of caller has the operation at all, and a user's token the scopes for it. */
function checkCaller(row: ObjectRow, caller: Caller): void {
  if (caller.kind === 'bot') {
    if (row.auth === 'user') throw new PlatformError('botsCannot')
    return
  }
  if (row.auth === 'bot') throw new PlatformError('onlyBots')
  if (satisfies(row.requires, caller.held)) return
  const wanted = row.requires.map((set) => set.join(' and ')).join(', or ')
  throw new PlatformError('missingScope', { message: `Missing required OAuth2 scope: ${wanted}` })
}
