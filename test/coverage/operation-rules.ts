/** Coverage of the rules that section 4.1 attaches to operations. */
import { implemented, type Section } from './statement.ts'

export const OPERATION_RULES: Section = {
  number: '4.1 rules',
  title: 'Rules attached to operations',
  statements: [
    implemented(
      '4.1-rules-1',
      '1. With enforce_nonce, a message with the same sender and nonce returns the earlier message for a few minutes.',
      'ENDPOINTS.CREATE_MESSAGE | daemon/src/platform/api/retry.ts',
    ),
    implemented('4.1-rules-2', '1. It must be requested: only a later API version does it by default.', 'ENDPOINTS.CREATE_MESSAGE'),
    implemented(
      '4.1-rules-3',
      '2. Create Channel Invite accepts target_users_file, a CSV of the users who can accept.',
      'ENDPOINTS.CREATE_CHANNEL_INVITE_BY_BOT',
    ),
    implemented(
      '4.1-rules-4',
      '2. Create Channel Invite accepts role_ids, assigned on acceptance.',
      'ENDPOINTS.CREATE_CHANNEL_INVITE_BY_BOT',
    ),
    implemented(
      '4.1-rules-5',
      '3. Get Target Users returns a CSV with the header user_id and one id per line.',
      'ENDPOINTS.GET_TARGET_USERS | daemon/src/platform/api/response.ts',
    ),
    implemented(
      '4.1-rules-6',
      '4. Get Channel Invites returns partial roles.',
      'ENDPOINTS.GET_CHANNEL_INVITES | protocol/src/records/invite.ts',
    ),
    implemented(
      '4.1-rules-7',
      '5. Edit Original Interaction Response can add a poll to a deferred response.',
      'ENDPOINTS.EDIT_ORIGINAL_INTERACTION_RESPONSE',
    ),
    implemented(
      '4.1-rules-8',
      '6. Apps that only the user installed get at most 5 follow-ups.',
      'ENDPOINTS.CREATE_FOLLOWUP_MESSAGE | protocol/src/limits.ts',
    ),
    implemented(
      '4.1-rules-9',
      '7. Bots may set banner, avatar and bio in Modify Current Member, since 10 September 2025.',
      'ENDPOINTS.MODIFY_CURRENT_MEMBER | protocol/src/versions.ts',
    ),
    implemented(
      '4.1-rules-10',
      '8. The two prune operations need MANAGE_GUILD besides KICK_MEMBERS.',
      'ENDPOINTS.GET_GUILD_PRUNE_COUNT | ENDPOINTS.BEGIN_GUILD_PRUNE',
    ),
    implemented('4.1-rules-11', '9. Search needs READ_MESSAGE_HISTORY.', 'ENDPOINTS.SEARCH_GUILD_MESSAGES'),
    implemented('4.1-rules-12', '9. Search needs the MESSAGE_CONTENT intent.', 'ENDPOINTS.SEARCH_GUILD_MESSAGES | protocol/src/intents.ts'),
    implemented('4.1-rules-13', '9. Search filters by content, author, channel, mentions and embeds.', 'ENDPOINTS.SEARCH_GUILD_MESSAGES'),
    implemented(
      '4.1-rules-14',
      '9. Search filters by attachments.',
      'ENDPOINTS.SEARCH_GUILD_MESSAGES | daemon/sandbox/src/api/message-search.ts',
    ),
    implemented('4.1-rules-15', '9. Search sorts by time or by relevance.', 'ENDPOINTS.SEARCH_GUILD_MESSAGES'),
    implemented(
      '4.1-rules-16',
      '9. A search in a guild that is not indexed fails with 110000.',
      'ENDPOINTS.SEARCH_GUILD_MESSAGES | daemon/src/platform/api/failure.ts',
    ),
    implemented('4.1-rules-17', '10. Forwarding requires that the app can read the content.', 'ENDPOINTS.CREATE_MESSAGE'),
    implemented(
      '4.1-rules-18',
      '11. A lobby invite for the caller is a guild invite to the linked channel with one use within one hour.',
      'ENDPOINTS.CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF',
    ),
    implemented('4.1-rules-19', '11. A lobby invite for a user is the same.', 'ENDPOINTS.CREATE_LOBBY_CHANNEL_INVITE_FOR_USER'),
    implemented(
      '4.1-rules-20',
      '12. Editing a message fails with 400 if auto-moderation blocks the new content.',
      'ENDPOINTS.EDIT_MESSAGE',
    ),
    implemented(
      '4.1-rules-21',
      '13. The upload limit applies to each attachment, not to the message.',
      'daemon/src/platform/api/open-upload.ts | protocol/src/endpoints/define.ts',
    ),
    implemented('4.1-rules-22', '14. Application emoji need a bot token.', 'protocol/src/endpoints/emoji.ts'),
  ],
}
