/** Stickers: those of guilds, and one pack of the platform. */
import { LIMITS, type Sticker, type StickerPack } from '@sallyport/protocol'
import { type ReceivedFile, reply, type RouteHandler } from '../http/exchange.ts'
import { PlatformError } from '../platform-error.ts'
import type { StoredSticker } from '../store/guild-item-records.ts'
import { guildFor } from './access.ts'
import { GuildItems } from './guild-items.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { personView } from './user-view.ts'

const TYPES = { standard: 1, guild: 2 } as const
const FORMATS: ReadonlyMap<string, number> = new Map([
  ['image/png', 1],
  ['application/json', 3],
  ['image/gif', 4],
])

/** The only pack of the sandbox. Like default sounds, it has small ids. */
const PACK: StickerPack = {
  id: '100',
  sku_id: '101',
  name: 'Sea Signals',
  description: 'Flags of a harbour.',
  stickers: ['⚓', '🚩', '🛟'].map((tags, index) => ({
    id: String(index + 1),
    name: ['Anchor', 'Flag', 'Buoy'][index] ?? '',
    tags,
    type: TYPES.standard,
    format_type: 1,
    description: null,
    pack_id: '100',
    sort_value: index,
  })),
}

const stickers = new GuildItems<StoredSticker>({
  collection: (store) => store.stickers,
  unknown: 'unknownSticker',
  createPermission: 'CREATE_GUILD_EXPRESSIONS',
  managePermission: 'MANAGE_GUILD_EXPRESSIONS',
  checkRoom(others) {
    if (others.length >= LIMITS.guildStickers.value) throw new PlatformError('tooManyStickers')
  },
  audit: 'STICKER',
})

export function stickerView(
  { platform, caller }: Operation,
  { id, name, tags, description, format, guildId, creatorId }: StoredSticker,
): Sticker {
  const user = personView(platform, caller.applicationId, creatorId)
  return {
    id,
    name,
    tags,
    type: TYPES.guild,
    format_type: format,
    description,
    available: true,
    guild_id: guildId,
    ...(user === undefined ? {} : { user }),
  }
}

export const listStickerPacks: RouteHandler = () => reply.json(200, { sticker_packs: [PACK] })

const getStickerPack: Handler<'GET_STICKER_PACK'> = ({ pack_id }) => {
  if (pack_id !== PACK.id) throw new PlatformError('unknownStickerPack')
  return PACK
}

const getSticker: Handler<'GET_STICKER'> = ({ sticker_id }, operation) => {
  const standard = PACK.stickers.find(({ id }) => id === sticker_id)
  if (standard !== undefined) return standard
  const stored = operation.platform.store.stickers.get(sticker_id)
  if (stored === undefined) throw new PlatformError('unknownSticker')
  guildFor(operation, stored.guildId)
  return stickerView(operation, stored)
}

const listGuildStickers: Handler<'LIST_GUILD_STICKERS'> = ({ guild_id }, operation) =>
  stickers.list(operation, guild_id).map((one) => stickerView(operation, one))

const getGuildSticker: Handler<'GET_GUILD_STICKER'> = ({ guild_id, sticker_id }, operation) =>
  stickerView(operation, stickers.get(operation, guild_id, sticker_id))

/** Throws invalidAsset for a file of another kind, and for one that is too large. */
function formatOf(file: ReceivedFile | undefined): number {
  const format = FORMATS.get(file?.contentType ?? '')
  if (file === undefined || format === undefined || file.bytes.length > LIMITS.stickerBytes.value) throw new PlatformError('invalidAsset')
  return format
}

const createGuildSticker: Handler<'CREATE_GUILD_STICKER'> = (args, operation) => {
  const { name, tags, description = null } = args
  const values = { name, tags, description, format: formatOf(operation.files[0]) }
  return stickerView(operation, stickers.create(operation, args.guild_id, values, args.audit_log_reason))
}

const modifyGuildSticker: Handler<'MODIFY_GUILD_STICKER'> = (args, operation) => {
  const change = (one: StoredSticker): StoredSticker => ({
    ...one,
    name: args.name ?? one.name,
    tags: args.tags ?? one.tags,
    description: args.description === undefined ? one.description : args.description,
  })
  return stickerView(operation, stickers.modify(operation, args.guild_id, args.sticker_id, change, args.audit_log_reason))
}

const deleteGuildSticker: Handler<'DELETE_GUILD_STICKER'> = ({ guild_id, sticker_id, audit_log_reason: reason }, operation) =>
  stickers.delete(operation, guild_id, sticker_id, reason)

export const stickerHandlers = {
  CREATE_GUILD_STICKER: createGuildSticker,
  DELETE_GUILD_STICKER: deleteGuildSticker,
  GET_GUILD_STICKER: getGuildSticker,
  GET_STICKER: getSticker,
  GET_STICKER_PACK: getStickerPack,
  LIST_GUILD_STICKERS: listGuildStickers,
  MODIFY_GUILD_STICKER: modifyGuildSticker,
} satisfies Partial<Handlers>
