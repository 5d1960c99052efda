/** The scopes of every row, as the specification and the platform's documents say them: written by hand, not read from the rows. */
import { COMMANDS, type EndpointName, type EndpointRow, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { expect, it } from 'vitest'

/** Rows that need a scope of the user's token: method, path and scopes; several separated by `|`: one of them is sufficient. */
const SCOPES: Partial<Readonly<Record<EndpointName, string>>> = {
  CONSUME_ENTITLEMENT: 'POST /applications/{application_id}/entitlements/{entitlement_id}/consume applications.entitlements',
  CREATE_GAME_RELATIONSHIP: 'PUT /users/@me/game-relationships/{user_id} relationships.write',
  CREATE_HEADLESS_SESSION: 'POST /users/@me/headless-sessions activities.write',
  CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF: 'POST /lobbies/{lobby_id}/members/@me/invites lobbies.write',
  CREATE_OR_JOIN_LOBBY: 'PUT /lobbies lobbies.write',
  CREATE_RELATIONSHIP: 'PUT /users/@me/relationships/{user_id} relationships.write',
  DELETE_CURRENT_USER_APPLICATION_ROLE_CONNECTION: 'DELETE /users/@me/applications/{application_id}/role-connection role_connections.write',
  DELETE_HEADLESS_SESSION: 'POST /users/@me/headless-sessions/delete activities.write',
  DELETE_TEST_ENTITLEMENT: 'DELETE /applications/{application_id}/entitlements/{entitlement_id} applications.entitlements',
  DELETE_USER_MESSAGE: 'DELETE /users/{user_id}/messages/{message_id} dm_channels.messages.write',
  EDIT_APPLICATION_COMMAND_PERMISSIONS:
    'PUT /applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions applications.commands.permissions.update',
  EDIT_USER_MESSAGE: 'PATCH /users/{user_id}/messages/{message_id} dm_channels.messages.write',
  GET_ACTIVITY_SECRET: 'GET /users/{user_id}/sessions/{session_id}/activities/{application_id}/{action} activities.read',
  GET_APPLICATION_COMMAND_PERMISSIONS:
    'GET /applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions applications.commands.permissions.update',
  GET_CURRENT_USER: 'GET /users/@me identify',
  GET_CURRENT_USER_APPLICATION_ROLE_CONNECTION: 'GET /users/@me/applications/{application_id}/role-connection role_connections.write',
  GET_CURRENT_USER_CONNECTIONS: 'GET /users/@me/connections connections',
  GET_CURRENT_USER_GUILDS: 'GET /users/@me/guilds guilds',
  GET_CURRENT_USER_GUILD_MEMBER: 'GET /users/@me/guilds/{guild_id}/member guilds.members.read',
  GET_ENTITLEMENT: 'GET /applications/{application_id}/entitlements/{entitlement_id} applications.entitlements',
  GET_GAME_RELATIONSHIPS: 'GET /users/@me/game-relationships relationships.read',
  GET_GUILD_APPLICATION_COMMAND_PERMISSIONS:
    'GET /applications/{application_id}/guilds/{guild_id}/commands/permissions applications.commands.permissions.update',
  GET_GUILD_CHANNELS: 'GET /guilds/{guild_id}/channels guilds.channels.read',
  GET_LOBBY_MESSAGES: 'GET /lobbies/{lobby_id}/messages lobbies.write',
  GET_OPENID_CONNECT_USER_INFO: 'GET /oauth2/userinfo openid',
  GET_USER_MESSAGES: 'GET /users/{user_id}/messages dm_channels.messages.read',
  GET_USER_MESSAGE_SUMMARIES: 'GET /partner-sdk/users/@me/channels dm_channels.read',
  LEAVE_LOBBY: 'DELETE /lobbies/{lobby_id}/members/@me lobbies.write',
  LINK_CHANNEL_TO_LOBBY: 'PATCH /lobbies/{lobby_id}/channel-linking lobbies.write',
  LIST_ENTITLEMENTS: 'GET /applications/{application_id}/entitlements applications.entitlements',
  LIST_RELATIONSHIPS: 'GET /users/@me/relationships relationships.read',
  REMOVE_GAME_RELATIONSHIP: 'DELETE /users/@me/game-relationships/{user_id} relationships.write',
  REMOVE_RELATIONSHIP: 'DELETE /users/@me/relationships/{user_id} relationships.write',
  SEND_ACTIVITY_MESSAGE: 'POST /users/{user_id}/messages activities.invites.write',
  SEND_FRIEND_REQUEST: 'POST /users/@me/relationships relationships.write',
  SEND_GAME_FRIEND_REQUEST: 'POST /users/@me/game-relationships relationships.write',
  SEND_LOBBY_MESSAGE: 'POST /lobbies/{lobby_id}/messages lobbies.write',
  SEND_USER_MESSAGE: 'POST /users/{user_id}/messages dm_channels.messages.write',
  SET_ONLINE_STATUS: 'PATCH /users/@me/settings activities.write | presences.write',
  UNLINK_CHANNEL_FROM_LOBBY: 'PATCH /lobbies/{lobby_id}/channel-linking lobbies.write',
  UPDATE_CURRENT_USER_APPLICATION_ROLE_CONNECTION: 'PUT /users/@me/applications/{application_id}/role-connection role_connections.write',
  UPDATE_PROVISIONAL_ACCOUNT_DISPLAY_NAME: 'PATCH /users/@me/account account.global_name.update',
}

/** Rows for which any token of the user is sufficient. */
const ANY_TOKEN = [
  'GET_CURRENT_AUTHORIZATION_INFORMATION',
  'GET_CURRENT_USER_APPLICATION_ENTITLEMENTS',
  'GET_SKU_SUBSCRIPTION',
  'GET_USER_APPLICATION_IDENTITIES',
  'LIST_SKU_SUBSCRIPTIONS',
  'UPLOAD_APPLICATION_ATTACHMENT',
]

it('each row that takes the token of a user needs exactly these scopes', {
  tags: ['1-7', '1-8', '1-9', '1-11', '1-21', '4.1-1', '4.1-5', '4.1-8', '4.1-9', '4.1-11', '4.1-19', '4.3-16', '5-7', '5-9', '9.1-42'],
}, () => {
  const rows = Object.values<EndpointRow>(ENDPOINTS).filter(({ auth }) => auth === 'user' || auth === 'user-or-bot')
  const isScoped = ({ requires }: EndpointRow): boolean => requires.some((set) => set.length > 0)
  const found = rows
    .filter(isScoped)
    .map(({ name, method, path, requires }) => [name, `${method} ${path} ${requires.map((set) => set.join(' + ')).join(' | ')}`])
  expect(Object.fromEntries(found)).toEqual(SCOPES)
  expect(
    rows
      .filter((row) => !isScoped(row))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(ANY_TOKEN)
})

it('each other row sends no token of a user, so it needs no scope', () => {
  const others = Object.values<EndpointRow>(ENDPOINTS).filter(({ auth }) => auth !== 'user' && auth !== 'user-or-bot')
  expect(others.filter(({ requires }) => requires.flat().length > 0).map(({ name }) => name)).toEqual([])
})

it('relationships need relationships.read; the command is open to programs, which get none before their user signs in', {
  tags: ['5-7'],
}, () => {
  expect(COMMANDS.GET_RELATIONSHIPS.requires).toEqual([['rpc.local'], ['relationships.read']])
  expect(EVENTS.RELATIONSHIP_UPDATE.requires).toEqual([['relationships.read']])
})
