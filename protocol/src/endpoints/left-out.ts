/** The LEFT_OUT table: documented operations without a row, by the reason. With the rows, it accounts for every operation. */

export interface LeftOutRow {
  readonly reason: string
  /** `METHOD /path`, as the API description writes them. */
  readonly operations: readonly string[]
}

export const LEFT_OUT: readonly LeftOutRow[] = [
  {
    reason: 'Another row does the same: the application of the bot is GET_CURRENT_APPLICATION and EDIT_CURRENT_APPLICATION.',
    operations: ['GET /applications/{application_id}', 'PATCH /applications/{application_id}', 'GET /oauth2/applications/@me'],
  },
  {
    reason: 'The bridge stores tokens itself. Commands of provisional accounts use the operations of the client, with the same result.',
    operations: ['POST /partner-sdk/token/bot', 'POST /partner-sdk/provisional-accounts/unmerge/bot'],
  },
  {
    reason: 'Keys for verifying ID tokens. The bridge receives ID tokens from the platform itself over TLS, and verifies their claims.',
    operations: ['GET /oauth2/keys'],
  },
  {
    reason: 'It needs the access token of another user, and the bridge gives no stored token to programs.',
    operations: ['PUT /guilds/{guild_id}/members/{user_id}', 'PUT /channels/{channel_id}/recipients/{user_id}'],
  },
  {
    reason: 'Webhooks are sent with a token of their own, another kind of credential, which the bridge does not store.',
    operations: [
      'GET /channels/{channel_id}/webhooks',
      'POST /channels/{channel_id}/webhooks',
      'POST /channels/{channel_id}/followers',
      'GET /guilds/{guild_id}/webhooks',
      'GET /webhooks/{webhook_id}',
      'PATCH /webhooks/{webhook_id}',
      'DELETE /webhooks/{webhook_id}',
      'GET /webhooks/{webhook_id}/{webhook_token}',
      'PATCH /webhooks/{webhook_id}/{webhook_token}',
      'DELETE /webhooks/{webhook_id}/{webhook_token}',
      'POST /webhooks/{webhook_id}/{webhook_token}/github',
      'POST /webhooks/{webhook_id}/{webhook_token}/slack',
    ],
  },
  {
    reason: 'Threads: lobbies and the chat of a game use channels, and threads of a game have no system here.',
    operations: [
      'POST /channels/{channel_id}/threads',
      'POST /channels/{channel_id}/messages/{message_id}/threads',
      'GET /channels/{channel_id}/thread-members',
      'PUT /channels/{channel_id}/thread-members/@me',
      'DELETE /channels/{channel_id}/thread-members/@me',
      'GET /channels/{channel_id}/thread-members/{user_id}',
      'PUT /channels/{channel_id}/thread-members/{user_id}',
      'DELETE /channels/{channel_id}/thread-members/{user_id}',
      'GET /channels/{channel_id}/threads/archived/private',
      'GET /channels/{channel_id}/threads/archived/public',
      'GET /channels/{channel_id}/threads/search',
      'GET /channels/{channel_id}/users/@me/threads/archived/private',
      'GET /guilds/{guild_id}/threads/active',
    ],
  },
  {
    reason: 'Stages are for an audience in voice, which no system of games uses; voice itself is in the game.',
    operations: [
      'POST /stage-instances',
      'GET /stage-instances/{channel_id}',
      'PATCH /stage-instances/{channel_id}',
      'DELETE /stage-instances/{channel_id}',
      'PATCH /guilds/{guild_id}/voice-states/@me',
      'PATCH /guilds/{guild_id}/voice-states/{user_id}',
      'GET /voice/regions',
      'GET /guilds/{guild_id}/regions',
    ],
  },
  {
    reason: "Conversations of the bot with single users; a game's direct messages are between its users.",
    operations: ['POST /users/@me/channels', 'DELETE /channels/{channel_id}/recipients/{user_id}'],
  },
  {
    reason: 'The profile and the guilds of the bot are set up once by its developer, in the developer portal or with its own tools.',
    operations: ['PATCH /users/@me', 'DELETE /users/@me/guilds/{guild_id}'],
  },
  {
    reason: 'Administration of a community: its owner uses the platform for it, and no system of games does.',
    operations: [
      'GET /guilds/templates/{code}',
      'GET /guilds/{guild_id}/templates',
      'POST /guilds/{guild_id}/templates',
      'PUT /guilds/{guild_id}/templates/{code}',
      'PATCH /guilds/{guild_id}/templates/{code}',
      'DELETE /guilds/{guild_id}/templates/{code}',
      'PUT /guilds/{guild_id}/incident-actions',
      'GET /guilds/{guild_id}/integrations',
      'DELETE /guilds/{guild_id}/integrations/{integration_id}',
      'GET /guilds/{guild_id}/new-member-welcome',
      'GET /guilds/{guild_id}/onboarding',
      'PUT /guilds/{guild_id}/onboarding',
      'GET /guilds/{guild_id}/preview',
      'GET /guilds/{guild_id}/requests',
      'PATCH /guilds/{guild_id}/requests/{request_id}',
      'GET /guilds/{guild_id}/vanity-url',
      'GET /guilds/{guild_id}/welcome-screen',
      'PATCH /guilds/{guild_id}/welcome-screen',
      'GET /guilds/{guild_id}/widget',
      'PATCH /guilds/{guild_id}/widget',
      'GET /guilds/{guild_id}/widget.json',
      'GET /guilds/{guild_id}/widget.png',
      'POST /channels/{channel_id}/messages/{message_id}/crosspost',
    ],
  },
]
