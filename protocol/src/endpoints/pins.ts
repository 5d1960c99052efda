/** Endpoints for pinned messages, on the current and the earlier routes. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Message, PinnedMessages } from '../records/channel-message.ts'
import { IsoTime, Snowflake, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const LIST = {
  method: 'GET',
  params: () => ({ channel_id: Snowflake() }),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'],
  idempotency: 'safe',
  platformErrors: [10003, 50001],
  provenance: 'documented',
} as const

export const getChannelPins = defineEndpoint({
  ...LIST,
  name: 'GET_CHANNEL_PINS',
  summary: 'Get a page of pinned messages of a channel, latest pin first. Empty without READ_MESSAGE_HISTORY.',
  path: '/channels/{channel_id}/messages/pins',
  query: () => ({
    before: IsoTime().optional().meta({ description: 'Only messages pinned before this time.' }),
    limit: wholeNumber(1, LIMITS.pinsPage.value).optional(),
  }),
  response: PinnedMessages,
})

export const getPinnedMessages = defineEndpoint({
  ...LIST,
  name: 'GET_PINNED_MESSAGES',
  summary: 'Get the latest 50 pinned messages of a channel.',
  path: '/channels/{channel_id}/pins',
  response: () => z.array(Message()),
  deprecated: 'GET_CHANNEL_PINS',
})

const CHANGE = {
  params: () => ({ channel_id: Snowflake(), message_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['PIN_MESSAGES'],
  idempotency: 'natural',
  audited: true,
  provenance: 'documented',
} as const

const ROUTE = '/channels/{channel_id}/messages/pins/{message_id}'
const OLD_ROUTE = '/channels/{channel_id}/pins/{message_id}'
const PINNING = [10003, 10008, 30003, 50001, 50013]
const UNPINNING = [10003, 10008, 50001, 50013]

export const pinMessage = defineEndpoint({
  ...CHANGE,
  name: 'PIN_MESSAGE',
  summary: 'Pin a message in its channel.',
  method: 'PUT',
  path: ROUTE,
  platformErrors: PINNING,
})

export const unpinMessage = defineEndpoint({
  ...CHANGE,
  name: 'UNPIN_MESSAGE',
  summary: 'Unpin a message.',
  method: 'DELETE',
  path: ROUTE,
  platformErrors: UNPINNING,
})

export const pinMessageDeprecated = defineEndpoint({
  ...CHANGE,
  name: 'PIN_MESSAGE_DEPRECATED',
  summary: 'Pin a message via the earlier route.',
  method: 'PUT',
  path: OLD_ROUTE,
  platformErrors: PINNING,
  deprecated: 'PIN_MESSAGE',
})

export const unpinMessageDeprecated = defineEndpoint({
  ...CHANGE,
  name: 'UNPIN_MESSAGE_DEPRECATED',
  summary: 'Unpin a message via the earlier route.',
  method: 'DELETE',
  path: OLD_ROUTE,
  platformErrors: UNPINNING,
  deprecated: 'UNPIN_MESSAGE',
})
