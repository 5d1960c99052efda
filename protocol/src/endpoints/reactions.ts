/** Endpoints for reactions to messages, and for polls. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Message } from '../records/channel-message.ts'
import { User } from '../records/user.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const message = once(() => ({ channel_id: Snowflake(), message_id: Snowflake() }))
const EMOJI_CHARACTERS = 100
const emoji = once(() => ({
  ...message(),
  emoji_name: text(1, EMOJI_CHARACTERS).meta({ description: 'A Unicode emoji, or name:id of a custom one.' }),
}))
const DONE = { response: () => z.null(), success: [204], idempotency: 'natural' } as const
const PAGE = once(() => ({
  after: Snowflake().optional(),
  limit: wholeNumber(1, LIMITS.reactionsPage.value).optional().meta({ description: 'Default: 25.' }),
}))

export const createReaction = defineEndpoint({
  ...BY_BOT,
  ...DONE,
  name: 'CREATE_REACTION',
  summary: 'React to a message. Only a new emoji requires ADD_REACTIONS.',
  method: 'PUT',
  path: '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me',
  params: emoji,
  permissions: ['READ_MESSAGE_HISTORY', 'ADD_REACTIONS'],
  platformErrors: [10003, 10008, 10014, 30010, 50001, 50013],
})

export const deleteOwnReaction = defineEndpoint({
  ...BY_BOT,
  ...DONE,
  name: 'DELETE_OWN_REACTION',
  summary: 'Take back a reaction of the bot.',
  method: 'DELETE',
  path: '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me',
  params: emoji,
  platformErrors: [10003, 10008, 10014, 50001],
})

export const deleteUserReaction = defineEndpoint({
  ...BY_BOT,
  ...DONE,
  name: 'DELETE_USER_REACTION',
  summary: 'Remove the reaction of a user.',
  method: 'DELETE',
  path: '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}',
  params: () => ({ ...emoji(), user_id: Snowflake() }),
  permissions: ['MANAGE_MESSAGES'],
  platformErrors: [10003, 10008, 10014, 50001, 50013],
})

export const getReactions = defineEndpoint({
  ...BY_BOT,
  name: 'GET_REACTIONS',
  summary: 'Get a page of the users who reacted with an emoji, by ascending id.',
  method: 'GET',
  path: '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}',
  params: emoji,
  query: () => ({ ...PAGE(), type: z.literal([0, 1]).optional().meta({ description: '0 (default): normal, 1: burst.' }) }),
  response: () => z.array(User()),
  idempotency: 'safe',
  platformErrors: [10003, 10008, 10014, 50001],
})

export const deleteAllReactions = defineEndpoint({
  ...BY_BOT,
  ...DONE,
  name: 'DELETE_ALL_REACTIONS',
  summary: 'Remove all reactions to a message.',
  method: 'DELETE',
  path: '/channels/{channel_id}/messages/{message_id}/reactions',
  params: message,
  permissions: ['MANAGE_MESSAGES'],
  platformErrors: [10003, 10008, 50001, 50013],
})

export const deleteAllReactionsForEmoji = defineEndpoint({
  ...BY_BOT,
  ...DONE,
  name: 'DELETE_ALL_REACTIONS_FOR_EMOJI',
  summary: 'Remove all reactions with one emoji to a message.',
  method: 'DELETE',
  path: '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}',
  params: emoji,
  permissions: ['MANAGE_MESSAGES'],
  platformErrors: [10003, 10008, 10014, 50001, 50013],
})

export const bulkDeleteMessages = defineEndpoint({
  ...BY_BOT,
  ...DONE,
  name: 'BULK_DELETE_MESSAGES',
  summary: 'Delete 2 to 100 messages of a channel that are at most two weeks old.',
  method: 'POST',
  path: '/channels/{channel_id}/messages/bulk-delete',
  params: () => ({ channel_id: Snowflake() }),
  body: () => ({ messages: z.array(Snowflake()).min(2).max(LIMITS.messagesPage.value) }),
  destructive: true,
  permissions: ['MANAGE_MESSAGES'],
  audited: true,
  platformErrors: [10003, 50001, 50013, 50034, 50035],
})

export const getAnswerVoters = defineEndpoint({
  ...BY_BOT,
  name: 'GET_ANSWER_VOTERS',
  summary: 'Get a page of the users who voted for an answer of a poll, by ascending id.',
  method: 'GET',
  path: '/channels/{channel_id}/polls/{message_id}/answers/{answer_id}',
  params: () => ({ ...message(), answer_id: wholeNumber(1, LIMITS.pollAnswers.value) }),
  query: PAGE,
  response: () => tolerant({ users: z.array(User()) }),
  idempotency: 'safe',
  platformErrors: [10003, 10008, 50001],
})

export const endPoll = defineEndpoint({
  ...BY_BOT,
  name: 'END_POLL',
  summary: 'End a poll of the bot before its time.',
  method: 'POST',
  path: '/channels/{channel_id}/polls/{message_id}/expire',
  params: message,
  response: Message,
  idempotency: 'natural',
  platformErrors: [10003, 10008, 50001, 50013, 520001],
})
