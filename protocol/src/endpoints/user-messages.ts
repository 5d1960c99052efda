/** Direct messages with another user: reading back, writing, changing, taking back. No public description lists the paths; clients were seen to use them. */
import * as z from 'zod'
import { userHistory } from '../answers/history.ts'
import { LIMITS } from '../limits.ts'
import { MessageMetadata } from '../records/lobby.ts'
import { MESSAGE_ACTIVITY_TYPES, MessageActivityInput } from '../records/message-activity.ts'
import { UserMessage } from '../records/user-message.ts'
import { Snowflake, text, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const Content = text(1, LIMITS.userMessageContent.value)

export const getUserMessages = defineEndpoint({
  name: 'GET_USER_MESSAGES',
  summary:
    'The direct messages with a user, the newest first: at most 200, none older than 72 hours. Answered without asking the platform when enough of them were read a short while ago.',
  method: 'GET',
  path: '/users/{user_id}/messages',
  params: { user_id: Snowflake },
  query: { limit: wholeNumber(1, LIMITS.userMessages.value).optional().meta({ description: '200 when absent.' }) },
  response: z.array(UserMessage),
  auth: 'user',
  requires: anyOf('dm_channels.messages.read'),
  idempotency: 'safe',
  platformErrors: [10003, 10013],
  present: (messages, { now }) => userHistory(messages, now),
  provenance: 'observed',
})

export const sendUserMessage = defineEndpoint({
  name: 'SEND_USER_MESSAGE',
  summary: 'Write to a user.',
  method: 'POST',
  path: '/users/{user_id}/messages',
  params: { user_id: Snowflake },
  body: { content: Content, metadata: MessageMetadata.optional() },
  response: UserMessage,
  auth: 'user',
  requires: anyOf('dm_channels.messages.write'),
  idempotency: 'none',
  platformErrors: [10013, 50007, 50035, 200000],
  provenance: 'observed',
})

export const sendActivityMessage = defineEndpoint({
  name: 'SEND_ACTIVITY_MESSAGE',
  summary: 'Invite a user to the activity (activity.type 1), or ask to be invited to theirs (5).',
  method: 'POST',
  path: '/users/{user_id}/messages',
  params: { user_id: Snowflake },
  body: { content: text(1, LIMITS.inviteContent.value).optional(), activity: MessageActivityInput },
  rules: ({ activity }) =>
    activity.type === MESSAGE_ACTIVITY_TYPES.join && activity.session_id == null
      ? [{ path: ['activity', 'session_id'], message: 'is needed to invite: the session that shows the activity' }]
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
  summary: 'Change what one wrote to a user.',
  method: 'PATCH',
  path: '/users/{user_id}/messages/{message_id}',
  params: { user_id: Snowflake, message_id: Snowflake },
  body: { content: Content },
  response: UserMessage,
  auth: 'user',
  requires: anyOf('dm_channels.messages.write'),
  idempotency: 'natural',
  platformErrors: [10008, 10013, 50005, 50035, 200000],
  provenance: 'observed',
})

export const deleteUserMessage = defineEndpoint({
  name: 'DELETE_USER_MESSAGE',
  summary: 'Take back what one wrote to a user.',
  method: 'DELETE',
  path: '/users/{user_id}/messages/{message_id}',
  params: { user_id: Snowflake, message_id: Snowflake },
  response: z.null(),
  success: [204],
  auth: 'user',
  requires: anyOf('dm_channels.messages.write'),
  idempotency: 'natural',
  platformErrors: [10008, 10013, 50013],
  provenance: 'observed',
})
