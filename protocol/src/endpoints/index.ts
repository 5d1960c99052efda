/** The ENDPOINTS table: operations of the platform's HTTP API that the bridge forwards. */
import { tableOf } from '../table.ts'
import { editCurrentApplication, getCurrentApplication } from './applications.ts'
import {
  createApplicationEmoji,
  deleteApplicationEmoji,
  getApplicationEmoji,
  listApplicationEmojis,
  modifyApplicationEmoji,
} from './emoji.ts'
import { beginGuildPrune, getCurrentUserVoiceState, getGuildPruneCount, getUserVoiceState, modifyCurrentMember } from './members.ts'
import {
  consumeEntitlement,
  createTestEntitlement,
  deleteTestEntitlement,
  getEntitlement,
  getSkuSubscription,
  listEntitlements,
  listSkuSubscriptions,
  listSkus,
} from './monetization.ts'
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
import { getGateway, getGatewayBot } from './gateway.ts'
import { createGuild, getGuildChannels, setVoiceChannelStatus } from './guilds.ts'
import { createChannelInviteByBot, getChannelInvites, getTargetUsers, getTargetUsersJobStatus, updateTargetUsers } from './invites.ts'
import { bulkUpdateLobbyMembers, createOrJoinLobby, getLobbyMessages, sendLobbyMessage } from './lobbies.ts'
import {
  addLobbyMember,
  createLobby,
  createLobbyChannelInviteForUser,
  deleteLobby,
  getLobby,
  modifyLobby,
  removeLobbyMember,
  updateLobbyMessageModerationMetadata,
} from './lobby-backend.ts'
import { createLobbyChannelInviteForSelf, leaveLobby, linkChannelToLobby, unlinkChannelFromLobby } from './lobby-membership.ts'
import { createMessage, deleteMessage, editMessage, getChannelMessage, getChannelMessages, searchGuildMessages } from './messages.ts'
import { getCurrentAuthorizationInformation, requestToken } from './oauth2.ts'
import { requestChildToken, requestProvisionalAccountUnmerge, requestProvisionalToken } from './partner.ts'
import { getChannelPins, getPinnedMessages, pinMessage, pinMessageDeprecated, unpinMessage, unpinMessageDeprecated } from './pins.ts'
import { deleteUserMessage, editUserMessage, getUserMessages, sendActivityMessage, sendUserMessage } from './user-messages.ts'
import { getCurrentUser, getCurrentUserConnections, getCurrentUserGuilds } from './users.ts'
import {
  createFollowupMessage,
  createInteractionResponse,
  deleteFollowupMessage,
  deleteOriginalInteractionResponse,
  editFollowupMessage,
  editOriginalInteractionResponse,
  getFollowupMessage,
  getOriginalInteractionResponse,
} from './interactions.ts'
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
} from './auto-moderation.ts'
import { getGuildAuditLog } from './audit-log.ts'
import { createHeadlessSession, deleteHeadlessSession, getActivitySecret } from './headless-sessions.ts'
import { updateUserMessageModerationMetadata } from './direct-messages.ts'

export const ENDPOINTS = tableOf([
  addLobbyMember,
  beginGuildPrune,
  bulkOverwriteGlobalApplicationCommands,
  bulkOverwriteGuildApplicationCommands,
  bulkUpdateLobbyMembers,
  consumeEntitlement,
  createApplicationEmoji,
  createAutoModerationRule,
  createChannelInviteByBot,
  createFollowupMessage,
  createGlobalApplicationCommand,
  createGuild,
  createGuildApplicationCommand,
  createGuildSoundboardSound,
  createHeadlessSession,
  createInteractionResponse,
  createLobby,
  createLobbyChannelInviteForSelf,
  createLobbyChannelInviteForUser,
  createMessage,
  createOrJoinLobby,
  createTestEntitlement,
  deleteApplicationEmoji,
  deleteAutoModerationRule,
  deleteFollowupMessage,
  deleteGlobalApplicationCommand,
  deleteGuildApplicationCommand,
  deleteGuildSoundboardSound,
  deleteHeadlessSession,
  deleteLobby,
  deleteMessage,
  deleteOriginalInteractionResponse,
  deleteTestEntitlement,
  deleteUserMessage,
  editCurrentApplication,
  editFollowupMessage,
  editGlobalApplicationCommand,
  editGuildApplicationCommand,
  editMessage,
  editOriginalInteractionResponse,
  editUserMessage,
  getActivitySecret,
  getApplicationEmoji,
  getAutoModerationRule,
  getChannelInvites,
  getChannelMessage,
  getChannelMessages,
  getChannelPins,
  getCurrentApplication,
  getCurrentAuthorizationInformation,
  getCurrentUser,
  getCurrentUserConnections,
  getCurrentUserGuilds,
  getCurrentUserVoiceState,
  getEntitlement,
  getFollowupMessage,
  getGateway,
  getGatewayBot,
  getGlobalApplicationCommand,
  getGlobalApplicationCommands,
  getGuildApplicationCommand,
  getGuildApplicationCommands,
  getGuildAuditLog,
  getGuildChannels,
  getGuildPruneCount,
  getGuildRole,
  getGuildRoleMemberCounts,
  getGuildSoundboardSound,
  getLobby,
  getLobbyMessages,
  getOriginalInteractionResponse,
  getPinnedMessages,
  getSkuSubscription,
  getTargetUsers,
  getTargetUsersJobStatus,
  getUserMessages,
  getUserVoiceState,
  leaveLobby,
  linkChannelToLobby,
  listApplicationEmojis,
  listAutoModerationRules,
  listDefaultSoundboardSounds,
  listEntitlements,
  listGuildSoundboardSounds,
  listSkus,
  listSkuSubscriptions,
  modifyApplicationEmoji,
  modifyAutoModerationRule,
  modifyCurrentMember,
  modifyGuildSoundboardSound,
  modifyLobby,
  pinMessage,
  pinMessageDeprecated,
  removeLobbyMember,
  requestChildToken,
  requestProvisionalAccountUnmerge,
  requestProvisionalToken,
  requestToken,
  searchGuildMessages,
  sendLobbyMessage,
  sendSoundboardSound,
  // Must precede sendUserMessage, whose arguments also match because extra body fields are ignored.
  sendActivityMessage,
  sendUserMessage,
  setVoiceChannelStatus,
  unlinkChannelFromLobby,
  unpinMessage,
  unpinMessageDeprecated,
  updateLobbyMessageModerationMetadata,
  updateTargetUsers,
  updateUserMessageModerationMetadata,
])

export type EndpointName = keyof typeof ENDPOINTS
export const isEndpointName = (text: string): text is EndpointName => Object.hasOwn(ENDPOINTS, text)
