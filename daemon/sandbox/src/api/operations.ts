/** The routes of the API, one per ENDPOINTS row: authentication, permission, arguments, then the handler. */
import { ENDPOINTS, satisfies } from '@sallyport/protocol'
import type { RouteHandler, Call, SandboxReply } from '../http/exchange.ts'
import { reply } from '../http/exchange.ts'
import { isMultipart, readParts } from '../http/multipart.ts'
import type { Route } from '../http/router.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { filesOf, matchesRow, type ObjectRow, parseArguments } from './arguments.ts'
import { type ApiCaller, authenticateCaller } from './authentication.ts'
import { callerOfInteraction } from './interaction-lifecycle.ts'
import { deleteMessage, getChannelMessage, getChannelMessages } from './channel-history.ts'
import { createMessage, editMessage } from './channel-messages.ts'
import { getGatewayBot } from './gateway.ts'
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
import {
  StatusReply,
  type ApiEndpointName,
  type Handlers,
  type OAuthEndpointName,
  type OpenEndpointName,
  type Operation,
} from './handlers.ts'
import { createChannelInviteByBot, getChannelInvites } from './invites.ts'
import { getTargetUsers, getTargetUsersJobStatus, updateTargetUsers } from './target-users.ts'
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
import { getChannelPins, getPinnedMessages, pinMessage, unpinMessage } from './pins.ts'
import { deleteUserMessage, editUserMessage, getUserMessages, sendActivityMessage, sendUserMessage } from './user-messages.ts'
import { getCurrentAuthorizationInformation, getCurrentUser, getCurrentUserConnections, getCurrentUserGuilds } from './users.ts'
import { createInteractionResponse } from './interactions.ts'
import {
  createFollowupMessage,
  deleteFollowupMessage,
  deleteOriginalInteractionResponse,
  editFollowupMessage,
  editOriginalInteractionResponse,
  getFollowupMessage,
  getOriginalInteractionResponse,
} from './interaction-messages.ts'
import {
  bulkOverwriteGlobalApplicationCommands,
  bulkOverwriteGuildApplicationCommands,
  createGlobalApplicationCommand,
  createGuildApplicationCommand,
  deleteGlobalApplicationCommand,
  deleteGuildApplicationCommand,
  editGlobalApplicationCommand,
  editGuildApplicationCommand,
  getGlobalApplicationCommand,
  getGlobalApplicationCommands,
  getGuildApplicationCommand,
  getGuildApplicationCommands,
} from './application-commands.ts'
import {
  createAutoModerationRule,
  deleteAutoModerationRule,
  getAutoModerationRule,
  listAutoModerationRules,
  modifyAutoModerationRule,
} from './moderation-rules.ts'
import { getGuildAuditLog } from './audit-log.ts'
import { createHeadlessSession, deleteHeadlessSession, getActivitySecret } from './headless-sessions.ts'
import { updateUserMessageModerationMetadata } from './user-moderation.ts'

