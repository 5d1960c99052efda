/** Channels of a guild as a client lists them, and the form that a channel has for those who may not see it. */
import { PERMISSIONS } from '../permissions.ts'
import { CHANNEL_OBFUSCATED, type Channel } from '../records/channel.ts'
import { compareIds } from '../schema/snowflake.ts'
import { holdsOn } from '../versions.ts'

const CATEGORY = 4
/** Voice and stage channels stand below all others of their category. */
const SPOKEN: readonly number[] = [2, 13]

const rank = ({ type }: Channel): number => (SPOKEN.includes(type) ? 1 : 0)
const byPlace = (a: Channel, b: Channel): number => rank(a) - rank(b) || (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id)

/**
 * In the order of the client: first the channels without a category, then each category by position with its channels below it.
 * Among siblings those for text come before those for voice, then position decides, then age. A channel whose category is not in
 * the list, since the caller may not see it, stands with those that have none.
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

/** The channel list as it is shown on a day (ms since the epoch): hidden channels are left out once the platform does so. */
export const listedChannels = <C extends Channel>(channels: readonly C[], now: number): C[] =>
  inClientOrder(holdsOn('hidden-channels-omitted', now) ? channels.filter((channel) => !isObfuscated(channel)) : channels)

const HIDDEN_NAME = '___hidden___'

/** What is left of a channel for somebody who lacks VIEW_CHANNEL: that it exists, where it stands, and why nothing more is said. */
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
  // The role of everybody in a guild has the guild's id.
  permission_overwrites: [{ id: guildId, type: 0, allow: '0', deny: PERMISSIONS.VIEW_CHANNEL.bit.toString() }],
})
