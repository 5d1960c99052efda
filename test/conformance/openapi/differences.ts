/** Where rows differ from the public description on purpose, with the reason; and arguments that only a person can make up. */
import { type EndpointName, ENDPOINTS } from '@sallyport/protocol'
import {
  CREATE_AUTO_MODERATION_RULE,
  CREATE_FOLLOWUP_MESSAGE,
  CREATE_INTERACTION_RESPONSE,
  createCommand,
  EDIT_FOLLOWUP_MESSAGE,
  EDIT_ORIGINAL_INTERACTION_RESPONSE,
  editCommand,
  MODIFY_AUTO_MODERATION_RULE,
  overwriteCommands,
} from './command-samples.ts'
import { CREATE_MESSAGE, EDIT_MESSAGE } from './message-samples.ts'

type Args = Readonly<Record<string, unknown>>

export interface Difference {
  readonly rows: readonly EndpointName[]
  /** The sentence that the comparison finds. */
  readonly found: string
  readonly reason: string
}

export const NOT_LISTED = 'the description does not list it'

const NAMED_FOR_INTERACTIONS = 'The documentation of interactions says so; the description knows only the webhooks that they are made of.'
const COMMAND_ROWS = Object.keys(ENDPOINTS).filter((name) => /_APPLICATION_COMMANDS?$/.test(name)) as readonly EndpointName[]

export const DIFFERENCES: readonly Difference[] = [
  {
    rows: ['CREATE_GUILD'],
    found: NOT_LISTED,
    reason: 'Applications lost it in July 2025; the row is kept so that callers are told so, and is never sent.',
  },
  {
    rows: ['CREATE_MESSAGE'],
    found: 'body /message_reference/type must be equal to constant',
    reason: 'The description knows only replies (0); forwards (1) are documented in words.',
  },
  {
    rows: ['DELETE_USER_MESSAGE', 'EDIT_USER_MESSAGE', 'GET_USER_MESSAGES', 'SEND_ACTIVITY_MESSAGE', 'SEND_USER_MESSAGE'],
    found: NOT_LISTED,
    reason: 'Direct messages of users are known only from what clients were seen to send.',
  },
  {
    rows: ['REQUEST_TOKEN'],
    found: NOT_LISTED,
    reason: 'The token endpoint is documented with OAuth 2; the description has it only as tokenUrl.',
  },
  {
    rows: ['LIST_SKUS', 'REQUEST_CHILD_TOKEN'],
    found: NOT_LISTED,
    reason: 'Documented in words; the description, which is a preview, leaves it out.',
  },
  {
    rows: [
      'CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF',
      'GET_CURRENT_AUTHORIZATION_INFORMATION',
      'GET_CURRENT_USER_CONNECTIONS',
      'GET_LOBBY_MESSAGES',
      'LEAVE_LOBBY',
      'LINK_CHANNEL_TO_LOBBY',
      'SEND_LOBBY_MESSAGE',
      'UNLINK_CHANNEL_FROM_LOBBY',
    ],
    found: 'token of: user here, bot, user described',
    reason: 'It is about a person: the documentation asks for a user token, and a bot has no authorization, connections or lobby seat.',
  },
  {
    rows: ['REQUEST_PROVISIONAL_ACCOUNT_UNMERGE', 'REQUEST_PROVISIONAL_TOKEN'],
    found: 'token of: nobody here, bot, nobody described',
    reason: 'The bridge calls it for the application by id; a bot has operations of its own for the same.',
  },
  {
    rows: ['EDIT_CURRENT_APPLICATION'],
    found: 'body /description must be object,null',
    reason: 'The documentation and every answer have plain text; an object with translations is described nowhere else.',
  },
  ...['/install_params/permissions', '/integration_types_config/[]/oauth2_install_params/permissions'].map(
    (field): Difference => ({
      rows: ['EDIT_CURRENT_APPLICATION'],
      found: `body ${field} must be integer,null`,
      reason: 'Permissions have more bits than a JSON number carries; the documentation and every answer have them as text.',
    }),
  ),
  {
    rows: ['CREATE_CHANNEL_INVITE_BY_BOT'],
    found: 'success: 200 here, 200, 204 described',
    reason: 'The documentation answers the invite; when nothing would come instead is said nowhere.',
  },
  {
    rows: ['CREATE_HEADLESS_SESSION', 'DELETE_HEADLESS_SESSION', 'GET_ACTIVITY_SECRET'],
    found: NOT_LISTED,
    reason: "The platform's own clients use it; no public document has it.",
  },
  {
    rows: [
      'CREATE_FOLLOWUP_MESSAGE',
      'CREATE_INTERACTION_RESPONSE',
      'DELETE_FOLLOWUP_MESSAGE',
      'DELETE_ORIGINAL_INTERACTION_RESPONSE',
      'EDIT_FOLLOWUP_MESSAGE',
      'EDIT_ORIGINAL_INTERACTION_RESPONSE',
      'GET_FOLLOWUP_MESSAGE',
      'GET_ORIGINAL_INTERACTION_RESPONSE',
    ],
    found: 'token of: nobody here, bot, nobody described',
    reason: 'The token of the interaction is all it takes, so the bridge shows no other: nobody acts with what is the bot’s.',
  },
  {
    rows: [
      'CREATE_FOLLOWUP_MESSAGE',
      'DELETE_ORIGINAL_INTERACTION_RESPONSE',
      'EDIT_ORIGINAL_INTERACTION_RESPONSE',
      'GET_ORIGINAL_INTERACTION_RESPONSE',
    ],
    found: 'path parameters: application_id, interaction_token here, webhook_id, webhook_token described',
    reason: NAMED_FOR_INTERACTIONS,
  },
  {
    rows: ['DELETE_FOLLOWUP_MESSAGE', 'EDIT_FOLLOWUP_MESSAGE', 'GET_FOLLOWUP_MESSAGE'],
    found: 'path parameters: application_id, interaction_token, message_id here, webhook_id, webhook_token, message_id described',
    reason: NAMED_FOR_INTERACTIONS,
  },
  {
    rows: ['CREATE_FOLLOWUP_MESSAGE'],
    found: 'success: 200 here, 200, 204 described',
    reason: 'Webhooks may leave the message out of the answer; follow-ups always have it.',
  },
  ...['body field files[0]: not described', 'body field files[1]: not described'].map(
    (found, index): Difference => ({
      rows: index === 0 ? ['CREATE_FOLLOWUP_MESSAGE', 'CREATE_INTERACTION_RESPONSE'] : ['CREATE_FOLLOWUP_MESSAGE'],
      found,
      reason: 'Answers take files as messages do, says the documentation; the description names the parts only where messages are edited.',
    }),
  ),
  {
    rows: COMMAND_ROWS.filter((name) => /^(?:CREATE|EDIT)/.test(name)),
    found: 'body field nsfw: not described',
    reason: 'Documented, and in every answer; only the description of requests leaves it out.',
  },
  {
    rows: COMMAND_ROWS.filter((name) => name.startsWith('BULK')),
    found: 'body field [].nsfw: not described',
    reason: 'Documented, and in every answer; only the description of requests leaves it out.',
  },
  {
    rows: COMMAND_ROWS.filter((name) => name.startsWith('CREATE')),
    found: 'body /default_member_permissions must be integer,null',
    reason: 'Permissions have more bits than a JSON number carries; the documentation and every answer have them as text.',
  },
  {
    rows: COMMAND_ROWS,
    found: 'token of: bot here, bot, user described',
    reason: 'The other token is one that an application gets for itself, which the bridge has no way to hold; a user’s token does not do.',
  },
  {
    rows: ['SEARCH_GUILD_MESSAGES'],
    found: 'success: 200 here, 200, 202 described',
    reason: 'A 202 says that the guild is not indexed yet: no result, so the caller gets an error with the time to wait.',
  },
  {
    rows: ['SEND_LOBBY_MESSAGE'],
    found: 'body field metadata: not described',
    reason: 'Clients made with the SDK send it; the request schema is shared with other messages and leaves it out.',
  },
]

