/** Where rows differ from the public description on purpose, with the reason; and arguments that only a person can make up. */
import type { EndpointName } from '@sallyport/protocol'
import { CREATE_MESSAGE, EDIT_MESSAGE } from './message-samples.ts'

type Args = Readonly<Record<string, unknown>>

export interface Difference {
  readonly rows: readonly EndpointName[]
  /** The sentence that the comparison finds. */
  readonly found: string
  readonly reason: string
}

export const NOT_LISTED = 'the description does not list it'

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

/** By row: arguments that its schema alone cannot make valid. */
export const VALUES: Partial<Record<EndpointName, Args>> = {
  SEARCH_GUILD_MESSAGES: { author_type: ['user', '-bot'], has: ['image', '-link'] },
}

/** By row: whole argument objects, in place of those made from the schema. */
export const SAMPLES: Partial<Record<EndpointName, readonly Args[]>> = { CREATE_MESSAGE, EDIT_MESSAGE }
