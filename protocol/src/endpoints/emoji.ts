/** Endpoints for the emoji of an application, which its bot can use everywhere. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Emoji } from '../records/expression.ts'
import { imageData } from '../schema/data-uri.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const application = once(() => ({ application_id: Snowflake() }))
const emoji = once(() => ({ application_id: Snowflake(), emoji_id: Snowflake() }))
const Name = once(() => text(LIMITS.expressionNameMin.value, LIMITS.expressionNameMax.value))

export const listApplicationEmojis = defineEndpoint({
  name: 'LIST_APPLICATION_EMOJIS',
  summary: 'Get all emoji of the application.',
  method: 'GET',
  path: '/applications/{application_id}/emojis',
  params: application,
  response: () => tolerant({ items: z.array(Emoji()) }),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [20012],
  provenance: 'documented',
})

export const getApplicationEmoji = defineEndpoint({
  name: 'GET_APPLICATION_EMOJI',
  summary: 'Get an emoji of the application.',
  method: 'GET',
  path: '/applications/{application_id}/emojis/{emoji_id}',
  params: emoji,
  response: Emoji,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10014, 20012],
  provenance: 'documented',
})

export const createApplicationEmoji = defineEndpoint({
  name: 'CREATE_APPLICATION_EMOJI',
  summary: `Add an emoji to the application. Recommended image size: 128 by 128 pixels. An application has at most ${LIMITS.applicationEmoji.value}.`,
  method: 'POST',
  path: '/applications/{application_id}/emojis',
  params: application,
  body: () => ({ name: Name(), image: imageData(LIMITS.emojiImageBytes) }),
  response: Emoji,
  success: [201],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [20012, 30008, 50035],
  provenance: 'documented',
})

export const modifyApplicationEmoji = defineEndpoint({
  name: 'MODIFY_APPLICATION_EMOJI',
  summary: 'Rename an emoji of the application.',
  method: 'PATCH',
  path: '/applications/{application_id}/emojis/{emoji_id}',
  params: emoji,
  body: () => ({ name: Name().optional() }),
  response: Emoji,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10014, 20012, 50035],
  provenance: 'documented',
})

export const deleteApplicationEmoji = defineEndpoint({
  name: 'DELETE_APPLICATION_EMOJI',
  summary: 'Delete an emoji of the application.',
  method: 'DELETE',
  path: '/applications/{application_id}/emojis/{emoji_id}',
  params: emoji,
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [10014, 20012],
  provenance: 'documented',
})