const HANDLERS: Handlers = {
  ADD_LOBBY_MEMBER: addLobbyMember,
  BEGIN_GUILD_PRUNE: beginGuildPrune,
  BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS: bulkOverwriteGlobalApplicationCommands,
  BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS: bulkOverwriteGuildApplicationCommands,
  BULK_UPDATE_LOBBY_MEMBERS: bulkUpdateLobbyMembers,
  CONSUME_ENTITLEMENT: consumeEntitlement,
  CREATE_APPLICATION_EMOJI: createApplicationEmoji,
  CREATE_AUTO_MODERATION_RULE: createAutoModerationRule,
  CREATE_CHANNEL_INVITE_BY_BOT: createChannelInviteByBot,
  CREATE_FOLLOWUP_MESSAGE: createFollowupMessage,
  CREATE_GLOBAL_APPLICATION_COMMAND: createGlobalApplicationCommand,
  CREATE_GUILD: createGuild,
  CREATE_GUILD_APPLICATION_COMMAND: createGuildApplicationCommand,
  CREATE_GUILD_SOUNDBOARD_SOUND: createGuildSoundboardSound,
  CREATE_HEADLESS_SESSION: createHeadlessSession,
  CREATE_INTERACTION_RESPONSE: createInteractionResponse,
  CREATE_LOBBY: createLobby,
  CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF: createLobbyChannelInviteForSelf,
  CREATE_LOBBY_CHANNEL_INVITE_FOR_USER: createLobbyChannelInviteForUser,
  CREATE_MESSAGE: createMessage,
  CREATE_OR_JOIN_LOBBY: createOrJoinLobby,
  CREATE_TEST_ENTITLEMENT: createTestEntitlement,
  DELETE_APPLICATION_EMOJI: deleteApplicationEmoji,
  DELETE_AUTO_MODERATION_RULE: deleteAutoModerationRule,
  DELETE_FOLLOWUP_MESSAGE: deleteFollowupMessage,
  DELETE_GLOBAL_APPLICATION_COMMAND: deleteGlobalApplicationCommand,
  DELETE_GUILD_APPLICATION_COMMAND: deleteGuildApplicationCommand,
  DELETE_GUILD_SOUNDBOARD_SOUND: deleteGuildSoundboardSound,
  DELETE_HEADLESS_SESSION: deleteHeadlessSession,
  DELETE_LOBBY: deleteLobby,
  DELETE_MESSAGE: deleteMessage,
  DELETE_ORIGINAL_INTERACTION_RESPONSE: deleteOriginalInteractionResponse,
  DELETE_TEST_ENTITLEMENT: deleteTestEntitlement,
  DELETE_USER_MESSAGE: deleteUserMessage,
  EDIT_CURRENT_APPLICATION: editCurrentApplication,
  EDIT_FOLLOWUP_MESSAGE: editFollowupMessage,
  EDIT_GLOBAL_APPLICATION_COMMAND: editGlobalApplicationCommand,
  EDIT_GUILD_APPLICATION_COMMAND: editGuildApplicationCommand,
  EDIT_MESSAGE: editMessage,
  EDIT_ORIGINAL_INTERACTION_RESPONSE: editOriginalInteractionResponse,
  EDIT_USER_MESSAGE: editUserMessage,
  GET_ACTIVITY_SECRET: getActivitySecret,
  GET_APPLICATION_EMOJI: getApplicationEmoji,
  GET_AUTO_MODERATION_RULE: getAutoModerationRule,
  GET_CHANNEL_INVITES: getChannelInvites,
  GET_CHANNEL_MESSAGE: getChannelMessage,
  GET_CHANNEL_MESSAGES: getChannelMessages,
  GET_CHANNEL_PINS: getChannelPins,
  GET_CURRENT_APPLICATION: getCurrentApplication,
  GET_CURRENT_AUTHORIZATION_INFORMATION: getCurrentAuthorizationInformation,
  GET_CURRENT_USER: getCurrentUser,
  GET_CURRENT_USER_CONNECTIONS: getCurrentUserConnections,
  GET_CURRENT_USER_GUILDS: getCurrentUserGuilds,
  GET_CURRENT_USER_VOICE_STATE: getCurrentUserVoiceState,
  GET_ENTITLEMENT: getEntitlement,
  GET_FOLLOWUP_MESSAGE: getFollowupMessage,
  GET_GATEWAY_BOT: getGatewayBot,
  GET_GLOBAL_APPLICATION_COMMAND: getGlobalApplicationCommand,
  GET_GLOBAL_APPLICATION_COMMANDS: getGlobalApplicationCommands,
  GET_GUILD_APPLICATION_COMMAND: getGuildApplicationCommand,
  GET_GUILD_APPLICATION_COMMANDS: getGuildApplicationCommands,
  GET_GUILD_AUDIT_LOG: getGuildAuditLog,
  GET_GUILD_CHANNELS: getGuildChannels,
  GET_GUILD_PRUNE_COUNT: getGuildPruneCount,
  GET_GUILD_ROLE: getGuildRole,
  GET_GUILD_ROLE_MEMBER_COUNTS: getGuildRoleMemberCounts,
  GET_GUILD_SOUNDBOARD_SOUND: getGuildSoundboardSound,
  GET_LOBBY: getLobby,
  GET_LOBBY_MESSAGES: getLobbyMessages,
  GET_ORIGINAL_INTERACTION_RESPONSE: getOriginalInteractionResponse,
  GET_PINNED_MESSAGES: getPinnedMessages,
  GET_SKU_SUBSCRIPTION: getSkuSubscription,
  GET_TARGET_USERS: getTargetUsers,
  GET_TARGET_USERS_JOB_STATUS: getTargetUsersJobStatus,
  GET_USER_MESSAGES: getUserMessages,
  GET_USER_VOICE_STATE: getUserVoiceState,
  LEAVE_LOBBY: leaveLobby,
  LINK_CHANNEL_TO_LOBBY: linkChannelToLobby,
  LIST_APPLICATION_EMOJIS: listApplicationEmojis,
  LIST_AUTO_MODERATION_RULES_FOR_GUILD: listAutoModerationRules,
  LIST_DEFAULT_SOUNDBOARD_SOUNDS: listDefaultSoundboardSounds,
  LIST_ENTITLEMENTS: listEntitlements,
  LIST_GUILD_SOUNDBOARD_SOUNDS: listGuildSoundboardSounds,
  LIST_SKUS: listSkus,
  LIST_SKU_SUBSCRIPTIONS: listSkuSubscriptions,
  MODIFY_APPLICATION_EMOJI: modifyApplicationEmoji,
  MODIFY_AUTO_MODERATION_RULE: modifyAutoModerationRule,
  MODIFY_CURRENT_MEMBER: modifyCurrentMember,
  MODIFY_GUILD_SOUNDBOARD_SOUND: modifyGuildSoundboardSound,
  MODIFY_LOBBY: modifyLobby,
  PIN_MESSAGE: pinMessage,
  PIN_MESSAGE_DEPRECATED: pinMessage,
  REMOVE_LOBBY_MEMBER: removeLobbyMember,
  SEARCH_GUILD_MESSAGES: searchGuildMessages,
  SEND_ACTIVITY_MESSAGE: sendActivityMessage,
  SEND_LOBBY_MESSAGE: sendLobbyMessage,
  SEND_SOUNDBOARD_SOUND: sendSoundboardSound,
  SEND_USER_MESSAGE: sendUserMessage,
  SET_VOICE_CHANNEL_STATUS: setVoiceChannelStatus,
  UNLINK_CHANNEL_FROM_LOBBY: unlinkChannelFromLobby,
  UNPIN_MESSAGE: unpinMessage,
  UNPIN_MESSAGE_DEPRECATED: unpinMessage,
  UPDATE_LOBBY_MESSAGE_MODERATION_METADATA: updateLobbyMessageModerationMetadata,
  UPDATE_TARGET_USERS: updateTargetUsers,
  UPDATE_USER_MESSAGE_MODERATION_METADATA: updateUserMessageModerationMetadata,
}

