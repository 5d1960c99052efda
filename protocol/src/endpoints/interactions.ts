/** Endpoints that respond to interactions. They need only the interaction token in the arguments. */
import * as z from 'zod'
import { Message } from '../records/channel-message.ts'
import {
  ANSWER_BODY,
  ANSWER_CHANGES,
  CALLBACK_BODY,
  callbackProblems,
  InteractionCallback,
  InteractionToken,
} from '../records/interaction.ts'
import { draftProblems, editProblems, RESPONSE_FILES_BODY } from '../records/message-draft.ts'
import { once } from '../once.ts'
import { Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint, RESPONSE_FILES } from './define.ts'

const WITH_COMPONENTS = once(() => ({
  with_components: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the message may have components; default: as the application may.' }),
}))

const BY_TOKEN = { auth: 'interaction', requires: NO_SCOPE, provenance: 'documented' } as const

export const createInteractionResponse = defineEndpoint({
  ...BY_TOKEN,
  name: 'CREATE_INTERACTION_RESPONSE',
  summary: 'Respond to an interaction with a message, an update, choices, a modal, or the start of the activity. Once, within 3 seconds.',
  method: 'POST',
  path: '/interactions/{interaction_id}/{interaction_token}/callback',
  params: () => ({ interaction_id: Snowflake(), interaction_token: InteractionToken() }),
  query: () => ({ with_response: z.boolean().optional().meta({ description: 'Return the created response instead of null.' }) }),
  body: () => ({ ...CALLBACK_BODY(), ...RESPONSE_FILES_BODY() }),
  upload: RESPONSE_FILES,
  rules: callbackProblems,
  response: () => InteractionCallback().nullable(),
  success: [200, 204],
  idempotency: 'none',
  platformErrors: [10062, 40060, 50027, 50035, 200000, 240000],
})

const ORIGINAL = {
  ...BY_TOKEN,
  path: '/webhooks/{application_id}/{interaction_token}/messages/@original',
  params: () => ({ application_id: Snowflake(), interaction_token: InteractionToken() }),
} as const

export const getOriginalInteractionResponse = defineEndpoint({
  ...ORIGINAL,
  name: 'GET_ORIGINAL_INTERACTION_RESPONSE',
  summary: 'Get the message of the original response to an interaction.',
  method: 'GET',
  response: Message,
  idempotency: 'safe',
  platformErrors: [10008, 10015, 50027],
})

export const editOriginalInteractionResponse = defineEndpoint({
  ...ORIGINAL,
  name: 'EDIT_ORIGINAL_INTERACTION_RESPONSE',
  summary: 'Edit the original response to an interaction, or send a deferred one. Only a deferred response can have a poll.',
  method: 'PATCH',
  query: WITH_COMPONENTS,
  body: () => ({ ...ANSWER_CHANGES(), ...RESPONSE_FILES_BODY() }),
  upload: RESPONSE_FILES,
  rules: editProblems,
  response: Message,
  idempotency: 'natural',
  platformErrors: [10008, 10015, 50006, 50027, 50035, 200000, 240000],
})

export const deleteOriginalInteractionResponse = defineEndpoint({
  ...ORIGINAL,
  name: 'DELETE_ORIGINAL_INTERACTION_RESPONSE',
  summary: 'Delete the original response to an interaction.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10008, 10015, 50027],
})

export const createFollowupMessage = defineEndpoint({
  ...BY_TOKEN,
  name: 'CREATE_FOLLOWUP_MESSAGE',
  summary: 'Send a follow-up message to an interaction; at most 5 if only the user has installed the application.',
  method: 'POST',
  path: '/webhooks/{application_id}/{interaction_token}',
  params: () => ({ application_id: Snowflake(), interaction_token: InteractionToken() }),
  query: WITH_COMPONENTS,
  body: () => ({ ...ANSWER_BODY(), ...RESPONSE_FILES_BODY() }),
  upload: RESPONSE_FILES,
  rules: draftProblems,
  response: Message,
  idempotency: 'none',
  platformErrors: [10015, 40094, 50027, 50035, 200000, 240000],
})

const FOLLOWUP = {
  ...BY_TOKEN,
  path: '/webhooks/{application_id}/{interaction_token}/messages/{message_id}',
  params: () => ({ application_id: Snowflake(), interaction_token: InteractionToken(), message_id: Snowflake() }),
} as const

export const getFollowupMessage = defineEndpoint({
  ...FOLLOWUP,
  name: 'GET_FOLLOWUP_MESSAGE',
  summary: 'Get a follow-up message.',
  method: 'GET',
  response: Message,
  idempotency: 'safe',
  platformErrors: [10008, 10015, 50027],
})

export const editFollowupMessage = defineEndpoint({
  ...FOLLOWUP,
  name: 'EDIT_FOLLOWUP_MESSAGE',
  summary: 'Edit a follow-up message.',
  method: 'PATCH',
  query: WITH_COMPONENTS,
  body: () => ({ ...ANSWER_CHANGES(), ...RESPONSE_FILES_BODY() }),
  upload: RESPONSE_FILES,
  rules: editProblems,
  response: Message,
  idempotency: 'natural',
  platformErrors: [10008, 10015, 50006, 50027, 50035, 200000, 240000],
})

export const deleteFollowupMessage = defineEndpoint({
  ...FOLLOWUP,
  name: 'DELETE_FOLLOWUP_MESSAGE',
  summary: 'Delete a follow-up message.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10008, 10015, 50027],
})
