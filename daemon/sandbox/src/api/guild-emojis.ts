/** Emoji of guilds. */
import { type Emoji, LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { StoredGuildEmoji } from '../store/guild-item-records.ts'
import { GuildItems } from './guild-items.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { isAnimated } from './images.ts'
import { personView } from './user-view.ts'

/** Static and animated emoji have a limit each. */
const emojis = new GuildItems<StoredGuildEmoji>({
  collection: ({ guildEmojis }) => guildEmojis,
  unknown: 'unknownEmoji',
  createPermission: 'CREATE_GUILD_EXPRESSIONS',
  managePermission: 'MANAGE_GUILD_EXPRESSIONS',
  checkRoom(others, { animated }) {
    if (others.filter((one) => one.animated === animated).length >= LIMITS.guildEmoji.value) throw new PlatformError('tooManyEmoji')
  },
  audit: 'EMOJI',
})

export function emojiView({ platform, caller }: Operation, { id, name, animated, roleIds, creatorId }: StoredGuildEmoji): Emoji {
  const user = personView(platform, caller.applicationId, creatorId)
  return {
    id,
    name,
    animated,
    roles: [...roleIds],
    require_colons: true,
    managed: false,
    available: true,
    ...(user === undefined ? {} : { user }),
  }
}

function checkRoles({ platform }: Operation, guildId: string, roleIds: readonly string[]): readonly string[] {
  if (roleIds.some((id) => id !== guildId && platform.store.roles.get(id)?.guildId !== guildId)) throw new PlatformError('unknownRole')
  return roleIds
}

const listGuildEmojis: Handler<'LIST_GUILD_EMOJIS'> = ({ guild_id }, operation) =>
  emojis.list(operation, guild_id).map((one) => emojiView(operation, one))

const getGuildEmoji: Handler<'GET_GUILD_EMOJI'> = ({ guild_id, emoji_id }, operation) =>
  emojiView(operation, emojis.get(operation, guild_id, emoji_id))

const createGuildEmoji: Handler<'CREATE_GUILD_EMOJI'> = ({ guild_id, name, image, roles, audit_log_reason: reason }, operation) => {
  const values = { name, animated: isAnimated(image), roleIds: checkRoles(operation, guild_id, roles ?? []) }
  return emojiView(operation, emojis.create(operation, guild_id, values, reason))
}

const modifyGuildEmoji: Handler<'MODIFY_GUILD_EMOJI'> = ({ guild_id, emoji_id, name, roles, audit_log_reason: reason }, operation) => {
  const change = (one: StoredGuildEmoji): StoredGuildEmoji => ({
    ...one,
    name: name ?? one.name,
    roleIds: roles === undefined ? one.roleIds : checkRoles(operation, guild_id, roles ?? []),
  })
  return emojiView(operation, emojis.modify(operation, guild_id, emoji_id, change, reason))
}

const deleteGuildEmoji: Handler<'DELETE_GUILD_EMOJI'> = ({ guild_id, emoji_id, audit_log_reason: reason }, operation) =>
  emojis.delete(operation, guild_id, emoji_id, reason)

export const guildEmojiHandlers = {
  CREATE_GUILD_EMOJI: createGuildEmoji,
  DELETE_GUILD_EMOJI: deleteGuildEmoji,
  GET_GUILD_EMOJI: getGuildEmoji,
  LIST_GUILD_EMOJIS: listGuildEmojis,
  MODIFY_GUILD_EMOJI: modifyGuildEmoji,
} satisfies Partial<Handlers>
