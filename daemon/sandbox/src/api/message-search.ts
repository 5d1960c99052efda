/** Search in a guild's messages: an index that must be built first, and a table of filters. */
import { LIMITS } from '@sallyport/protocol'
import { SEARCH_INDEX_MS } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { compareIds } from '../snowflake.ts'
import type { StoredChannelMessage, StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import { checkIntent } from './application-flags.ts'
import { mayIn } from './channel-access.ts'
import type { Handler, Handlers } from './handlers.ts'
import { messageView } from './message-view.ts'

type Filters = Omit<Parameters<Handler<'SEARCH_GUILD_MESSAGES'>>[0], 'guild_id'>

const searchGuildMessages: Handler<'SEARCH_GUILD_MESSAGES'> = ({ guild_id, ...filters }, operation) => {
  const { platform } = operation
  const { store } = platform
  const guild = guildFor(operation, guild_id, 'READ_MESSAGE_HISTORY')
  checkIntent(operation, 'MESSAGE_CONTENT')
  const channels = store.channels.group(guild.id)
  checkIndexed(platform, guild)
  const found = channels
    .filter((channel) => mayIn(operation, channel, 'READ_MESSAGE_HISTORY'))
    .flatMap(({ id }) => store.channelMessages.group(id))
    .filter((message) => passes(message, filters))
    .toSorted(orderOf(filters))
  const { offset = 0, limit = LIMITS.searchPage.value } = filters
  return {
    messages: found.slice(offset, offset + limit).map((message) => [{ ...messageView(platform, message), hit: true }]),
    total_results: found.length,
    doing_deep_historical_index: false,
  }
}

/** The first search starts the index. Until it is ready, searches get an error. */
function checkIndexed({ store, clock }: Platform, guild: StoredGuild): void {
  const now = clock.now()
  const index = store.searchIndexes.get(guild.id) ?? { guildId: guild.id, readyAt: now + SEARCH_INDEX_MS }
  if (index.readyAt <= now) return
  store.commit([store.searchIndexes.put(guild.id, index)])
  throw new PlatformError('indexNotReady', { extra: { documents_indexed: 0, retry_after: Math.ceil((index.readyAt - now) / 1000) } })
}

const filesOf = ({ attachments }: StoredChannelMessage) => attachments ?? []
const hasKind =
  (kind: string) =>
  (message: StoredChannelMessage): boolean =>
    filesOf(message).some(({ contentType }) => contentType.startsWith(kind))

/** The checks of the filter `has`. */
const HAS: Readonly<Record<string, (message: StoredChannelMessage) => boolean>> = {
  file: (message) => filesOf(message).length > 0,
  image: hasKind('image/'),
  sound: hasKind('audio/'),
  video: hasKind('video/'),
  link: ({ content }) => /https?:\/\//.test(content),
  embed: ({ embeds }) => embeds.length > 0,
  sticker: ({ stickerIds }) => stickerIds.length > 0,
  poll: ({ poll }) => poll !== null,
  snapshot: ({ snapshot }) => snapshot !== null,
}

const has = (message: StoredChannelMessage, name: string): boolean => HAS[name]?.(message) ?? false
const authorType = ({ applicationId }: StoredChannelMessage): string => (applicationId === null ? 'user' : 'bot')

/** Matches any of the plain values, if there are some, and none of those with a minus. */
function agrees(values: readonly string[], holds: (value: string) => boolean): boolean {
  const included = values.filter((value) => !value.startsWith('-'))
  const excluded = values.filter((value) => value.startsWith('-')).map((value) => value.slice(1))
  return (included.length === 0 || included.some(holds)) && !excluded.some(holds)
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

type FilterTable = { readonly [Name in keyof Filters]-?: (message: StoredChannelMessage, value: NonNullable<Filters[Name]>) => boolean }

/** Ordering and paging filters match everything; filters for roles and link previews match nothing, since there are none. */
const FILTERS: FilterTable = {
  content: ({ content }, text) => wordsOf(text).every((word) => content.toLowerCase().includes(word)),
  channel_id: ({ channelId }, ids) => ids.includes(channelId),
  author_id: ({ authorId }, ids) => ids.includes(authorId),
  author_type: (message, types) => agrees(types, (type) => authorType(message) === type),
  mentions: ({ mentionedIds }, ids) => mentionedIds.some((id) => ids.includes(id)),
  mentions_role_id: () => false,
  mention_everyone: (_, included) => !included,
  replied_to_user_id: () => false,
  replied_to_message_id: ({ reference }, ids) => reference?.type === 0 && ids.includes(reference.messageId),
  min_id: ({ id }, min) => compareIds(id, min) > 0,
  max_id: ({ id }, max) => compareIds(id, max) < 0,
  pinned: ({ pinnedAt }, included) => (pinnedAt !== null) === included,
  has: (message, names) => agrees(names, (name) => has(message, name)),
  embed_type: () => false,
  embed_provider: () => false,
  link_hostname: ({ content }, hosts) => hosts.some((host) => content.includes(`://${host}`)),
  attachment_filename: (message, names) => filesOf(message).some(({ filename }) => names.some((name) => filename.includes(name))),
  attachment_extension: (message, ends) => filesOf(message).some(({ filename }) => ends.some((end) => filename.endsWith(`.${end}`))),
  slop: () => true,
  sort_by: () => true,
  sort_order: () => true,
  include_nsfw: () => true,
  limit: () => true,
  offset: () => true,
}

const passes = (message: StoredChannelMessage, filters: Filters): boolean =>
  Object.entries(FILTERS).every(([name, holds]) => {
    const value = filters[name as keyof Filters]
    return value === undefined || (holds as (message: StoredChannelMessage, value: unknown) => boolean)(message, value)
  })

/** By time, newest first by default; by relevance, the most occurrences of the words first. */
function orderOf({ sort_by, sort_order, content = '' }: Filters): (a: StoredChannelMessage, b: StoredChannelMessage) => number {
  const sign = sort_order === 'asc' ? 1 : -1
  const words = wordsOf(content)
  const hits = (message: StoredChannelMessage): number =>
    sort_by === 'relevance' ? words.reduce((sum, word) => sum + message.content.toLowerCase().split(word).length - 1, 0) : 0
  return (a, b) => sign * (hits(a) - hits(b)) || sign * compareIds(a.id, b.id)
}

export const messageSearchHandlers = {
  SEARCH_GUILD_MESSAGES: searchGuildMessages,
} satisfies Partial<Handlers>