/** A handler without types. Its row checks its arguments. */
type AnyHandler = (args: unknown, operation: Operation) => unknown

const routeOf = (row: ObjectRow, answer: RouteHandler): Route => ({
  method: row.method,
  path: row.path,
  ...(row.majorParameter === undefined ? {} : { majorParameter: row.majorParameter }),
  handle: answer,
})

/** The rows without a token. */
type TokenlessName = OAuthEndpointName | OpenEndpointName

/** All routes; the rows without a token use the given handlers. */
export function endpointRoutes(platform: Platform, tokenless: { readonly [Name in TokenlessName]: RouteHandler }): Route[] {
  const rows = Object.values(ENDPOINTS) as unknown as readonly (ObjectRow & { readonly name: ApiEndpointName | TokenlessName })[]
  return [...Map.groupBy(rows, ({ method, path }) => `${method} ${path}`).values()].map((group) => {
    const [first] = group as [(typeof rows)[number]]
    const { name } = first
    return routeOf(first, name in tokenless ? tokenless[name as TokenlessName] : operation(platform, group as unknown as RowGroup))
  })
}

/** Rows of one method and path, distinguished by their bodies; usually one row. */
type RowGroup = readonly [ApiRow, ...ApiRow[]]
type ApiRow = ObjectRow & { readonly name: ApiEndpointName }

const operation =
  (platform: Platform, group: RowGroup): RouteHandler =>
  async (given) => {
    const [{ auth }] = group
    const caller =
      auth === 'interaction'
        ? callerOfInteraction(platform, given.params)
        : authenticateCaller(platform, given.request.headers.authorization)
    if (caller === undefined) throw new PlatformError('unauthorized')
    const call = await withParts(group, given)
    const row = matchingRow(group, call, caller)
    checkCaller(row, caller)
    const handler = HANDLERS[row.name] as AnyHandler
    const files = row.upload === undefined ? [] : filesOf(row.upload, call.parts?.files ?? [])
    return replyOf(row, await handler(parseArguments(row, call), { platform, caller, files }))
  }

/** Only operations with files accept multipart bodies. */
const withParts = async (group: RowGroup, call: Call): Promise<Call> =>
  group.some(({ upload }) => upload !== undefined) && isMultipart(call.request.headers)
    ? { ...call, parts: await readParts(call.request) }
    : call

const isStatusReply = (answer: unknown): answer is StatusReply<unknown> => answer instanceof StatusReply

function replyOf({ success, csvReply }: ObjectRow, answer: unknown): SandboxReply {
  const [usual = 200] = success
  const { status, data } = isStatusReply(answer) ? answer : { status: usual, data: answer }
  if (data === null && success.includes(204)) return reply.empty()
  if (csvReply === undefined) return reply.json(status, data)
  const values = (data as Readonly<Record<string, readonly string[]>>)[csvReply.as] ?? []
  return reply.csv([csvReply.header, ...values].map((line) => `${line}\r\n`).join(''))
}

/** The row with matching arguments; else the first that the caller may use, for its errors. */
function matchingRow([first, ...others]: RowGroup, call: Call, caller: ApiCaller): ApiRow {
  if (others.length === 0 || matchesRow(first, call)) return first
  const mayUse = ({ requires }: ApiRow): boolean => caller.kind === 'bot' || satisfies(requires, caller.held)
  return others.find((row) => matchesRow(row, call)) ?? [first, ...others].find(mayUse) ?? first
}

/** Checks whether this kind of caller has the operation, and whether a user's token has the scopes. */
function checkCaller(row: ObjectRow, caller: ApiCaller): void {
  if (caller.kind === 'bot') {
    if (row.auth === 'user') throw new PlatformError('botsCannot')
    return
  }
  if (row.auth === 'bot') throw new PlatformError('onlyBots')
  if (satisfies(row.requires, caller.held)) return
  const required = row.requires.map((set) => set.join(' and ')).join(', or ')
  throw new PlatformError('missingScope', { message: `Missing required OAuth2 scope: ${required}` })
}