const USERS = { filename: 'users.csv', data: 'dXNlcl9pZAox' }
const INVITED = {
  channel_id: '41771983423143937',
  max_age: 604_800,
  max_uses: 100,
  temporary: true,
  unique: true,
  audit_log_reason: 'A party',
}

/** An invite is to one kind of target at a time. */
const INVITES: readonly Args[] = [
  { channel_id: '41771983423143937' },
  { ...INVITED, target_type: 1, target_user_id: '1', role_ids: ['1', '2'] },
  { ...INVITED, target_type: 2, target_application_id: '1', role_ids: null },
  { ...INVITED, role_ids: ['1'], target_users_file: USERS },
]

/** A page is anchored in one way at a time. */
const PAGES: readonly Args[] = ['around', 'before', 'after'].map((anchor) => ({
  channel_id: '1',
  [anchor]: '18446744073709551615',
  limit: 100,
}))

/** By row: arguments that its schema alone cannot make valid. */
export const VALUES: Partial<Record<EndpointName, Args>> = {
  UPDATE_TARGET_USERS: { target_users_file: USERS },
  SEARCH_GUILD_MESSAGES: { author_type: ['user', '-bot'], has: ['image', '-link'] },
  SEND_ACTIVITY_MESSAGE: { activity: { type: 1, session_id: 'session' } },
}

/** By row: whole argument objects, in place of those made from the schema. */
export const SAMPLES: Partial<Record<EndpointName, readonly Args[]>> = {
  BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS: overwriteCommands(true),
  BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS: overwriteCommands(false),
  CREATE_AUTO_MODERATION_RULE,
  CREATE_CHANNEL_INVITE_BY_BOT: INVITES,
  CREATE_FOLLOWUP_MESSAGE,
  CREATE_GLOBAL_APPLICATION_COMMAND: createCommand(true),
  CREATE_GUILD_APPLICATION_COMMAND: createCommand(false),
  CREATE_INTERACTION_RESPONSE,
  CREATE_MESSAGE,
  EDIT_FOLLOWUP_MESSAGE,
  EDIT_GLOBAL_APPLICATION_COMMAND: editCommand(true),
  EDIT_GUILD_APPLICATION_COMMAND: editCommand(false),
  EDIT_MESSAGE,
  EDIT_ORIGINAL_INTERACTION_RESPONSE,
  MODIFY_AUTO_MODERATION_RULE,
  GET_CHANNEL_MESSAGES: PAGES,
}
