/** Coverage of the rules that section 4.1 attaches to operations. */
import { implemented, type Section } from './statement.ts'

export const OPERATION_RULES: Section = {
  number: '4.1 rules',
  title: 'Rules attached to operations',
  statements: [
    implemented(
      '1. With enforce_nonce, a message with the same sender and nonce returns the earlier message for a few minutes.',
      'endpoint:CREATE_MESSAGE | daemon/src/platform/api/retry.ts',
      'unit/sandbox/api/messages.test.ts > with the same nonce, enforced, gives the earlier message for a few minutes | unit/daemon/platform/api/retry.test.ts > treats a keyed call as repeatable only with an enforced nonce',
    ),
    implemented(
      '1. It must be requested: only a later API version does it by default.',
      'endpoint:CREATE_MESSAGE',
      'unit/sandbox/api/messages.test.ts > with the same nonce, enforced, gives the earlier message for a few minutes | conformance/vectors/forwarding.json > a message without nonce is not sent twice',
    ),
    implemented(
      '2. Create Channel Invite accepts target_users_file, a CSV of the users who can accept.',
      'endpoint:CREATE_CHANNEL_INVITE_BY_BOT',
      'unit/sandbox/api/invites.test.ts > works for the listed users alone | e2e/uploads.test.ts > list the users of an invite, who are read back as a list | conformance/vectors/uploads.json > an invite for listed users',
    ),
    implemented(
      '2. Create Channel Invite accepts role_ids, assigned on acceptance.',
      'endpoint:CREATE_CHANNEL_INVITE_BY_BOT',
      'unit/sandbox/api/invites.test.ts > makes a member with the roles of the invite | conformance/vectors/uploads.json > an invite for listed users',
    ),
    implemented(
      '3. Get Target Users returns a CSV with the header user_id and one id per line.',
      'endpoint:GET_TARGET_USERS | daemon/src/platform/api/response.ts',
      'unit/daemon/platform/api/response.test.ts > becomes a list with %s | unit/sandbox/api/invites.test.ts > are sent as a CSV to the inviter and to members who may manage the guild | conformance/vectors/uploads.json > users of an invite',
    ),
    implemented(
      '4. Get Channel Invites returns partial roles.',
      'endpoint:GET_CHANNEL_INVITES | protocol/src/records/invite.ts',
      'unit/sandbox/api/invites.test.ts > is listed until it expires | unit/sandbox/api/invites.test.ts > has the requested properties',
    ),
    implemented(
      '5. Edit Original Interaction Response can add a poll to a deferred response.',
      'endpoint:EDIT_ORIGINAL_INTERACTION_RESPONSE',
      'unit/sandbox/api/interactions.test.ts > may get a poll when it is written, and not later | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
    ),
    implemented(
      '6. Apps that only the user installed get at most 5 follow-ups.',
      'endpoint:CREATE_FOLLOWUP_MESSAGE | protocol/src/limits.ts',
      'unit/sandbox/api/interactions.test.ts > are five when only the user installed the application',
    ),
    implemented(
      '7. Bots may set banner, avatar and bio in Modify Current Member, since 10 September 2025.',
      'endpoint:MODIFY_CURRENT_MEMBER | protocol/src/versions.ts',
      'unit/sandbox/api/dated-rules.test.ts > can be set from 10 September 2025 on; its nickname always could | unit/protocol/bot-endpoints.test.ts > have limited nicknames and bios, and images as data URIs; null clears',
    ),
    implemented(
      '8. The two prune operations need MANAGE_GUILD besides KICK_MEMBERS.',
      'endpoint:GET_GUILD_PRUNE_COUNT | endpoint:BEGIN_GUILD_PRUNE',
      'unit/protocol/bot-endpoints.test.ts > are pruned after 1 to 30 days, with at most 100 roles, with both permissions | unit/sandbox/api/members.test.ts > needs both permissions',
    ),
    implemented(
      '9. Search needs READ_MESSAGE_HISTORY.',
      'endpoint:SEARCH_GUILD_MESSAGES',
      'unit/protocol/messages.test.ts > needs a bot token and succeeds only with 200',
    ),
    implemented(
      '9. Search needs the MESSAGE_CONTENT intent.',
      'endpoint:SEARCH_GUILD_MESSAGES | protocol/src/intents.ts',
      'unit/sandbox/api/dated-rules.test.ts > is needed to search, and an application can give it up and take it again',
    ),
    implemented(
      '9. Search filters by content, author, channel, mentions and embeds.',
      'endpoint:SEARCH_GUILD_MESSAGES',
      'unit/sandbox/api/messages.test.ts > filters | unit/protocol/messages.test.ts > has limits for every filter | conformance/vectors/forwarding.json > a search with lists',
    ),
    implemented(
      '9. Search filters by attachments.',
      'endpoint:SEARCH_GUILD_MESSAGES | daemon/sandbox/src/api/message-search.ts',
      'unit/sandbox/api/attachments.test.ts > is found by type and name of its files',
    ),
    implemented(
      '9. Search sorts by time or by relevance.',
      'endpoint:SEARCH_GUILD_MESSAGES',
      'unit/sandbox/api/messages.test.ts > ranks by how often the words are said when asked for relevance | unit/sandbox/api/messages.test.ts > finds what the bot can read, the newest first',
    ),
    implemented(
      '9. A search in a guild that is not indexed fails with 110000.',
      'endpoint:SEARCH_GUILD_MESSAGES | daemon/src/platform/api/failure.ts',
      'conformance/vectors/forwarding.json > a guild that is not indexed yet | unit/sandbox/api/messages.test.ts > waits for the index, which the first search starts | unit/daemon/platform/api/forwarder.test.ts > treats any 2xx but 202',
    ),
    implemented(
      '10. Forwarding requires that the app can read the content.',
      'endpoint:CREATE_MESSAGE | daemon/sandbox/src/api/message-content.ts',
      'unit/sandbox/api/message-content.test.ts > cannot be forwarded: 160014; with the intent it can | unit/sandbox/api/messages.test.ts > a forward needs a channel, and that the bot can read it there | conformance/vectors/forwarding.json > a forward of a message that the app cannot read',
    ),
    implemented(
      '11. A lobby invite for the caller is a guild invite to the linked channel with one use within one hour.',
      'endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF',
      'unit/sandbox/api/lobby-backend.test.ts > is what invites lead to; without one there are none | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
    ),
    implemented(
      '11. A lobby invite for a user is the same.',
      'endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
      'unit/sandbox/api/lobby-backend.test.ts > is what invites lead to; without one there are none | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
    ),
    implemented(
      '12. Editing a message fails with 400 if auto-moderation blocks the new content.',
      'endpoint:EDIT_MESSAGE',
      'unit/sandbox/api/messages.test.ts > is stopped by auto-moderation, and then changes nothing | conformance/endpoints.test.ts > of $name that is an error reaches the game with its status, code, message and fields',
    ),
    implemented(
      '13. The upload limit applies to each attachment, not to the message.',
      'daemon/src/platform/api/open-upload.ts | protocol/src/endpoints/define.ts',
      'unit/sandbox/api/attachments.test.ts > may have files of 10 MiB each, and none larger | unit/protocol/files.test.ts > limit each file separately, in messages, interaction responses and follow-ups | e2e/uploads.test.ts > of one byte more are refused before anything is sent',
    ),
    implemented(
      '14. Application emoji need a bot token.',
      'protocol/src/endpoints/emoji.ts',
      'conformance/endpoints.test.ts > $name is refused without the bot token | unit/sandbox/api/operations.test.ts > %s is refused to users',
    ),
  ],
}
