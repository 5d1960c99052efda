/** Coverage of section 2.2, its second half: fields of messages, interactions, commands and activities. */
import { implemented, type Statement } from './statement.ts'

const FIELDS = 'unit/protocol/records.test.ts'
const SANDBOX = 'unit/sandbox/api'
const INTERACTIONS = `${SANDBOX}/interactions.test.ts`
const CARRIED = `${SANDBOX}/record-fields.test.ts`

export const MESSAGE_RECORDS: readonly Statement[] = [
  implemented(
    'description and is_spoiler of an attachment can be changed when its message is edited.',
    'endpoint:EDIT_MESSAGE | protocol/src/records/message-draft.ts',
    `${SANDBOX}/attachments.test.ts > keeps the listed files with their new fields`,
  ),
  implemented(
    'A flag of an attachment marks a spoiler.',
    'protocol/src/records/channel-message.ts',
    `${SANDBOX}/attachments.test.ts > keeps their names, types and descriptions`,
  ),
  implemented(
    'A name with the prefix SPOILER_ also marks a spoiler, but not every spoiler has it.',
    'daemon/sandbox/src/api/attachments.ts',
    `${SANDBOX}/attachments.test.ts > marks a spoiler by the beginning of its name too`,
  ),
  implemented(
    'An embed has at most 25 fields.',
    'protocol/src/records/embed.ts',
    'unit/protocol/messages.test.ts > have at most 25 fields',
  ),
  implemented(
    'A message reference of type FORWARD creates a forward.',
    'endpoint:CREATE_MESSAGE | protocol/src/records/message-draft.ts',
    `unit/protocol/messages.test.ts > requires a channel for a forward | ${SANDBOX}/messages.test.ts > a forward holds the message as it was`,
  ),
  implemented(
    'A forward carries a snapshot of the message without its guild.',
    'protocol/src/records/channel-message.ts | daemon/sandbox/src/api/message-view.ts',
    `${SANDBOX}/messages.test.ts > a forward holds the message as it was, without author and guild`,
  ),
  implemented(
    'interaction_metadata names the user of the interaction that a message answers.',
    'protocol/src/records/channel-message.ts',
    `${FIELDS} > Message knows interaction_metadata | ${INTERACTIONS} > is a message with its interaction`,
  ),
  implemented(
    'It replaces the deprecated interaction and the removed user_id.',
    'protocol/src/records/channel-message.ts | daemon/sandbox/src/api/message-view.ts',
    `${INTERACTIONS} > is a message with its interaction`,
  ),
  implemented(
    'Flag 1 << 15 of a message is IS_COMPONENTS_V2.',
    'protocol/src/records/message-draft.ts',
    'unit/protocol/messages.test.ts > has the documented flag',
  ),
  implemented(
    'An interaction contains the context in which it was used.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows context | ${INTERACTIONS} > has all fields of the interaction`,
  ),
  implemented(
    'An interaction maps installation contexts to their owners, ids as text.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows authorizing_integration_owners | ${INTERACTIONS} > serializes the owners and permissions in direct messages too`,
  ),
  implemented(
    'An interaction always contains app_permissions: the permissions of the app in the channel.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows app_permissions | ${INTERACTIONS} > serializes the owners and permissions in direct messages too`,
  ),
  implemented(
    'An interaction contains the size limit of attachments, which can exceed the default.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows attachment_size_limit | ${INTERACTIONS} > has all fields of the interaction | unit/daemon/platform/api/open-upload.test.ts > may be as large as the interaction says, which may be more or less than the default | ${INTERACTIONS} > take files as large as attachment_size_limit of their interaction says, and none larger`,
  ),
  implemented(
    'A resolved channel carries the permissions of the bot, only where the bot is in the guild.',
    'protocol/src/records/interaction.ts | daemon/sandbox/src/control/interactions.ts',
    `${INTERACTIONS} > has all fields of the interaction | ${INTERACTIONS} > leaves the permissions of a resolved channel out where the bot is no member`,
  ),
  implemented(
    'A command has integration_types and contexts: where it is installed, and where it can be used.',
    'protocol/src/records/application-command.ts | daemon/sandbox/src/control/interactions.ts',
    `${INTERACTIONS} > checks the contexts and installations of the command | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row`,
  ),
  implemented(
    'dm_permission is deprecated; contexts replace it.',
    'protocol/src/records/application-command.ts | daemon/sandbox/src/api/application-commands.ts',
    `${SANDBOX}/application-commands.test.ts > are made, listed, changed and deleted`,
  ),
  implemented(
    'Command type PRIMARY_ENTRY_POINT is 4.',
    'protocol/src/records/application-command.ts',
    'unit/protocol/administration.test.ts > have the type numbers of the platform',
  ),
  implemented(
    'Command handlers are APP_HANDLER 1, and 2 for the platform’s launch of the activity.',
    'protocol/src/records/application-command.ts | protocol/src/records/command-rules.ts',
    'unit/protocol/administration.test.ts > have the type numbers of the platform | unit/protocol/administration.test.ts > have a handler only for entry points',
  ),
  implemented(
    'An activity may link its state and its details.',
    'protocol/src/records/activity.ts',
    'unit/protocol/activity-input.test.ts > %s is an http or https URL with a maximum length | unit/protocol/store-activity.test.ts > contains all sent fields',
  ),
  implemented(
    'An activity may link its large and its small image.',
    'protocol/src/records/activity.ts',
    'unit/protocol/activity-input.test.ts > %s is an http or https URL with a maximum length | unit/protocol/store-activity.test.ts > contains all sent fields',
  ),
  implemented(
    'An activity may carry a cover image for invites, as a URL or an asset key.',
    'protocol/src/records/activity.ts',
    'unit/protocol/activity-input.test.ts > assets.invite_cover_image | unit/daemon/social/join-events.test.ts > the name, type, details and cover that the inviting game set | e2e/join.test.ts > an invite contains all that ACCEPT_ACTIVITY_INVITE needs, and accepting it brings the secret',
  ),
  implemented(
    'An invite without one shows the cover image of the application.',
    'event:ACTIVITY_INVITE | daemon/src/social/join-events.ts',
    'unit/daemon/social/join-events.test.ts > the cover and the name of the application where the game set none | unit/sandbox/social/join.test.ts > shows what the inviting game set, without its secret, and the name and cover of the application',
  ),
  implemented(
    'An activity can contain a name that replaces the application name.',
    'protocol/src/records/activity.ts | protocol/src/records/store-activity.ts',
    'unit/protocol/store-activity.test.ts > has type 0 and the registered name by default | unit/daemon/social/join-events.test.ts > the name, type, details and cover that the inviting game set',
  ),
  implemented(
    'SET_ACTIVITY accepts the types 0 playing, 2 listening, 3 watching and 5 competing.',
    'command:SET_ACTIVITY | protocol/src/records/activity.ts',
    `${FIELDS} > is playing, listening, watching or competing | conformance/vectors/set-activity.json > type 5 (competing) | conformance/vectors/set-activity.json > type 1 is rejected (streaming)`,
  ),
  implemented(
    'An invite contains its application, which distinguishes invites of sibling applications.',
    'event:ACTIVITY_INVITE | command:ACCEPT_ACTIVITY_INVITE',
    `${FIELDS} > activity invite knows application_id | e2e/join.test.ts > an invite to a sibling game is taken by its own application id; that game is launched, and gets its join once`,
  ),
  implemented(
    'A message names its application.',
    'protocol/src/records/lobby.ts | protocol/src/records/user-message.ts',
    `${SANDBOX}/lobbies.test.ts > are answered as stored, and read newest first | ${CARRIED} > names its application`,
  ),
  implemented(
    'A message carries the second display name of its author.',
    'protocol/src/records/lobby.ts | daemon/sandbox/src/api/lobby-messages.ts',
    `${SANDBOX}/lobbies.test.ts > adds, changes and removes, and answers those added or changed`,
  ),
  implemented(
    'Only the game’s backend sets that name, when it adds or edits a lobby member.',
    'endpoint:ADD_LOBBY_MEMBER | endpoint:BULK_UPDATE_LOBBY_MEMBERS',
    `unit/protocol/endpoints.test.ts > only the backend sets the second display name of a lobby member | ${SANDBOX}/lobby-backend.test.ts > are added, changed and removed one by one`,
  ),
  implemented(
    'A message carries moderation metadata, a map of text to text.',
    'protocol/src/records/lobby.ts | endpoint:UPDATE_LOBBY_MESSAGE_MODERATION_METADATA | endpoint:UPDATE_USER_MESSAGE_MODERATION_METADATA',
    `${SANDBOX}/lobby-backend.test.ts > replaces the metadata that readers of a message see | ${SANDBOX}/lobby-backend.test.ts > is short | ${SANDBOX}/moderation.test.ts > is set by the backend, in either order of the users`,
  ),
  implemented(
    'An application has at most 2000 emoji.',
    'endpoint:CREATE_APPLICATION_EMOJI | daemon/sandbox/src/api/emojis.ts',
    `${SANDBOX}/expressions.test.ts > are 2000 and not one more`,
  ),
  implemented(
    'Auto-moderation knows the trigger MEMBER_PROFILE.',
    'protocol/src/records/auto-moderation.ts | daemon/sandbox/src/api/auto-moderation.ts',
    `unit/protocol/administration.test.ts > have the type numbers of the platform | ${SANDBOX}/auto-moderation.test.ts > does not look at messages, nor a message rule at names | ${SANDBOX}/moderation.test.ts > are six for keywords and one of every other kind`,
  ),
  implemented(
    'The action BLOCK_MEMBER_INTERACTION is for MEMBER_PROFILE rules.',
    'protocol/src/records/auto-moderation.ts | daemon/sandbox/src/api/member-restrictions.ts',
    `${SANDBOX}/auto-moderation.test.ts > blocks the interactions of a bot with a forbidden name, until it has another | ${SANDBOX}/auto-moderation.test.ts > blocks a user who takes a forbidden nick or joins with a forbidden name | unit/protocol/administration.test.ts > with the trigger %i accept the actions of this trigger | ${SANDBOX}/moderation.test.ts > keep trigger, event and action together when they are changed`,
  ),
  implemented(
    'A premium button carries a sku_id.',
    'protocol/src/records/button-rules.ts',
    'unit/protocol/interactions.test.ts > have the fields of their style',
  ),
  implemented(
    'That SKU is an active one of the application.',
    'daemon/sandbox/src/api/premium-buttons.ts',
    `${CARRIED} > sells an active SKU of its application, in messages, edits and answers`,
  ),
]
