/** Endpoints for stickers: those of a guild, and the packs of the platform. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Sticker, StickerPack } from '../records/expression.ts'
import { FileInput } from '../records/file.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const STICKERS = { ...BY_BOT, path: '/guilds/{guild_id}/stickers', params: () => ({ guild_id: Snowflake() }) } as const
const STICKER = {
  ...BY_BOT,
  path: '/guilds/{guild_id}/stickers/{sticker_id}',
  params: () => ({ guild_id: Snowflake(), sticker_id: Snowflake() }),
} as const
const Name = once(() => text(LIMITS.expressionNameMin.value, LIMITS.stickerName.value))
const Tags = once(() => text(1, LIMITS.stickerTags.value).meta({ description: 'Words for autocomplete; usually the name of an emoji.' }))
const Description = once(() => text(0, LIMITS.stickerDescription.value))

export const getSticker = defineEndpoint({
  ...BY_BOT,
  name: 'GET_STICKER',
  summary: 'Get a sticker of a guild or of the platform.',
  method: 'GET',
  path: '/stickers/{sticker_id}',
  params: () => ({ sticker_id: Snowflake() }),
  response: Sticker,
  idempotency: 'safe',
  platformErrors: [10060],
})

export const listStickerPacks = defineEndpoint({
  name: 'LIST_STICKER_PACKS',
  summary: 'Get the sticker packs of the platform.',
  method: 'GET',
  path: '/sticker-packs',
  params: () => ({}),
  response: () => tolerant({ sticker_packs: z.array(StickerPack()) }),
  auth: 'none',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})

export const getStickerPack = defineEndpoint({
  ...BY_BOT,
  name: 'GET_STICKER_PACK',
  summary: 'Get a sticker pack of the platform.',
  method: 'GET',
  path: '/sticker-packs/{pack_id}',
  params: () => ({ pack_id: Snowflake() }),
  response: StickerPack,
  idempotency: 'safe',
  platformErrors: [10061],
})

export const listGuildStickers = defineEndpoint({
  ...STICKERS,
  name: 'LIST_GUILD_STICKERS',
  summary: 'Get the stickers of a guild.',
  method: 'GET',
  response: () => z.array(Sticker()),
  idempotency: 'safe',
  platformErrors: [10004, 50001],
})

export const getGuildSticker = defineEndpoint({
  ...STICKER,
  name: 'GET_GUILD_STICKER',
  summary: 'Get a sticker of a guild.',
  method: 'GET',
  response: Sticker,
  idempotency: 'safe',
  platformErrors: [10004, 10060, 50001],
})

export const createGuildSticker = defineEndpoint({
  ...STICKERS,
  name: 'CREATE_GUILD_STICKER',
  summary: `Add a sticker to a guild: a PNG, APNG, GIF or Lottie file of 320 by 320 pixels, at most ${LIMITS.stickerBytes.value} bytes.`,
  method: 'POST',
  body: () => ({ name: Name(), tags: Tags(), description: Description().nullish(), file: FileInput() }),
  upload: {
    argument: 'file',
    isList: false,
    contentType: 'image/png',
    fileLimit: 'stickerBytes',
    asFields: true,
  },
  response: Sticker,
  success: [201],
  permissions: ['CREATE_GUILD_EXPRESSIONS'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10004, 30039, 50001, 50013, 50035, 50045],
})

export const modifyGuildSticker = defineEndpoint({
  ...STICKER,
  name: 'MODIFY_GUILD_STICKER',
  summary: 'Edit a sticker of a guild. For its own stickers, the bot needs only CREATE_GUILD_EXPRESSIONS.',
  method: 'PATCH',
  body: () => ({ name: Name().optional(), tags: Tags().optional(), description: Description().nullish() }),
  response: Sticker,
  permissions: ['MANAGE_GUILD_EXPRESSIONS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10060, 50001, 50013, 50035],
})

export const deleteGuildSticker = defineEndpoint({
  ...STICKER,
  name: 'DELETE_GUILD_STICKER',
  summary: 'Delete a sticker of a guild. For its own stickers, the bot needs only CREATE_GUILD_EXPRESSIONS.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  permissions: ['MANAGE_GUILD_EXPRESSIONS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10060, 50001, 50013],
})
