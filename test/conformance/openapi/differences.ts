/** Intended differences between rows and the public description, with reasons; and hand-written arguments. */
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
  /** The sentence that the comparison returns. */
  readonly found: string
  readonly reason: string
}

export const NOT_LISTED = 'the description does not list it'

const NAMED_FOR_INTERACTIONS = 'Documented for interactions; the description contains only the underlying webhooks.'
const COMMAND_ROWS = Object.keys(ENDPOINTS).filter((name) => /_APPLICATION_COMMANDS?$/.test(name)) as readonly EndpointName[]

export const DIFFERENCES: readonly Difference[] = [
  {
    rows: ['CREATE_GUILD'],
    found: NOT_LISTED,
    reason: 'Removed for applications in July 2025. The row stays so that callers receive the reason; no request is sent.',
  },
  {
    rows: ['CREATE_MESSAGE'],
    found: 'body /message_reference/type must be equal to constant',
    reason: 'The description contains only replies (0); forwards (1) are documented as text.',
  },
  {
    rows: [
      'DELETE_USER_MESSAGE',
      'EDIT_USER_MESSAGE',
      'GET_USER_APPLICATION_IDENTITIES',
      'GET_USER_MESSAGES',
      'GET_USER_MESSAGE_SUMMARIES',
      'SEND_ACTIVITY_MESSAGE',
      'SEND_USER_MESSAGE',
    ],
    found: NOT_LISTED,
    reason: 'Direct messages and game identities of users are undocumented; they were observed in clients.',
  },
  {
    rows: [
      'CREATE_GAME_RELATIONSHIP',
      'CREATE_RELATIONSHIP',
      'GET_GAME_RELATIONSHIPS',
      'LIST_RELATIONSHIPS',
      'REMOVE_GAME_RELATIONSHIP',
      'REMOVE_RELATIONSHIP',
      'SEND_FRIEND_REQUEST',
      'SEND_GAME_FRIEND_REQUEST',
    ],
    found: NOT_LISTED,
    reason: 'Friends are undocumented; the requests were observed in clients.',
  },
  {
    rows: ['SET_ONLINE_STATUS', 'UPDATE_PROVISIONAL_ACCOUNT_DISPLAY_NAME'],
    found: NOT_LISTED,
    reason: 'Status and display name of a user are undocumented; the requests were observed in clients.',
  },
  {
    rows: ['REQUEST_TOKEN'],
    found: NOT_LISTED,
    reason: 'The token endpoint is documented with OAuth 2; the description contains it only as tokenUrl.',
  },
  {
    rows: ['LIST_SKUS', 'REQUEST_CHILD_TOKEN'],
    found: NOT_LISTED,
    reason: 'Documented as text; the description, which is a preview, omits it.',
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
    reason: 'The documentation requires a user token; a bot has no authorization, connections or lobby membership.',
  },
  {
    rows: ['EDIT_APPLICATION_COMMAND_PERMISSIONS', 'GET_OPENID_CONNECT_USER_INFO'],
    found: 'token of: user here, bot, user described',
    reason: 'The documentation refuses bots: permissions are set by a user, and a bot has no OpenID claims.',
  },
  {
    rows: ['REQUEST_PROVISIONAL_ACCOUNT_UNMERGE', 'REQUEST_PROVISIONAL_TOKEN'],
    found: 'token of: none here, bot, none described',
    reason: 'The bridge calls it with the application id; bots have separate operations for the same purpose.',
  },
  {
    rows: ['EDIT_CURRENT_APPLICATION'],
    found: 'body /description must be object,null',
    reason: 'The documentation and all responses contain plain text; an object with translations is not described elsewhere.',
  },
  ...['/install_params/permissions', '/integration_types_config/[]/oauth2_install_params/permissions'].map(
    (field): Difference => ({
      rows: ['EDIT_CURRENT_APPLICATION'],
      found: `body ${field} must be integer,null`,
      reason: 'Permissions exceed a JSON number; the documentation and all responses contain them as text.',
    }),
  ),
  {
    rows: ['CREATE_CHANNEL_INVITE_BY_BOT'],
    found: 'success: 200 here, 200, 204 described',
    reason: 'The documentation returns the invite; the case without a body is undocumented.',
  },
  {
    rows: ['CREATE_HEADLESS_SESSION', 'DELETE_HEADLESS_SESSION', 'GET_ACTIVITY_SECRET'],
    found: NOT_LISTED,
    reason: "The platform's own clients use it; it is undocumented.",
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
    found: 'token of: none here, bot, none described',
    reason: 'The interaction token is sufficient, so the bridge sends no other token and never uses the bot token.',
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
    reason: 'Webhooks can omit the message in the response; follow-ups always return it.',
  },
  ...['body field files[0]: not described', 'body field files[1]: not described'].map(
    (found, index): Difference => ({
      rows: index === 0 ? ['CREATE_FOLLOWUP_MESSAGE', 'CREATE_INTERACTION_RESPONSE'] : ['CREATE_FOLLOWUP_MESSAGE'],
      found,
      reason: 'The documentation allows files in responses as in messages; the description lists the parts only for edits.',
    }),
  ),
  {
    rows: COMMAND_ROWS.filter((name) => /^(?:CREATE|EDIT)/.test(name)),
    found: 'body field nsfw: not described',
    reason: 'Documented, and in all responses; only the description of requests omits it.',
  },
  {
    rows: COMMAND_ROWS.filter((name) => name.startsWith('BULK')),
    found: 'body field [].nsfw: not described',
    reason: 'Documented, and in all responses; only the description of requests omits it.',
  },
  {
    rows: COMMAND_ROWS.filter((name) => name.startsWith('CREATE')),
    found: 'body /default_member_permissions must be integer,null',
    reason: 'Permissions exceed a JSON number; the documentation and all responses contain them as text.',
  },
  {
    rows: COMMAND_ROWS,
    found: 'token of: bot here, bot, user described',
    reason: 'The other token is a client credentials token, which the bridge cannot hold; a user token is not accepted.',
  },
  ...(
    [
      [['CREATE_GUILD_CHANNEL'], '/permission_overwrites/[]/allow'],
      [['CREATE_GUILD_CHANNEL'], '/permission_overwrites/[]/deny'],
      [['EDIT_CHANNEL_PERMISSIONS'], '/allow'],
      [['EDIT_CHANNEL_PERMISSIONS'], '/deny'],
      [['CREATE_GUILD_ROLE', 'MODIFY_GUILD_ROLE'], '/permissions'],
    ] as const
  ).map(
    ([named, field]): Difference => ({
      rows: named,
      found: `body ${field} must be integer,null`,
      reason: 'Permissions exceed a JSON number; the documentation and all responses contain them as text.',
    }),
  ),
  {
    rows: ['GET_INVITE'],
    found: 'token of: bot here, bot, none described',
    reason: 'With the bot token, the rate limit is that of the bot, and not one of all programs at this address.',
  },
  {
    rows: ['MODIFY_GUILD_MEMBER'],
    found: 'success: 200 here, 200, 204 described',
    reason: 'The documentation returns the member; the case without a body is undocumented.',
  },
  {
    rows: ['TRIGGER_TYPING_INDICATOR'],
    found: 'success: 204 here, 200, 204 described',
    reason: 'The documentation returns 204; the object of a 200 has no fields.',
  },
  {
    rows: ['REMOVE_GUILD_BAN'],
    found: 'body: required, not sent',
    reason: 'The documented body has no fields, and the documentation sends none.',
  },
  {
    rows: ['SEARCH_GUILD_MESSAGES'],
    found: 'success: 200 here, 200, 202 described',
    reason: '202 means that the guild is not indexed yet; the caller receives an error with the time to wait.',
  },
  {
    rows: ['SEND_LOBBY_MESSAGE'],
    found: 'body field metadata: not described',
    reason: 'Clients made with the SDK send it; the request schema is shared with other messages and omits it.',
  },
]

