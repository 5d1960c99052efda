/** The ENDPOINTS table: operations of the platform's HTTP API that the bridge forwards. */
import { tableOf } from '../table.ts'
import { createGuild, getGuildChannels, setVoiceChannelStatus } from './guilds.ts'
import { bulkUpdateLobbyMembers, createOrJoinLobby, getLobbyMessages, sendLobbyMessage } from './lobbies.ts'
import { getCurrentAuthorizationInformation, requestToken } from './oauth2.ts'
import { getCurrentUser, getCurrentUserConnections, getCurrentUserGuilds } from './users.ts'

export const ENDPOINTS = tableOf([
  bulkUpdateLobbyMembers,
  createGuild,
  createOrJoinLobby,
  getCurrentAuthorizationInformation,
  getCurrentUser,
  getCurrentUserConnections,
  getCurrentUserGuilds,
  getGuildChannels,
  getLobbyMessages,
  requestToken,
  sendLobbyMessage,
  setVoiceChannelStatus,
])

export type EndpointName = keyof typeof ENDPOINTS
export const isEndpointName = (text: string): text is EndpointName => Object.hasOwn(ENDPOINTS, text)
