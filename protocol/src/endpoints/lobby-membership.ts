/** Endpoints for a lobby member: leave the lobby, link it to a channel, get an invite to that channel. */
import * as z from 'zod'
import { Lobby, LobbyInvite } from '../records/lobby.ts'
import { Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const leaveLobby = defineEndpoint({
  name: 'LEAVE_LOBBY',
  summary: 'Leave a lobby.',
  method: 'DELETE',
  path: '/lobbies/{lobby_id}/members/@me',
  params: () => ({ lobby_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'natural',
  platformErrors: [10031, 50026],
  provenance: 'documented',
})

export const linkChannelToLobby = defineEndpoint({
  name: 'LINK_CHANNEL_TO_LOBBY',
  summary:
    'Link a text channel to a lobby. The member needs permission to link the lobby, and to manage, view and send messages in the channel.',
  method: 'PATCH',
  path: '/lobbies/{lobby_id}/channel-linking',
  params: () => ({ lobby_id: Snowflake() }),
  body: () => ({ channel_id: Snowflake() }),
  response: Lobby,
  auth: 'user',
  requires: anyOf('lobbies.write'),
  permissions: ['MANAGE_CHANNELS', 'VIEW_CHANNEL', 'SEND_MESSAGES'],
  idempotency: 'natural',
  platformErrors: [10003, 10031, 50001, 50013, 50024, 50026, 50035],
  provenance: 'documented',
})

/** The same operation without a channel. The null-only field makes the row send a body. */
export const unlinkChannelFromLobby = defineEndpoint({
  name: 'UNLINK_CHANNEL_FROM_LOBBY',
  summary: 'Unlink a lobby from its channel. The member needs permission to link the lobby.',
  method: 'PATCH',
  path: '/lobbies/{lobby_id}/channel-linking',
  params: () => ({ lobby_id: Snowflake() }),
  body: () => ({ channel_id: z.null().optional() }),
  response: Lobby,
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'natural',
  platformErrors: [10031, 50001, 50013, 50026],
  provenance: 'documented',
})

export const createLobbyChannelInviteForSelf = defineEndpoint({
  name: 'CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF',
  summary: 'Create an invite for the caller to the guild of the linked channel. It is valid for one use within an hour.',
  method: 'POST',
  path: '/lobbies/{lobby_id}/members/@me/invites',
  params: () => ({ lobby_id: Snowflake() }),
  response: LobbyInvite,
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'none',
  returnsSecrets: true,
  platformErrors: [10031, 50001, 50026],
  provenance: 'documented',
})