const EVENT = { guild_id: '41771983423143937' }
const EVENT_ID = { ...EVENT, guild_scheduled_event_id: '18446744073709551615' }
const START = '2026-12-01T12:00:00.000000+00:00'
const END = '2026-12-01T14:00:00.000000+00:00'
const RECURRENCE = {
  start: START,
  end: END,
  frequency: 1,
  interval: 1,
  by_weekday: null,
  by_n_weekday: [{ n: 5, day: 6 }],
  by_month: null,
  by_month_day: null,
}
const EVENT_DETAILS = {
  description: 'x'.repeat(1000),
  image: 'data:image/png;base64,AAAA',
  recurrence_rule: RECURRENCE,
  audit_log_reason: 'A regatta',
}
const OUTSIDE = { entity_type: 3, entity_metadata: { location: 'x'.repeat(100) }, scheduled_end_time: END }
const IN_VOICE = { entity_type: 2, channel_id: '1' }
const CREATED = { ...EVENT, name: 'x'.repeat(100), privacy_level: 2, scheduled_start_time: START }

/** The place of an event decides which other arguments it needs. */
const CREATED_EVENTS: readonly Args[] = [
  { ...CREATED, ...IN_VOICE },
  { ...CREATED, ...OUTSIDE, ...EVENT_DETAILS },
  { ...CREATED, entity_type: 1, channel_id: '1', scheduled_end_time: null },
]
const CHANGED_EVENTS: readonly Args[] = [
  { ...EVENT_ID, ...IN_VOICE },
  { ...EVENT_ID, ...OUTSIDE, ...EVENT_DETAILS, name: 'Race', privacy_level: 2, scheduled_start_time: START, status: 2 },
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

/** An invite has one type of target. */
const INVITES: readonly Args[] = [
  { channel_id: '41771983423143937' },
  { ...INVITED, target_type: 1, target_user_id: '1', role_ids: ['1', '2'] },
  { ...INVITED, target_type: 2, target_application_id: '1', role_ids: null },
  { ...INVITED, role_ids: ['1'], target_users_file: USERS },
]

/** A page has one anchor. */
const PAGES: readonly Args[] = ['around', 'before', 'after'].map((anchor) => ({
  channel_id: '1',
  [anchor]: '18446744073709551615',
  limit: 100,
}))

/** By row: arguments that cannot be generated from the schema. */
export const VALUES: Partial<Record<EndpointName, Args>> = {
  BULK_DELETE_MESSAGES: { messages: ['1', '18446744073709551615'] },
  UPLOAD_APPLICATION_ATTACHMENT: { file: { filename: 'flag.png', data: 'AAAA' } },
  CREATE_GUILD_STICKER: { file: { filename: 'flag.png', data: 'AAAA' } },
  UPDATE_TARGET_USERS: { target_users_file: USERS },
  SEARCH_GUILD_MESSAGES: { author_type: ['user', '-bot'], has: ['image', '-link'] },
  SEND_ACTIVITY_MESSAGE: { activity: { type: 1, session_id: 'session' } },
}

/** By row: complete argument objects, which replace the generated ones. */
export const SAMPLES: Partial<Record<EndpointName, readonly Args[]>> = {
  BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS: overwriteCommands(true),
  BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS: overwriteCommands(false),
  CREATE_AUTO_MODERATION_RULE,
  CREATE_CHANNEL_INVITE_BY_BOT: INVITES,
  CREATE_FOLLOWUP_MESSAGE,
  CREATE_GLOBAL_APPLICATION_COMMAND: createCommand(true),
  CREATE_GUILD_APPLICATION_COMMAND: createCommand(false),
  CREATE_INTERACTION_RESPONSE,
  CREATE_GUILD_SCHEDULED_EVENT: CREATED_EVENTS,
  CREATE_MESSAGE,
  EDIT_FOLLOWUP_MESSAGE,
  EDIT_GLOBAL_APPLICATION_COMMAND: editCommand(true),
  EDIT_GUILD_APPLICATION_COMMAND: editCommand(false),
  EDIT_MESSAGE,
  EDIT_ORIGINAL_INTERACTION_RESPONSE,
  MODIFY_AUTO_MODERATION_RULE,
  MODIFY_GUILD_SCHEDULED_EVENT: CHANGED_EVENTS,
  GET_CHANNEL_MESSAGES: PAGES,
}
