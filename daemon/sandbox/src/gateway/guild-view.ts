/** The wire forms of guilds in gateway events: a whole guild, and the part that changes. */
import { countsOf, guildView } from '../api/guild-view.ts'
import { eventView, seesEvent } from '../api/scheduled-events.ts'
import { listGuildSoundboardSounds } from '../api/soundboard.ts'
import { memberView } from '../api/members.ts'
import { voiceStatesOf } from '../api/voice-states.ts'
import { isoTime } from '../api/wire-time.ts'
import type { Platform } from '../platform.ts'
import { snowflakeTime } from '../snowflake.ts'
import { isBlockedBetween } from '../social/relationships.ts'
import type { StoredGuild } from '../store/records.ts'
import { type PresenceRegistry, presenceView } from './presence-registry.ts'
import { operationFor, visibleChannel, type Viewer, hasIntents } from './viewer.ts'

/** The data of GUILD_UPDATE. */
export const guildUpdateView = (platform: Platform, viewer: Viewer, guild: StoredGuild) => ({
  ...guildView(operationFor(platform, viewer), guild),
  ...countsOf(guild),
})

/** All members of the guild: users, and the viewer's own bot. */
export const memberIdsOf = ({ caller }: Viewer, guild: StoredGuild): string[] => [
  ...Object.keys(guild.members),
  ...(guild.botPermissions === null ? [] : [caller.applicationId]),
]

/** The data of GUILD_CREATE. Without the presence intent, a bot receives as members only itself and members in voice channels. */
export function fullGuildView(platform: Platform, viewer: Viewer, guild: StoredGuild, presences: PresenceRegistry) {
  const operation = operationFor(platform, viewer)
  const channels = platform.store.channels.group(guild.id)
  const voiceStates = voiceStatesOf(operation, guild)
  const inVoice = new Set(voiceStates.map(({ user_id }) => user_id))
  const all = memberIdsOf(viewer, guild)
  const seesAll = hasIntents(viewer, 'GUILD_PRESENCES')
  const shown = seesAll ? all : all.filter((id) => id === viewer.caller.id || inVoice.has(id))
  return {
    ...guildUpdateView(platform, viewer, guild),
    joined_at: isoTime(snowflakeTime(guild.id)),
    large: false,
    unavailable: false,
    member_count: Object.keys(guild.members).length,
    voice_states: hasIntents(viewer, 'GUILD_VOICE_STATES') ? voiceStates.map(({ guild_id: _, member: __, ...state }) => state) : [],
    members: shown.map((id) => memberView(operation, guild, id)),
    channels: channels.map((channel) => visibleChannel(platform, viewer, guild, channel)),
    threads: [],
    presences: seesAll ? presencesSeenBy(platform, viewer, all, presences) : [],
    stage_instances: [],
    guild_scheduled_events: platform.store.scheduledEvents
      .group(guild.id)
      .filter((one) => seesEvent(operation, one))
      .map((one) => eventView(operation, one)),
    soundboard_sounds: listGuildSoundboardSounds({ guild_id: guild.id }, operation).items,
  }
}

/** The presences of those who are online, without users whom a block separates from the viewer. */
export const presencesSeenBy = (platform: Platform, { caller }: Viewer, ids: readonly string[], presences: PresenceRegistry) =>
  presencesOf(
    ids.filter((id) => !isBlockedBetween(platform, caller.id, id)),
    presences,
  )

/** The presences of those who are online. */
export const presencesOf = (ids: readonly string[], presences: PresenceRegistry) =>
  ids
    .map((id) => ({ id, presence: presences.of(id) }))
    .flatMap(({ id, presence }) => (presence.status === 'offline' ? [] : [presenceView(id, presence)]))
