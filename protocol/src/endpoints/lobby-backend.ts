/** Lobby endpoints that a game's backend calls with its bot token: creating and deleting lobbies, members, moderation. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Lobby, LobbyInvite, LobbyMember, LobbyMemberFlags, Metadata, ModerationMetadata } from '../records/lobby.ts'
import { Snowflake, text, WEB_URL, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const FirstMember = once(() => z.strictObject({ id: Snowflake(), metadata: Metadata().nullish(), flags: LobbyMemberFlags().nullish() }))

/** Fields of a lobby for both creating and editing. */
const LOBBY_BODY = once(() => ({
  idle_timeout_seconds: wholeNumber(LIMITS.lobbyIdleMin.value, LIMITS.lobbyIdleMax.value).nullish(),
  metadata: Metadata().nullish(),
  members: z.array(FirstMember()).max(LIMITS.lobbyBulkMembers.value).nullish(),
  flags: z
    .literal(1)
    .nullish()
    .meta({ description: '1: members must have authorized the application to send messages in the linked channel.' }),
  override_event_webhooks_url: z
    .string()
    .max(LIMITS.lobbyWebhookUrl.value)
    .regex(WEB_URL, 'must be an http or https URL')
    .nullish()
    .meta({ description: 'Webhook URL for events of this lobby; replaces the webhook URL of the application.' }),
}))

export const createLobby = defineEndpoint({
  name: 'CREATE_LOBBY',
  summary: 'Create a lobby whose members only the backend can add; players cannot join it with a secret.',
  method: 'POST',
  path: '/lobbies',
  params: () => ({}),
  body: LOBBY_BODY,
  response: Lobby,
  success: [201],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [10013, 50035],
  provenance: 'documented',
})

export const getLobby = defineEndpoint({
  name: 'GET_LOBBY',
  summary: 'Get a lobby of the application.',
  method: 'GET',
  path: '/lobbies/{lobby_id}',
  params: () => ({ lobby_id: Snowflake() }),
  response: Lobby,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10031],
  provenance: 'documented',
})

export const modifyLobby = defineEndpoint({
  name: 'MODIFY_LOBBY',
  summary: 'Edit a lobby. Absent fields stay unchanged; members replaces all members.',
  method: 'PATCH',
  path: '/lobbies/{lobby_id}',
  params: () => ({ lobby_id: Snowflake() }),
  body: LOBBY_BODY,
  response: Lobby,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10013, 10031, 50035],
  provenance: 'documented',
})

export const deleteLobby = defineEndpoint({
  name: 'DELETE_LOBBY',
  summary: 'Delete a lobby and its messages.',
  method: 'DELETE',
  path: '/lobbies/{lobby_id}',
  params: () => ({ lobby_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10031],
  provenance: 'documented',
})

export const addLobbyMember = defineEndpoint({
  name: 'ADD_LOBBY_MEMBER',
  summary: 'Add a member to a lobby, or edit an existing member.',
  method: 'PUT',
  path: '/lobbies/{lobby_id}/members/{user_id}',
  params: () => ({ lobby_id: Snowflake(), user_id: Snowflake() }),
  body: () => ({
    metadata: Metadata().nullish(),
    flags: LobbyMemberFlags().nullish(),
    additional_name: text(1, LIMITS.lobbyAdditionalName.value).nullish().meta({ description: 'Absent: unchanged; null: cleared.' }),
  }),
  response: LobbyMember,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10013, 10031, 50035],
  provenance: 'documented',
})

export const removeLobbyMember = defineEndpoint({
  name: 'REMOVE_LOBBY_MEMBER',
  summary: 'Remove a member from a lobby.',
  method: 'DELETE',
  path: '/lobbies/{lobby_id}/members/{user_id}',
  params: () => ({ lobby_id: Snowflake(), user_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10013, 10031],
  provenance: 'documented',
})

export const createLobbyChannelInviteForUser = defineEndpoint({
  name: 'CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
  summary: 'Invite a member of the lobby to the guild of its linked channel. The invite is valid for one use within an hour.',
  method: 'POST',
  path: '/lobbies/{lobby_id}/members/{user_id}/invites',
  params: () => ({ lobby_id: Snowflake(), user_id: Snowflake() }),
  response: LobbyInvite,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  returnsSecrets: true,
  platformErrors: [10007, 10031],
  provenance: 'documented',
})

export const updateLobbyMessageModerationMetadata = defineEndpoint({
  name: 'UPDATE_LOBBY_MESSAGE_MODERATION_METADATA',
  summary: 'Set the moderation metadata of a lobby message; replaces earlier metadata.',
  method: 'PUT',
  path: '/lobbies/{lobby_id}/messages/{message_id}/moderation-metadata',
  params: () => ({ lobby_id: Snowflake(), message_id: Snowflake() }),
  body: () => ({ metadata: ModerationMetadata() }),
  bodyArgument: 'metadata',
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10008, 10031, 50035],
  provenance: 'documented',
})
