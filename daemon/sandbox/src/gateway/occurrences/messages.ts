/** Messages: of channels, for those who see them; direct ones, for the two who write to each other. */
import type { Message } from '@sallyport/protocol'
import { ANSWER_FLAGS } from '../../api/interaction-messages.ts'
import { memberView } from '../../api/members.ts'
import { messageView } from '../../api/message-view.ts'
import { DIRECT_CHANNEL, userMessageNews } from '../../api/user-messages.ts'
import { isoTime } from '../../api/wire-time.ts'
import { messageChange } from '../../store/message-change.ts'
import type { StoredChannelMessage, StoredGuild } from '../../store/records.ts'
import type { StoredUserMessage } from '../../store/user-messages.ts'
import { isTold, operationFor, sees, type Viewer, wants } from '../viewer.ts'
import { isSame, NOTHING, type Occurrence, type Told, type World } from './told.ts'

export const ofChannelMessage: Occurrence<StoredChannelMessage> = ({ before, after }, world) => {
  const { store } = world.platform
  const message = after ?? before
  const channel = store.channels.get(message?.channelId ?? '')
  const guild = store.guilds.get(channel?.guildId ?? '')
  // What only one person sees comes as the answer to an interaction, not by the gateway.
  if (message === undefined || channel === undefined || guild === undefined || (message.flags & ANSWER_FLAGS.ephemeral) !== 0)
    return undefined
  const place = { channel_id: channel.id, guild_id: guild.id }
  const arePinsNew = before?.pinnedAt !== after?.pinnedAt && (before?.pinnedAt ?? after?.pinnedAt ?? null) !== null
  return (viewer) => {
    if (!isTold(viewer, guild) || !sees(viewer, guild, channel)) return NOTHING
    const pins = { t: 'CHANNEL_PINS_UPDATE', d: { ...place, last_pin_timestamp: lastPin(world, channel.id) } }
    return [
      ...(wants(viewer, 'GUILD_MESSAGES') ? messageTold(world, viewer, guild, before, after) : NOTHING),
      ...(arePinsNew && wants(viewer, 'GUILDS') ? [pins] : NOTHING),
    ]
  }
}

function messageTold(
  { platform }: World,
  viewer: Viewer,
  guild: StoredGuild,
  before: StoredChannelMessage | undefined,
  after: StoredChannelMessage | undefined,
): readonly Told[] {
  if (after === undefined)
    return before === undefined
      ? NOTHING
      : [{ t: 'MESSAGE_DELETE', d: { id: before.id, channel_id: before.channelId, guild_id: guild.id } }]
  const view = messageView(platform, after)
  if (before !== undefined && isSame(messageView(platform, before), view)) return NOTHING
  const member = isMember(viewer, guild, after.authorId) ? memberOf(platform, viewer, guild, after.authorId) : {}
  const d = { ...readable(viewer, after, view), ...member, guild_id: guild.id }
  return [{ t: before === undefined ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE', d }]
}

const isMember = ({ party }: Viewer, guild: StoredGuild, id: string): boolean =>
  guild.members[id] !== undefined || id === party.applicationId

/** Without the user, whom the message names as its author. */
function memberOf(platform: World['platform'], viewer: Viewer, guild: StoredGuild, id: string): object {
  const { user: _, ...member } = memberView(operationFor(platform, viewer), guild, id)
  return { member }
}

/** What a bot may read without the intent for it: its own messages, and those that mention it. */
function readable(viewer: Viewer, message: StoredChannelMessage, view: Message): Message {
  const { id } = viewer.party
  if (wants(viewer, 'MESSAGE_CONTENT') || message.authorId === id || message.mentionedIds.includes(id)) return view
  const { poll: _, ...rest } = view
  return { ...rest, content: '', embeds: [], attachments: [], components: [] }
}

function lastPin({ platform: { store } }: World, channelId: string): string | null {
  const times = store.channelMessages.group(channelId).flatMap(({ pinnedAt }) => pinnedAt ?? [])
  return times.length === 0 ? null : isoTime(Math.max(...times))
}

export const ofUserMessage: Occurrence<StoredUserMessage> = (step, { platform }) => {
  const message = step.after ?? step.before
  const change = messageChange(platform.store.userMessages.kind, step)
  if (message === undefined || change === undefined) return undefined
  const news = userMessageNews(platform, message)
  const { id, channel_id } = news
  const told: Told = { t: `MESSAGE_${change}`, d: change === 'DELETE' ? { id, channel_id } : { ...news, channel_type: DIRECT_CHANNEL } }
  return ({ party, shard }) =>
    shard.id === 0 && party.kind === 'user' && [message.authorId, message.recipientId].includes(party.id) ? [told] : NOTHING
}
