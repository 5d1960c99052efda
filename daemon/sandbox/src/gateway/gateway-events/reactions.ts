/** Events of reactions, for users who see the channel. */
import type { StoredReaction } from '../../store/guild-item-records.ts'
import type { Change } from '../../store/store.ts'
import { canSee, hasIntents, isVisible } from '../viewer.ts'
import { type ChangeMapper, type EventContext, type GatewayEvent, NO_EVENTS } from './event-mapper.ts'

/** An emoji as a path names it: a character, or name and id. */
function emojiOf(text: string): object {
  const [name = '', id] = text.split(':')
  return { id: id ?? null, name }
}

/** The emoji of the message that one commit removed. More than one: all reactions are gone. */
const removedWith = (all: readonly Change[], { platform }: EventContext, messageId: string): readonly string[] =>
  all.flatMap(({ kind, before, after }) => {
    const reaction = kind === platform.store.reactions.kind && after === undefined ? (before as StoredReaction) : undefined
    return reaction?.messageId === messageId ? [reaction.emoji] : []
  })

export const mapReaction: ChangeMapper<StoredReaction> = ({ before, after, all }, world) => {
  const { store } = world.platform
  const reaction = after ?? before
  const message = store.channelMessages.get(reaction?.messageId ?? '')
  const channel = store.channels.get(message?.channelId ?? '')
  const guild = store.guilds.get(channel?.guildId ?? '')
  if (reaction === undefined || message === undefined || channel === undefined || guild === undefined) return undefined
  const place = { channel_id: channel.id, message_id: message.id, guild_id: guild.id }
  const emoji = emojiOf(reaction.emoji)
  const removed = removedWith(all, world, message.id)
  // One event for all of them.
  if (removed.length > 1 && removed[0] !== reaction.emoji) return undefined
  const events = eventsOf(before?.userIds ?? [], after?.userIds ?? [], { place, emoji, isAll: removed.length > 1 })
  return (viewer) =>
    isVisible(viewer, guild) && hasIntents(viewer, 'GUILD_MESSAGE_REACTIONS') && canSee(world.platform, viewer, guild, channel)
      ? events
      : NO_EVENTS
}

interface About {
  readonly place: object
  readonly emoji: object
  readonly isAll: boolean
}

/** Several users lose a reaction at once only when it is removed as a whole. */
function eventsOf(had: readonly string[], has: readonly string[], { place, emoji, isAll }: About): readonly GatewayEvent[] {
  const come = has.filter((id) => !had.includes(id))
  const gone = had.filter((id) => !has.includes(id))
  const one = (t: string) => (user_id: string) => ({ t, d: { ...place, user_id, emoji, burst: false, type: 0 } })
  if (isAll) return [{ t: 'MESSAGE_REACTION_REMOVE_ALL', d: place }]
  if (gone.length > 1) return [{ t: 'MESSAGE_REACTION_REMOVE_EMOJI', d: { ...place, emoji } }]
  return [...come.map(one('MESSAGE_REACTION_ADD')), ...gone.map(one('MESSAGE_REACTION_REMOVE'))]
}
