/** Endpoints by which a member of a lobby leaves it, ties it to a channel, and goes to that channel. */
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
  params: { lobby_id: Snowflake },
  response: z.null(),
  success: [204],
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'natural',
  platformErrors: [10031, 50026],
  provenance: 'documented',
})

export const linkChannelToLobby = defineEndpoint({
  name: 'LINK_CHANNEL_TO_LOBBY',
  summary: 'Tie a text channel to a lobby. The member must be allowed to link it, and to manage, see and write in the channel.',
  method: 'PATCH',
  path: '/lobbies/{lobby_id}/channel-linking',
  params: { lobby_id: Snowflake },
  body: { channel_id: Snowflake },
  response: Lobby,
  auth: 'user',
  requires: anyOf('lobbies.write'),
  permissions: ['MANAGE_CHANNELS', 'VIEW_CHANNEL', 'SEND_MESSAGES'],
  idempotency: 'natural',
  platformErrors: [10003, 10031, 50001, 50013, 50024, 50026, 50035],
  provenance: 'documented',
})

/** The same operation without a channel. That its body can only say null makes it send a body at all. */
export const unlinkChannelFromLobby = defineEndpoint({
  name: 'UNLINK_CHANNEL_FROM_LOBBY',
  summary: 'Untie a lobby from its channel. The member must be allowed to link it.',
  method: 'PATCH',
  path: '/lobbies/{lobby_id}/channel-linking',
  params: { lobby_id: Snowflake },
  body: { channel_id: z.null().optional() },
  response: Lobby,
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'natural',
  platformErrors: [10031, 50001, 50013, 50026],
  provenance: 'documented',
})

export const createLobbyChannelInviteForSelf = defineEndpoint({
  name: 'CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF',
  summary: 'An invite for the caller to the guild of the linked channel. It works once, within an hour.',
  method: 'POST',
  path: '/lobbies/{lobby_id}/members/@me/invites',
  params: { lobby_id: Snowflake },
  response: LobbyInvite,
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'none',
  platformErrors: [10031, 50001, 50026],
  provenance: 'documented',
})
