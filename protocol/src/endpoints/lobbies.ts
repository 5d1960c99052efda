/** Endpoints for lobbies: joining, members and messages. */
import * as z from 'zod'
import { once } from '../once.ts'
import { lobbyHistory } from '../responses/history.ts'
import { LIMITS } from '../limits.ts'
import { Lobby, LobbyMember, LobbyMemberFlags, LobbyMessage, MessageMetadata, Metadata } from '../records/lobby.ts'
import { Snowflake, text, wholeNumber } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const createOrJoinLobby = defineEndpoint({
  name: 'CREATE_OR_JOIN_LOBBY',
  summary: 'Create the lobby with this secret, or join it. lobby_metadata replaces the metadata of the lobby.',
  method: 'PUT',
  path: '/lobbies',
  params: () => ({}),
  body: () => ({
    secret: text(1, LIMITS.lobbySecret.value).meta({
      description: 'Every user with the secret can join; new members can use it for 30 days.',
    }),
    idle_timeout_seconds: wholeNumber(LIMITS.lobbyIdleMin.value, LIMITS.lobbyIdleMax.value).nullish(),
    lobby_metadata: Metadata().nullish(),
    member_metadata: Metadata().nullish(),
    flags: z
      .literal(1)
      .nullish()
      .meta({ description: '1: members must have authorized the application to send messages in the linked channel.' }),
  }),
  response: Lobby,
  auth: 'user-or-bot',
  botFor: { isOnRequest: true },
  requires: anyOf('lobbies.write'),
  idempotency: 'natural',
  platformErrors: [40001, 50001, 50026, 50035],
  provenance: 'documented',
})

export const sendLobbyMessage = defineEndpoint({
  name: 'SEND_LOBBY_MESSAGE',
  summary: 'Send a message in a lobby as a member.',
  method: 'POST',
  path: '/lobbies/{lobby_id}/messages',
  params: () => ({ lobby_id: Snowflake() }),
  body: () => ({
    content: text(1, LIMITS.lobbyMessageContent.value),
    metadata: MessageMetadata().nullish(),
    flags: z.number().int().min(0).nullish(),
  }),
  response: LobbyMessage,
  success: [201],
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'none',
  platformErrors: [10031, 50001, 50026, 50035, 200000, 240000],
  provenance: 'documented',
})

export const getLobbyMessages = defineEndpoint({
  name: 'GET_LOBBY_MESSAGES',
  summary: 'Get the latest messages of a lobby, newest first; the caller must be a member.',
  method: 'GET',
  path: '/lobbies/{lobby_id}/messages',
  params: () => ({ lobby_id: Snowflake() }),
  query: () => ({ limit: wholeNumber(1, LIMITS.lobbyMessages.value).optional().meta({ description: 'Default: 50.' }) }),
  response: () => z.array(LobbyMessage()),
  auth: 'user',
  requires: anyOf('lobbies.write'),
  idempotency: 'safe',
  platformErrors: [10031, 50001, 50026],
  shapeResponse: (messages, { now }) => lobbyHistory(messages, now),
  provenance: 'documented',
})

const MemberOperation = once(() =>
  z.strictObject({
    id: Snowflake(),
    metadata: Metadata().nullish(),
    flags: LobbyMemberFlags().nullish(),
    additional_name: text(1, LIMITS.lobbyAdditionalName.value).nullish().meta({ description: 'Absent: unchanged; null: cleared.' }),
    remove_member: z.boolean().nullish(),
  }),
)

export const bulkUpdateLobbyMembers = defineEndpoint({
  name: 'BULK_UPDATE_LOBBY_MEMBERS',
  summary: 'Add, edit or remove members of a lobby. Returns the added and edited members.',
  destructive: true,
  method: 'POST',
  path: '/lobbies/{lobby_id}/members/bulk',
  params: () => ({ lobby_id: Snowflake() }),
  body: () => ({ members: z.array(MemberOperation()).min(1).max(LIMITS.lobbyBulkMembers.value) }),
  bodyArgument: 'members',
  response: () => z.array(LobbyMember()),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10013, 10031, 50001, 50035],
  provenance: 'documented',
})
