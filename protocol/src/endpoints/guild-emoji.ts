/** Endpoints for the emoji of a guild. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Emoji } from '../records/expression.ts'
import { imageData } from '../schema/data-uri.ts'
import { Snowflake, text } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const EMOJIS = { ...BY_BOT, path: '/guilds/{guild_id}/emojis', params: () => ({ guild_id: Snowflake() }) } as const
const EMOJI = {
  ...BY_BOT,
  path: '/guilds/{guild_id}/emojis/{emoji_id}',
  params: () => ({ guild_id: Snowflake(), emoji_id: Snowflake() }),
} as const
const Name = once(() => text(LIMITS.expressionNameMin.value, LIMITS.expressionNameMax.value))
const Roles = once(() =>
  z.array(Snowflake()).max(LIMITS.emojiRoles.value).nullish().meta({ description: 'Roles that can use it; none: everyone.' }),
)

export const listGuildEmojis = defineEndpoint({
  ...EMOJIS,
  name: 'LIST_GUILD_EMOJIS',
  summary: 'Get the emoji of a guild.',
  method: 'GET',
  response: () => z.array(Emoji()),
  idempotency: 'safe',
  platformErrors: [10004, 50001],
})

export const getGuildEmoji = defineEndpoint({
  ...EMOJI,
  name: 'GET_GUILD_EMOJI',
  summary: 'Get an emoji of a guild.',
  method: 'GET',
  response: Emoji,
  idempotency: 'safe',
  platformErrors: [10004, 10014, 50001],
})

export const createGuildEmoji = defineEndpoint({
  ...EMOJIS,
  name: 'CREATE_GUILD_EMOJI',
  summary: `Add an emoji to a guild. Recommended image size: 128 by 128 pixels; at most ${LIMITS.emojiImageBytes.value} bytes.`,
  method: 'POST',
  body: () => ({ name: Name(), image: imageData(LIMITS.emojiImageBytes), roles: Roles() }),
  response: Emoji,
  success: [201],
  permissions: ['CREATE_GUILD_EXPRESSIONS'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10004, 10011, 30008, 50001, 50013, 50035],
})

export const modifyGuildEmoji = defineEndpoint({
  ...EMOJI,
  name: 'MODIFY_GUILD_EMOJI',
  summary: 'Edit an emoji of a guild. For its own emoji, the bot needs only CREATE_GUILD_EXPRESSIONS.',
  method: 'PATCH',
  body: () => ({ name: Name().optional(), roles: Roles() }),
  response: Emoji,
  permissions: ['MANAGE_GUILD_EXPRESSIONS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10011, 10014, 50001, 50013, 50035],
})

export const deleteGuildEmoji = defineEndpoint({
  ...EMOJI,
  name: 'DELETE_GUILD_EMOJI',
  summary: 'Delete an emoji of a guild. For its own emoji, the bot needs only CREATE_GUILD_EXPRESSIONS.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  permissions: ['MANAGE_GUILD_EXPRESSIONS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10014, 50001, 50013],
})
