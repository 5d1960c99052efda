/** Channel list of a guild in client order, and the obfuscated form of a hidden channel. */
import { PERMISSIONS } from '../permissions.ts'
import { CHANNEL_OBFUSCATED, type Channel } from '../records/channel.ts'
import { compareIds } from '../schema/snowflake.ts'
import { isInEffect } from '../versions.ts'

const CATEGORY = 4
/** Voice and stage channels are listed after the other channels of their category. */
const SPOKEN: readonly number[] = [2, 13]

const rank = ({ type }: Channel): number => (SPOKEN.includes(type) ? 1 : 0)
const byPlace = (a: Channel, b: Channel): number => rank(a) - rank(b) || (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id)

/**
 * Sorts channels in the order of the client: first the channels without a category, then each category by position with its channels.
 * Within a category: text before voice, then by position, then by age. A channel whose category is not in the list, because the
 * caller cannot view it, counts as a channel without a category.
 */
export function inClientOrder<C extends Channel>(channels: readonly C[]): C[] {
  const categories = channels.filter(({ type }) => type === CATEGORY).toSorted(byPlace)
  const known = new Set(categories.map(({ id }) => id))
  const byParent = Map.groupBy(
    channels.filter(({ type }) => type !== CATEGORY),
    ({ parent_id: parent }) => (parent != null && known.has(parent) ? parent : undefined),
  )
  const under = (parent: string | undefined): C[] => (byParent.get(parent) ?? []).toSorted(byPlace)
  return [...under(undefined), ...categories.flatMap((category) => [category, ...under(category.id)])]
}

const isObfuscated = ({ flags }: Channel): boolean => ((flags ?? 0) & CHANNEL_OBFUSCATED) !== 0

/** Returns the channel list for `now` (ms since the epoch); hidden channels are omitted from the day of `hidden-channels-omitted`. */
export const listedChannels = <C extends Channel>(channels: readonly C[], now: number): C[] =>
  inClientOrder(isInEffect('hidden-channels-omitted', now) ? channels.filter((channel) => !isObfuscated(channel)) : channels)

const HIDDEN_NAME = '___hidden___'

/** Returns the form of a channel for a caller without VIEW_CHANNEL: id, type, position and the obfuscation flag. */
export const obfuscatedChannel = (channel: Channel, guildId: string): Channel => ({
  id: channel.id,
  type: channel.type,
  guild_id: guildId,
  name: HIDDEN_NAME,
  position: channel.position ?? 0,
  parent_id: channel.parent_id ?? null,
  flags: (channel.flags ?? 0) | CHANNEL_OBFUSCATED,
  topic: null,
  last_message_id: null,
  // The @everyone role has the id of the guild.
  permission_overwrites: [{ id: guildId, type: 0, allow: '0', deny: PERMISSIONS.VIEW_CHANNEL.bit.toString() }],
})
