/** Coverage of the rules that section 4.1 attaches to operations. */
import { implemented, type Section } from './statement.ts'

export const OPERATION_RULES: Section = {
  number: '4.1 rules',
  title: 'Rules attached to operations',
  statements: [
    implemented(
      '4.1-rules-1',
      '1. With enforce_nonce, a message with the same sender and nonce returns the earlier message for a few minutes.',
      'ENDPOINTS.CREATE_MESSAGE.args.enforce_nonce | ENDPOINTS.CREATE_MESSAGE.idempotency | daemon/src/platform/api/retry.ts',
    ),
    implemented(
      '4.1-rules-2',
      '1. It must be requested: only a later API version does it by default.',
      'ENDPOINTS.CREATE_MESSAGE.idempotency',
    ),
    implemented(
      '4.1-rules-3',
      '2. Create Channel Invite accepts target_users_file, a CSV of the users who can accept.',
      'ENDPOINTS.CREATE_CHANNEL_INVITE_BY_BOT.args.target_users_file',
    ),
    implemented(
      '4.1-rules-4',
      '2. Create Channel Invite accepts role_ids, assigned on acceptance.',
      'ENDPOINTS.CREATE_CHANNEL_INVITE_BY_BOT.args.role_ids',
    ),
    implemented(
      '4.1-rules-5',
      '3. Get Target Users returns a CSV with the header user_id and one id per line.',
      'ENDPOINTS.GET_TARGET_USERS.csvReply.header | daemon/src/platform/api/response.ts',
    ),
    implemented('4.1-rules-6', '4. Get Channel Invites returns partial roles.', 'ChannelInvite.roles | protocol/src/records/invite.ts'),
    implemented(
      '4.1-rules-7',
      '5. Edit Original Interaction Response can add a poll to a deferred response.',
      'ENDPOINTS.EDIT_ORIGINAL_INTERACTION_RESPONSE.args.poll',
    ),
    implemented(
      '4.1-rules-8',
      '6. Apps that only the user installed get at most 5 follow-ups.',
      'LIMITS.userInstallFollowups | protocol/src/limits.ts',
    ),
    implemented(
      '4.1-rules-9',
      '7. Bots may set banner, avatar and bio in Modify Current Member, since 10 September 2025.',
      'VERSIONS[member-profile-of-bots] | ENDPOINTS.MODIFY_CURRENT_MEMBER.args.banner | ENDPOINTS.MODIFY_CURRENT_MEMBER.args.avatar | ENDPOINTS.MODIFY_CURRENT_MEMBER.args.bio | protocol/src/versions.ts',
    ),
    implemented(
      '4.1-rules-10',
      '8. The two prune operations need MANAGE_GUILD besides KICK_MEMBERS.',
      'ENDPOINTS.GET_GUILD_PRUNE_COUNT.permissions | ENDPOINTS.BEGIN_GUILD_PRUNE.permissions',
    ),
    implemented('4.1-rules-11', '9. Search needs READ_MESSAGE_HISTORY.', 'ENDPOINTS.SEARCH_GUILD_MESSAGES.permissions'),
    implemented(
      '4.1-rules-12',
      '9. Search needs the MESSAGE_CONTENT intent.',
      'PRIVILEGED_INTENTS.MESSAGE_CONTENT.limitedFlag | protocol/src/intents.ts',
    ),
    implemented(
      '4.1-rules-13',
      '9. Search filters by content, author, channel, mentions and embeds.',
      'ENDPOINTS.SEARCH_GUILD_MESSAGES.args.content | ENDPOINTS.SEARCH_GUILD_MESSAGES.args.author_id | ENDPOINTS.SEARCH_GUILD_MESSAGES.args.channel_id | ENDPOINTS.SEARCH_GUILD_MESSAGES.args.mentions | ENDPOINTS.SEARCH_GUILD_MESSAGES.args.has',
    ),
    implemented(
      '4.1-rules-14',
      '9. Search filters by attachments.',
      'ENDPOINTS.SEARCH_GUILD_MESSAGES.args.attachment_filename | ENDPOINTS.SEARCH_GUILD_MESSAGES.args.attachment_extension | daemon/sandbox/src/api/message-search.ts',
    ),
    implemented('4.1-rules-15', '9. Search sorts by time or by relevance.', 'ENDPOINTS.SEARCH_GUILD_MESSAGES.args.sort_by'),
    implemented(
      '4.1-rules-16',
      '9. A search in a guild that is not indexed fails with 110000.',
      'daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.indexNotReady.code | ENDPOINTS.SEARCH_GUILD_MESSAGES.success | daemon/src/platform/api/failure.ts',
    ),
    implemented(
      '4.1-rules-17',
      '10. Forwarding requires that the app can read the content.',
      'daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.unreadableForward.code | REFERENCE_TYPES.forward | daemon/sandbox/src/api/message-content.ts#mayReadContent',
    ),
    implemented(
      '4.1-rules-18',
      '11. A lobby invite for the caller is a guild invite to the linked channel with one use within one hour.',
      'LIMITS.lobbyInviteUses | LIMITS.lobbyInviteAge',
    ),
    implemented('4.1-rules-19', '11. A lobby invite for a user is the same.', 'LIMITS.lobbyInviteUses | LIMITS.lobbyInviteAge'),
    implemented(
      '4.1-rules-20',
      '12. Editing a message fails with 400 if auto-moderation blocks the new content.',
      'daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.blockedByModeration.status | daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.blockedByModeration.code',
    ),
    implemented(
      '4.1-rules-21',
      '13. The upload limit applies to each attachment, not to the message.',
      'LIMITS.attachmentBytes | protocol/src/endpoints/define.ts#MESSAGE_FILES.fileLimit | daemon/src/platform/api/open-upload.ts',
    ),
    implemented(
      '4.1-rules-22',
      '14. Application emoji need a bot token.',
      'ENDPOINTS.CREATE_APPLICATION_EMOJI.auth | protocol/src/endpoints/emoji.ts',
    ),
  ],
}
