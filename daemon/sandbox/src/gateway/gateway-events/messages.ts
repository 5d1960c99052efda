/** Events of messages: in channels for users who see them; direct messages for both users. */
import type { Message } from '@sallyport/protocol'
import { RESPONSE_FLAGS } from '../../api/interaction-messages.ts'
import { memberView } from '../../api/members.ts'
import { isAbout, withoutContent } from '../../api/message-content.ts'
import { messageView } from '../../api/message-view.ts'
import { DIRECT_CHANNEL, userMessageEventData } from '../../api/user-messages.ts'
import { isoTime } from '../../api/wire-time.ts'
import { isBlockedBetween } from '../../social/relationships.ts'
import { messageChange } from '../../store/message-change.ts'
import type { StoredChannelMessage, StoredGuild } from '../../store/records.ts'
import type { StoredUserMessage } from '../../store/user-messages.ts'
import { isVisible, operationFor, canSee, type Viewer, hasIntents } from '../viewer.ts'
import { isSame, NO_EVENTS, type ChangeMapper, type GatewayEvent, type EventContext } from './event-mapper.ts'

export const mapChannelMessage: ChangeMapper<StoredChannelMessage> = ({ before, after }, world) => {
  const { store } = world.platform
  const message = after ?? before
  const channel = store.channels.get(message?.channelId ?? '')
  const guild = store.guilds.get(channel?.guildId ?? '')
  // A message that only one user sees arrives as the interaction response, not via the gateway.
  if (message === undefined || channel === undefined || guild === undefined || (message.flags & RESPONSE_FLAGS.ephemeral) !== 0)
    return undefined
  const place = { channel_id: channel.id, guild_id: guild.id }
  const arePinsNew = before?.pinnedAt !== after?.pinnedAt && (before?.pinnedAt ?? after?.pinnedAt ?? null) !== null
  return (viewer) => {
    if (!isVisible(viewer, guild) || !canSee(world.platform, viewer, guild, channel)) return NO_EVENTS
    const pins = { t: 'CHANNEL_PINS_UPDATE', d: { ...place, last_pin_timestamp: lastPin(world, channel.id) } }
    return [
      ...(hasIntents(viewer, 'GUILD_MESSAGES') ? messageEvents(world, viewer, guild, before, after) : NO_EVENTS),
      ...(arePinsNew && hasIntents(viewer, 'GUILDS') ? [pins] : NO_EVENTS),
    ]
  }
}

function messageEvents(
  { platform }: EventContext,
  viewer: Viewer,
  guild: StoredGuild,
  before: StoredChannelMessage | undefined,
  after: StoredChannelMessage | undefined,
): readonly GatewayEvent[] {
  if (after === undefined)
    return before === undefined
      ? NO_EVENTS
      : [{ t: 'MESSAGE_DELETE', d: { id: before.id, channel_id: before.channelId, guild_id: guild.id } }]
  const view = messageView(platform, after)
  if (before !== undefined && isSame(messageView(platform, before), view)) return NO_EVENTS
  const member = isMember(viewer, guild, after.authorId) ? memberOf(platform, viewer, guild, after.authorId) : {}
  const d = { ...readable(viewer, after, view), ...member, guild_id: guild.id }
  return [{ t: before === undefined ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE', d }]
}

const isMember = ({ caller }: Viewer, guild: StoredGuild, id: string): boolean =>
  guild.members[id] !== undefined || id === caller.applicationId

/** Without the user, because the message has it as its author. */
function memberOf(platform: EventContext['platform'], viewer: Viewer, guild: StoredGuild, id: string): object {
  const { user: _, ...member } = memberView(operationFor(platform, viewer), guild, id)
  return { member }
}

/** The message as a bot without the content intent receives it. Its own messages and its mentions are complete. */
function readable(viewer: Viewer, message: StoredChannelMessage, view: Message): Message {
  const { id } = viewer.caller
  return hasIntents(viewer, 'MESSAGE_CONTENT') || isAbout(message, id) ? view : withoutContent(view)
}

function lastPin({ platform: { store } }: EventContext, channelId: string): string | null {
  const times = store.channelMessages.group(channelId).flatMap(({ pinnedAt }) => pinnedAt ?? [])
  return times.length === 0 ? null : isoTime(Math.max(...times))
}

export const mapUserMessage: ChangeMapper<StoredUserMessage> = (step, { platform }) => {
  const message = step.after ?? step.before
  const change = messageChange(platform.store.userMessages.kind, step)
  if (message === undefined || change === undefined) return undefined
  const data = userMessageEventData(platform, message)
  const { id, channel_id } = data
  const event: GatewayEvent = {
    t: `MESSAGE_${change}`,
    d: change === 'DELETE' ? { id, channel_id } : { ...data, channel_type: DIRECT_CHANNEL },
  }
  const { authorId, recipientId } = message
  const readers = isBlockedBetween(platform, authorId, recipientId) ? [authorId] : [authorId, recipientId]
  return ({ caller, shard }) => (shard.id === 0 && caller.kind === 'user' && readers.includes(caller.id) ? [event] : NO_EVENTS)
}
