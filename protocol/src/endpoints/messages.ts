/** Endpoints for channel messages: send, read, edit and search. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Message, MessageSearch } from '../records/channel-message.ts'
import { CREATE_BODY, draftProblems, EDIT_BODY, editProblems, FILES_BODY } from '../records/message-draft.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint, MESSAGE_FILES } from './define.ts'

export const createMessage = defineEndpoint({
  name: 'CREATE_MESSAGE',
  summary: 'Send, reply to or forward a message. With a nonce and enforce_nonce, it is safe to repeat.',
  method: 'POST',
  path: '/channels/{channel_id}/messages',
  params: () => ({ channel_id: Snowflake() }),
  body: () => ({ ...CREATE_BODY(), ...FILES_BODY() }),
  upload: MESSAGE_FILES,
  rules: draftProblems,
  response: Message,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['VIEW_CHANNEL', 'SEND_MESSAGES'],
  idempotency: 'keyed',
  platformErrors: [10003, 10008, 20016, 20028, 40005, 50001, 50013, 50035, 160014, 200000, 240000],
  provenance: 'documented',
})

export const editMessage = defineEndpoint({
  name: 'EDIT_MESSAGE',
  summary:
    'Edit a message of the bot. For messages of other users, only flags, with MANAGE_MESSAGES. attachments lists all attachments to keep.',
  method: 'PATCH',
  path: '/channels/{channel_id}/messages/{message_id}',
  params: () => ({ channel_id: Snowflake(), message_id: Snowflake() }),
  body: () => ({ ...EDIT_BODY(), ...FILES_BODY() }),
  upload: MESSAGE_FILES,
  rules: editProblems,
  response: Message,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['VIEW_CHANNEL'],
  idempotency: 'natural',
  platformErrors: [10003, 10008, 40005, 50001, 50005, 50013, 50035, 200000, 240000],
  provenance: 'documented',
})

const ONE = {
  path: '/channels/{channel_id}/messages/{message_id}',
  params: () => ({ channel_id: Snowflake(), message_id: Snowflake() }),
  auth: 'bot',
  requires: NO_SCOPE,
  provenance: 'documented',
} as const

export const getChannelMessage = defineEndpoint({
  ...ONE,
  name: 'GET_CHANNEL_MESSAGE',
  summary: 'Get a message of a channel.',
  method: 'GET',
  response: Message,
  permissions: ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'],
  idempotency: 'safe',
  platformErrors: [10003, 10008, 50001],
})

export const deleteMessage = defineEndpoint({
  ...ONE,
  name: 'DELETE_MESSAGE',
  summary: 'Delete a message of the bot; messages of other users require MANAGE_MESSAGES.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  permissions: ['VIEW_CHANNEL'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10003, 10008, 50001, 50013],
})

/** Mutually exclusive positions. */
const ANCHORS = ['around', 'before', 'after'] as const
const MESSAGES_QUERY = once(() => ({
  around: Snowflake().optional(),
  before: Snowflake().optional(),
  after: Snowflake().optional(),
  limit: wholeNumber(1, LIMITS.messagesPage.value).optional().meta({ description: 'Default: 50.' }),
}))

export const getChannelMessages = defineEndpoint({
  name: 'GET_CHANNEL_MESSAGES',
  summary: 'Get a page of messages of a channel, newest first. Empty without READ_MESSAGE_HISTORY.',
  method: 'GET',
  path: '/channels/{channel_id}/messages',
  params: () => ({ channel_id: Snowflake() }),
  query: MESSAGES_QUERY,
  rules(args) {
    const [, second] = ANCHORS.filter((name) => Object.hasOwn(args, name))
    return second === undefined ? [] : [{ path: [second], message: 'cannot be combined with another of around, before and after' }]
  },
  response: () => z.array(Message()),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'],
  idempotency: 'safe',
  platformErrors: [10003, 50001],
  provenance: 'documented',
})

const several = <Item extends z.ZodType>(item: Item, most: number = LIMITS.searchValues.value) => z.array(item).min(1).max(most).optional()
const words = once(() => several(z.string().max(LIMITS.searchWord.value)))
/** Each value, and each value with a minus to exclude it. */
const negatable = (values: readonly string[]) =>
  several(
    z.string().regex(new RegExp(`^-?(${values.join('|')})$`), `must be one of ${values.join(', ')}, optionally with a minus`),
    2 * values.length,
  )

export const searchGuildMessages = defineEndpoint({
  name: 'SEARCH_GUILD_MESSAGES',
  summary:
    'Search messages of a guild. Requires the MESSAGE_CONTENT intent. Fails with 1001 and retry_after if the guild is not indexed yet.',
  method: 'GET',
  path: '/guilds/{guild_id}/messages/search',
  params: () => ({ guild_id: Snowflake() }),
  query: () => ({
    limit: wholeNumber(1, LIMITS.searchPage.value).optional(),
    offset: wholeNumber(0, LIMITS.searchOffset.value).optional(),
    min_id: Snowflake().optional(),
    max_id: Snowflake().optional(),
    slop: wholeNumber(0, LIMITS.searchSlop.value).optional().meta({ description: 'Words allowed between the words of content.' }),
    content: z.string().max(LIMITS.searchContent.value).optional(),
    channel_id: several(Snowflake(), LIMITS.searchChannels.value),
    author_type: negatable(['user', 'bot', 'webhook']),
    author_id: several(Snowflake()),
    mentions: several(Snowflake()),
    mentions_role_id: several(Snowflake()),
    mention_everyone: z.boolean().optional(),
    replied_to_user_id: several(Snowflake()),
    replied_to_message_id: several(Snowflake()),
    pinned: z.boolean().optional(),
    has: negatable(['image', 'sound', 'video', 'file', 'sticker', 'embed', 'link', 'poll', 'snapshot']),
    embed_type: several(z.enum(['image', 'video', 'gif', 'sound', 'article']), 5),
    embed_provider: words(),
    link_hostname: words(),
    attachment_filename: words(),
    attachment_extension: words(),
    sort_by: z.enum(['timestamp', 'relevance']).optional(),
    sort_order: z.enum(['asc', 'desc']).optional(),
    include_nsfw: z.boolean().optional(),
  }),
  response: MessageSearch,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['READ_MESSAGE_HISTORY'],
  idempotency: 'safe',
  platformErrors: [10004, 50001, 50013, 50035, 110000],
  provenance: 'documented',
})
