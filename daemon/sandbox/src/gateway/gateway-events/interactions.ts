/** The event of an interaction, for the bot of its application. */
import type { Interaction } from '@sallyport/protocol'
import { shardOf } from '../viewer.ts'
import { type EventMapper, NO_EVENTS } from './event-mapper.ts'

/** A bot receives it with any intents, on the shard of the guild, also where it is no member; outside guilds on the first shard. */
export const interactionMapper =
  (interaction: Interaction): EventMapper =>
  ({ caller, shard }) => {
    const { application_id: applicationId, guild_id: guildId } = interaction
    const shardId = guildId === undefined ? 0 : shardOf(guildId, shard.count)
    return caller.kind === 'bot' && caller.applicationId === applicationId && shard.id === shardId
      ? [{ t: 'INTERACTION_CREATE', d: interaction }]
      : NO_EVENTS
  }
