/** The endpoint with which the backend of a game sets moderation metadata of a direct message. */
import * as z from 'zod'
import { ModerationMetadata } from '../records/lobby.ts'
import { Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const updateUserMessageModerationMetadata = defineEndpoint({
  name: 'UPDATE_USER_MESSAGE_MODERATION_METADATA',
  summary: 'Set the moderation metadata of a direct message between two users, in either order; an edit of the message clears it.',
  method: 'PUT',
  path: '/partner-sdk/dms/{user_id_1}/{user_id_2}/messages/{message_id}/moderation-metadata',
  params: () => ({ user_id_1: Snowflake(), user_id_2: Snowflake(), message_id: Snowflake() }),
  body: () => ({ metadata: ModerationMetadata() }),
  bodyArgument: 'metadata',
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10008, 10013, 50035],
  provenance: 'documented',
})
