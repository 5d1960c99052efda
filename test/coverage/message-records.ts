/** Coverage of section 2.2, its second half: fields of messages, interactions, commands and activities. */
import { implemented, type Statement } from './statement.ts'

export const MESSAGE_RECORDS: readonly Statement[] = [
  implemented(
    '2.2-29',
    'description and is_spoiler of an attachment can be changed when its message is edited.',
    'ENDPOINTS.EDIT_MESSAGE.args.attachments.is_spoiler | ENDPOINTS.EDIT_MESSAGE.args.attachments.description | protocol/src/records/message-draft.ts',
  ),
  implemented('2.2-30', 'A flag of an attachment marks a spoiler.', 'ATTACHMENT_IS_SPOILER | protocol/src/records/channel-message.ts'),
  implemented(
    '2.2-31',
    'A name with the prefix SPOILER_ also marks a spoiler, but not every spoiler has it.',
    'daemon/sandbox/src/api/attachments.ts#SPOILER_PREFIX',
  ),
  implemented('2.2-32', 'An embed has at most 25 fields.', 'LIMITS.embedFields | protocol/src/records/embed.ts'),
  implemented(
    '2.2-33',
    'A message reference of type FORWARD creates a forward.',
    'REFERENCE_TYPES.forward | protocol/src/records/message-draft.ts',
  ),
  implemented(
    '2.2-34',
    'A forward carries a snapshot of the message without its guild.',
    'Message.message_snapshots | daemon/sandbox/src/api/message-view.ts#snapshotView | protocol/src/records/channel-message.ts',
  ),
  implemented(
    '2.2-35',
    'interaction_metadata names the user of the interaction that a message answers.',
    'Message.interaction_metadata | protocol/src/records/channel-message.ts',
  ),
  implemented(
    '2.2-36',
    'It replaces the deprecated interaction and the removed user_id.',
    'Message.interaction_metadata.user | protocol/src/records/channel-message.ts | daemon/sandbox/src/api/message-view.ts',
  ),
  implemented(
    '2.2-37',
    'Flag 1 << 15 of a message is IS_COMPONENTS_V2.',
    'MESSAGE_FLAGS.IS_COMPONENTS_V2 | protocol/src/records/message-draft.ts',
  ),
  implemented(
    '2.2-38',
    'An interaction contains the context in which it was used.',
    'Interaction.context | protocol/src/records/interaction.ts',
  ),
  implemented(
    '2.2-39',
    'An interaction maps installation contexts to their owners, ids as text.',
    'Interaction.authorizing_integration_owners | protocol/src/records/interaction.ts',
  ),
  implemented(
    '2.2-40',
    'An interaction always contains app_permissions: the permissions of the app in the channel.',
    'Interaction.app_permissions | protocol/src/records/interaction.ts',
  ),
  implemented(
    '2.2-41',
    'An interaction contains the size limit of attachments, which can exceed the default.',
    'Interaction.attachment_size_limit | protocol/src/records/interaction.ts | daemon/src/platform/api/open-upload.ts',
  ),
  implemented(
    '2.2-42',
    'A resolved channel carries the permissions of the bot, only where the bot is in the guild.',
    'protocol/src/records/interaction.ts#ResolvedChannel.app_permissions | daemon/sandbox/src/control/interactions.ts',
  ),
  implemented(
    '2.2-43',
    'A command has integration_types and contexts: where it is installed, and where it can be used.',
    'ENDPOINTS.CREATE_GLOBAL_APPLICATION_COMMAND.args.integration_types | ENDPOINTS.CREATE_GLOBAL_APPLICATION_COMMAND.args.contexts | protocol/src/records/application-command.ts | daemon/sandbox/src/control/interactions.ts',
  ),
  implemented(
    '2.2-44',
    'dm_permission is deprecated; contexts replace it.',
    'ApplicationCommand.dm_permission | protocol/src/records/application-command.ts | daemon/sandbox/src/api/application-commands.ts',
  ),
  implemented(
    '2.2-45',
    'Command type PRIMARY_ENTRY_POINT is 4.',
    'COMMAND_TYPES.primaryEntryPoint | protocol/src/records/application-command.ts',
  ),
  implemented(
    '2.2-46',
    'Command handlers are APP_HANDLER 1, and 2 for the platform’s launch of the activity.',
    'ENTRY_POINT_HANDLERS.appHandler | ENTRY_POINT_HANDLERS.platformLaunchActivity | protocol/src/records/application-command.ts | protocol/src/records/command-rules.ts',
  ),
  implemented(
    '2.2-47',
    'An activity may link its state and its details.',
    'ActivityInput.state_url | ActivityInput.details_url | protocol/src/records/activity.ts',
  ),
  implemented(
    '2.2-48',
    'An activity may link its large and its small image.',
    'ActivityInput.assets.large_url | ActivityInput.assets.small_url | protocol/src/records/activity.ts',
  ),
  implemented(
    '2.2-49',
    'An activity may carry a cover image for invites, as a URL or an asset key.',
    'ActivityInput.assets.invite_cover_image | protocol/src/records/activity.ts',
  ),
  implemented(
    '2.2-50',
    'An invite without one shows the cover image of the application.',
    'daemon/src/social/join-events.ts#inviteCover | daemon/src/social/join-events.ts',
  ),
  implemented(
    '2.2-51',
    'An activity can contain a name that replaces the application name.',
    'ActivityInput.name | daemon/src/social/join-events.ts#activityOf | protocol/src/records/activity.ts | protocol/src/records/store-activity.ts',
  ),
  implemented(
    '2.2-52',
    'SET_ACTIVITY accepts the types 0 playing, 2 listening, 3 watching and 5 competing.',
    'ACTIVITY_TYPES | protocol/src/records/activity.ts',
  ),
  implemented(
    '2.2-53',
    'An invite contains its application, which distinguishes invites of sibling applications.',
    'EVENTS.ACTIVITY_INVITE.data.application_id | COMMANDS.ACCEPT_ACTIVITY_INVITE.args.application_id',
  ),
  implemented(
    '2.2-54',
    'A message names its application.',
    'LobbyMessage.application_id | UserMessage.application_id | protocol/src/records/lobby.ts | protocol/src/records/user-message.ts',
  ),
  implemented(
    '2.2-55',
    'A message carries the second display name of its author.',
    'LobbyMessage.lobby_member | protocol/src/records/lobby.ts | daemon/sandbox/src/api/lobby-messages.ts',
  ),
  implemented(
    '2.2-56',
    'Only the game’s backend sets that name, when it adds or edits a lobby member.',
    'ENDPOINTS.ADD_LOBBY_MEMBER.args.additional_name | ENDPOINTS.ADD_LOBBY_MEMBER.auth | ENDPOINTS.BULK_UPDATE_LOBBY_MEMBERS.args.members.additional_name',
  ),
  implemented(
    '2.2-57',
    'A message carries moderation metadata, a map of text to text.',
    'ENDPOINTS.UPDATE_LOBBY_MESSAGE_MODERATION_METADATA.args.metadata | ENDPOINTS.UPDATE_USER_MESSAGE_MODERATION_METADATA.args.metadata | protocol/src/records/lobby.ts',
  ),
  implemented('2.2-58', 'An application has at most 2000 emoji.', 'LIMITS.applicationEmoji | daemon/sandbox/src/api/emojis.ts'),
  implemented(
    '2.2-59',
    'Auto-moderation knows the trigger MEMBER_PROFILE.',
    'AUTO_MODERATION_TRIGGERS.MEMBER_PROFILE | protocol/src/records/auto-moderation.ts | daemon/sandbox/src/api/auto-moderation.ts',
  ),
  implemented(
    '2.2-60',
    'The action BLOCK_MEMBER_INTERACTION is for MEMBER_PROFILE rules.',
    'AUTO_MODERATION_ACTIONS.BLOCK_MEMBER_INTERACTION.triggers | daemon/sandbox/src/api/member-restrictions.ts#isRestricted | protocol/src/records/auto-moderation.ts',
  ),
  implemented('2.2-61', 'A premium button carries a sku_id.', 'BUTTON_STYLES.premium | protocol/src/records/button-rules.ts'),
  implemented(
    '2.2-62',
    'That SKU is an active one of the application.',
    'daemon/sandbox/src/api/premium-buttons.ts#checkPremiumButtons | protocol/src/records/button-rules.ts',
  ),
]
