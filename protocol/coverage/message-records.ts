/** Coverage of section 2.2, its second half: fields of messages, interactions, commands and activities. */
import { CLIENT_SCREENS } from './reasons.ts'
import { beyond, held, type Statement } from './statement.ts'

const FIELDS = 'unit/protocol/records.test.ts'
const SANDBOX = 'unit/sandbox/api'
const INTERACTIONS = `${SANDBOX}/interactions.test.ts`
const CARRIED = `${SANDBOX}/record-fields.test.ts`

export const MESSAGE_RECORDS: readonly Statement[] = [
  held(
    'description and is_spoiler of an attachment can be changed when its message is edited.',
    'endpoint:EDIT_MESSAGE | protocol/src/records/message-draft.ts',
    `${SANDBOX}/attachments.test.ts > keeps those that it names, with what it says of them now`,
  ),
  held(
    'A flag of an attachment marks a spoiler.',
    'protocol/src/records/channel-message.ts',
    `${SANDBOX}/attachments.test.ts > keeps what they are called, what they are, and what is said of them`,
  ),
  held(
    'A name that begins with SPOILER_ marks one too, but not every spoiler has it.',
    'daemon/sandbox/src/api/attachments.ts',
    `${SANDBOX}/attachments.test.ts > marks a spoiler by the beginning of its name too`,
  ),
  held('An embed has at most 25 fields.', 'protocol/src/records/embed.ts', 'unit/protocol/messages.test.ts > have at most 25 fields'),
  held(
    'A message reference of type FORWARD creates a forward.',
    'endpoint:CREATE_MESSAGE | protocol/src/records/message-draft.ts',
    `unit/protocol/messages.test.ts > forwards from a channel that is named | ${SANDBOX}/messages.test.ts > a forward holds the message as it was`,
  ),
  held(
    'A forward carries a snapshot of the message without its guild.',
    'protocol/src/records/channel-message.ts | daemon/sandbox/src/api/message-view.ts',
    `${SANDBOX}/messages.test.ts > a forward holds the message as it was, without author and guild`,
  ),
  held(
    'interaction_metadata names the user of the interaction that a message answers.',
    'protocol/src/records/channel-message.ts',
    `${FIELDS} > Message knows interaction_metadata | ${INTERACTIONS} > is a message that says who caused it`,
  ),
  held(
    'It takes the place of the deprecated interaction and of user_id, which is gone.',
    'protocol/src/records/channel-message.ts | daemon/sandbox/src/api/message-view.ts',
    `${INTERACTIONS} > is a message that says who caused it`,
  ),
  held(
    'Flag 1 << 15 of a message is IS_COMPONENTS_V2.',
    'protocol/src/records/message-draft.ts',
    'unit/protocol/messages.test.ts > is flagged by the documented bit',
  ),
  held(
    'An interaction tells the context in which it was used.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows context | ${INTERACTIONS} > tells the application all of it`,
  ),
  held(
    'An interaction maps installation contexts to their owners, ids as text.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows authorizing_integration_owners | ${INTERACTIONS} > serializes the owners and permissions in direct messages too`,
  ),
  held(
    'An interaction always carries app_permissions: what the app may do where it answers.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows app_permissions | ${INTERACTIONS} > serializes the owners and permissions in direct messages too`,
  ),
  held(
    'An interaction tells the size limit of attachments, which may be above the default.',
    'protocol/src/records/interaction.ts',
    `${FIELDS} > Interaction knows attachment_size_limit | ${INTERACTIONS} > tells the application all of it`,
  ),
  held(
    'A resolved channel carries the permissions of the bot, only where the bot is in the guild.',
    'protocol/src/records/interaction.ts | daemon/sandbox/src/control/interactions.ts',
    `${INTERACTIONS} > tells the application all of it | ${INTERACTIONS} > leaves the permissions of a resolved channel out where the bot is no member`,
  ),
  held(
    'A command has integration_types and contexts: where it is installed, and where it can be used.',
    'protocol/src/records/application-command.ts | daemon/sandbox/src/control/interactions.ts',
    `${INTERACTIONS} > asks the command for its contexts and installations | conformance/vectors/application-commands.json > CREATE_GLOBAL_APPLICATION_COMMAND`,
  ),
  held(
    'dm_permission is deprecated; contexts say the same.',
    'protocol/src/records/application-command.ts | daemon/sandbox/src/api/application-commands.ts',
    `${SANDBOX}/application-commands.test.ts > are made, listed, changed and deleted`,
  ),
  held(
    'Command type PRIMARY_ENTRY_POINT is 4.',
    'protocol/src/records/application-command.ts',
    'unit/protocol/administration.test.ts > have the numbers of the platform',
  ),
  held(
    'Command handlers are APP_HANDLER 1, and 2 for the platform’s launch of the activity.',
    'protocol/src/records/application-command.ts | protocol/src/records/command-rules.ts',
    'unit/protocol/administration.test.ts > have the numbers of the platform | unit/protocol/administration.test.ts > have a handler only as entry points',
  ),
  held(
    'An activity may link its state and its details.',
    'protocol/src/records/activity.ts',
    'unit/protocol/activity-input.test.ts > is an http or https URL of bounded length | unit/protocol/store-activity.test.ts > repeats what was sent, in full',
  ),
  held(
    'An activity may link its large and its small image.',
    'protocol/src/records/activity.ts',
    'unit/protocol/activity-input.test.ts > is an http or https URL of bounded length | unit/protocol/store-activity.test.ts > repeats what was sent, in full',
  ),
  held(
    'An activity may carry a cover image for invites, as an address or the key of an asset.',
    'protocol/src/records/activity.ts',
    'unit/protocol/activity-input.test.ts > assets.invite_cover_image | unit/protocol/store-activity.test.ts > repeats what was sent, in full',
  ),
  beyond(
    'An invite without one shows the cover image of the application.',
    CLIENT_SCREENS,
    'GET_CURRENT_APPLICATION tells cover_image, and EDIT_CURRENT_APPLICATION sets it.',
  ),
  held(
    'An activity may carry the name to show in place of the application’s.',
    'protocol/src/records/activity.ts | protocol/src/records/store-activity.ts',
    'unit/protocol/store-activity.test.ts > has type 0 and the registered name when none were sent',
  ),
  held(
    'SET_ACTIVITY takes the types 0 playing, 2 listening, 3 watching and 5 competing.',
    'command:SET_ACTIVITY | protocol/src/records/activity.ts',
    `${FIELDS} > is playing, listening, watching or competing | conformance/vectors/set-activity.json > type 5 (competing) | conformance/vectors/set-activity.json > type 1 is refused (streaming)`,
  ),
  held(
    'An invite names its application, so that invites of sibling applications are told apart.',
    'event:ACTIVITY_INVITE | command:ACCEPT_ACTIVITY_INVITE',
    `${FIELDS} > invite to an activity knows application_id | e2e/join.test.ts > an invite to a sibling game is taken by its own application id; that game is launched, and gets its join once`,
  ),
  held(
    'A message names its application.',
    'protocol/src/records/lobby.ts | protocol/src/records/user-message.ts',
    `${SANDBOX}/lobbies.test.ts > are answered as stored, and read newest first | ${CARRIED} > names its application`,
  ),
  held(
    'A message carries the second display name of its author.',
    'protocol/src/records/lobby.ts | daemon/sandbox/src/api/lobby-messages.ts',
    `${SANDBOX}/lobbies.test.ts > adds, changes and removes, and answers those added or changed`,
  ),
  held(
    'The game’s backend alone sets that name, when it adds or changes a member of a lobby.',
    'endpoint:ADD_LOBBY_MEMBER | endpoint:BULK_UPDATE_LOBBY_MEMBERS',
    `unit/protocol/endpoints.test.ts > the second display name of a lobby member is for the backend of the game alone | ${SANDBOX}/lobby-backend.test.ts > are added, changed and removed one by one`,
  ),
  held(
    'A message carries moderation metadata, a map of text to text.',
    'protocol/src/records/lobby.ts | endpoint:UPDATE_LOBBY_MESSAGE_MODERATION_METADATA | endpoint:UPDATE_USER_MESSAGE_MODERATION_METADATA',
    `${SANDBOX}/lobby-backend.test.ts > says something about a message that readers see | ${SANDBOX}/lobby-backend.test.ts > is short | ${SANDBOX}/moderation.test.ts > is set by the backend, in either order of the users`,
  ),
  held(
    'An application has at most 2000 emoji.',
    'endpoint:CREATE_APPLICATION_EMOJI | daemon/sandbox/src/api/emojis.ts',
    `${SANDBOX}/expressions.test.ts > are 2000 and not one more`,
  ),
  held(
    'Auto-moderation knows the trigger MEMBER_PROFILE.',
    'protocol/src/records/auto-moderation.ts',
    `unit/protocol/administration.test.ts > have the numbers of the platform | ${SANDBOX}/moderation.test.ts > are six for keywords and one of every other kind`,
  ),
  held(
    'The action BLOCK_MEMBER_INTERACTION is for MEMBER_PROFILE rules.',
    'protocol/src/records/auto-moderation.ts',
    `unit/protocol/administration.test.ts > take the actions that are for it | ${SANDBOX}/moderation.test.ts > keep trigger, event and action together when they are changed`,
  ),
  held(
    'A premium button carries a sku_id.',
    'protocol/src/records/button-rules.ts',
    'unit/protocol/interactions.test.ts > carry what their style allows | conformance/vectors/interactions.json > premium buttons',
  ),
  held(
    'That SKU is an active one of the application.',
    'daemon/sandbox/src/api/premium-buttons.ts',
    `${CARRIED} > sells an active SKU of its application, in messages, edits and answers`,
  ),
]
