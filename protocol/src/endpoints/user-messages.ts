/** Endpoints for direct messages with another user: read, send, edit, delete. The paths are undocumented; they were observed in clients. */
import * as z from 'zod'
import { once } from '../once.ts'
import { userHistory } from '../responses/history.ts'
import { LIMITS } from '../limits.ts'
import { MessageMetadata } from '../records/lobby.ts'
import { MESSAGE_ACTIVITY_TYPES, MessageActivityInput } from '../records/message-activity.ts'
import { UserMessage, UserMessageSummary } from '../records/user-message.ts'
import { Snowflake, text, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const Content = once(() => text(1, LIMITS.userMessageContent.value))

export const getUserMessages = defineEndpoint({
  name: 'GET_USER_MESSAGES',
  summary:
    'Get the direct messages with a user, newest first: at most 200, at most 72 hours old. Served from a cache if it was filled shortly before.',
  method: 'GET',
  path: '/users/{user_id}/messages',
  params: () => ({ user_id: Snowflake() }),
  query: () => ({ limit: wholeNumber(1, LIMITS.userMessages.value).optional().meta({ description: 'Default: 200.' }) }),
  response: () => z.array(UserMessage()),
  auth: 'user',
  requires: anyOf('dm_channels.messages.read'),
  idempotency: 'safe',
  platformErrors: [10003, 10013],
  shapeResponse: (messages, { now }) => userHistory(messages, now),
  provenance: 'observed',
})

export const sendUserMessage = defineEndpoint({
  name: 'SEND_USER_MESSAGE',
  summary: 'Send a direct message to a user.',
  method: 'POST',
  path: '/users/{user_id}/messages',
  params: () => ({ user_id: Snowflake() }),
  body: () => ({ content: Content(), metadata: MessageMetadata().optional() }),
  response: UserMessage,
  auth: 'user',
  requires: anyOf('dm_channels.messages.write'),
  idempotency: 'none',
  platformErrors: [10013, 50007, 50035, 200000],
  provenance: 'observed',
})

/** Its name sorts before SEND_USER_MESSAGE, whose arguments also match because extra body fields are ignored. */
export const sendActivityMessage = defineEndpoint({
  name: 'SEND_ACTIVITY_MESSAGE',
  summary: 'Invite a user to the activity (activity.type 1), or send a join request (5).',
  method: 'POST',
  path: '/users/{user_id}/messages',
  params: () => ({ user_id: Snowflake() }),
  body: () => ({ content: text(1, LIMITS.inviteContent.value).optional(), activity: MessageActivityInput() }),
  rules: ({ activity }) =>
    activity.type === MESSAGE_ACTIVITY_TYPES.join && activity.session_id == null
      ? [{ path: ['activity', 'session_id'], message: 'is required for an invite: the session of the activity' }]
      : [],
  response: UserMessage,
  auth: 'user',
  requires: anyOf('activities.invites.write'),
  idempotency: 'none',
  platformErrors: [10013, 50007, 50035, 200000],
  provenance: 'observed',
})

export const editUserMessage = defineEndpoint({
  name: 'EDIT_USER_MESSAGE',
  summary: 'Edit a direct message you sent.',
  method: 'PATCH',
  path: '/users/{user_id}/messages/{message_id}',
  params: () => ({ user_id: Snowflake(), message_id: Snowflake() }),
  body: () => ({ content: Content() }),
  response: UserMessage,
  auth: 'user',
  requires: anyOf('dm_channels.messages.write'),
  idempotency: 'natural',
  platformErrors: [10008, 10013, 50005, 50035, 200000],
  provenance: 'observed',
})

export const deleteUserMessage = defineEndpoint({
  name: 'DELETE_USER_MESSAGE',
  summary: 'Delete a direct message you sent.',
  method: 'DELETE',
  path: '/users/{user_id}/messages/{message_id}',
  params: () => ({ user_id: Snowflake(), message_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  auth: 'user',
  requires: anyOf('dm_channels.messages.write'),
  idempotency: 'natural',
  platformErrors: [10008, 10013, 50013],
  provenance: 'observed',
})

export const getUserMessageSummaries = defineEndpoint({
  name: 'GET_USER_MESSAGE_SUMMARIES',
  summary: 'Get the users with whom the user has direct messages, and the last message of each, newest first.',
  method: 'GET',
  path: '/partner-sdk/users/@me/channels',
  params: () => ({}),
  response: () => z.array(UserMessageSummary()),
  auth: 'user',
  requires: anyOf('dm_channels.read'),
  idempotency: 'safe',
  provenance: 'observed',
})
