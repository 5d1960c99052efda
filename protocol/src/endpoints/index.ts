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
import { createGuild, getGuildChannels, setVoiceChannelStatus } from './guilds.ts'
import { getChannelInvites } from './invites.ts'
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
import { createMessage, editMessage, getChannelPins, pinMessage, searchGuildMessages, unpinMessage } from './messages.ts'
import { getCurrentAuthorizationInformation, requestToken } from './oauth2.ts'
import { requestChildToken, requestProvisionalAccountUnmerge, requestProvisionalToken } from './partner.ts'
import { getCurrentUser, getCurrentUserConnections, getCurrentUserGuilds } from './users.ts'

export const ENDPOINTS = tableOf([
  addLobbyMember,
  beginGuildPrune,
  bulkUpdateLobbyMembers,
  consumeEntitlement,
  createApplicationEmoji,
  createGuild,
  createGuildSoundboardSound,
  createLobby,
  createLobbyChannelInviteForSelf,
  createLobbyChannelInviteForUser,
  createMessage,
  createOrJoinLobby,
  createTestEntitlement,
  deleteApplicationEmoji,
  deleteGuildSoundboardSound,
  deleteLobby,
  deleteTestEntitlement,
  editCurrentApplication,
  editMessage,
  getApplicationEmoji,
  getChannelInvites,
  getChannelPins,
  getCurrentApplication,
  getCurrentAuthorizationInformation,
  getCurrentUser,
  getCurrentUserConnections,
  getCurrentUserGuilds,
  getCurrentUserVoiceState,
  getEntitlement,
  getGuildChannels,
  getGuildPruneCount,
  getGuildRole,
  getGuildRoleMemberCounts,
  getGuildSoundboardSound,
  getLobby,
  getLobbyMessages,
  getSkuSubscription,
  getUserVoiceState,
  leaveLobby,
  linkChannelToLobby,
  listApplicationEmojis,
  listDefaultSoundboardSounds,
  listEntitlements,
  listGuildSoundboardSounds,
  listSkuSubscriptions,
  listSkus,
  modifyApplicationEmoji,
  modifyCurrentMember,
  modifyGuildSoundboardSound,
  modifyLobby,
  pinMessage,
  removeLobbyMember,
  requestChildToken,
  requestProvisionalAccountUnmerge,
  requestProvisionalToken,
  requestToken,
  searchGuildMessages,
  sendLobbyMessage,
  sendSoundboardSound,
  setVoiceChannelStatus,
  unlinkChannelFromLobby,
  unpinMessage,
  updateLobbyMessageModerationMetadata,
])

export type EndpointName = keyof typeof ENDPOINTS
export const isEndpointName = (text: string): text is EndpointName => Object.hasOwn(ENDPOINTS, text)
