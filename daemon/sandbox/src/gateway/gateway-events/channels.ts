/** Events of channels: created, updated, visible, hidden and deleted; their voice states, voice status and start time. */
import { voiceStateView } from '../../api/voice-states.ts'
import { CHANNEL_TYPES } from '../../seed/world.ts'
import type { StoredChannel, StoredGuild } from '../../store/records.ts'
import { isVisible, operationFor, canSee, visibleChannel, type Viewer, hasIntents } from '../viewer.ts'
import { isSame, NO_EVENTS, type ChangeMapper, type GatewayEvent, type EventContext } from './event-mapper.ts'

/** Unix seconds when the first member joined the voice channel. */
export const startSeconds = ({ voiceStartedAt }: StoredChannel): number | null =>
  voiceStartedAt == null ? null : Math.floor(voiceStartedAt / 1000)

export const mapChannel: ChangeMapper<StoredChannel> = ({ before, after }, world) => {
  const guild = world.platform.store.guilds.get((after ?? before)?.guildId ?? '')
  if (guild === undefined) return undefined
  return (viewer) => {
    if (!isVisible(viewer, guild)) return NO_EVENTS
    const voice =
      before === undefined || after === undefined
        ? NO_EVENTS
        : [...voiceChannelEvents(world, viewer, guild, before, after), ...voiceStateEvents(world, viewer, guild, before, after)]
    return [...channelEvents(world, viewer, guild, before, after), ...voice]
  }
}

/** A channel that becomes visible is sent in full; one that becomes hidden is sent in its hidden form. */
function channelEvents(
  { platform }: EventContext,
  viewer: Viewer,
  guild: StoredGuild,
  before: StoredChannel | undefined,
  after: StoredChannel | undefined,
): readonly GatewayEvent[] {
  if (!hasIntents(viewer, 'GUILDS')) return NO_EVENTS
  const was = before === undefined ? undefined : visibleChannel(platform, viewer, guild, before)
  const is = after === undefined ? undefined : visibleChannel(platform, viewer, guild, after)
  if (isSame(was, is)) return NO_EVENTS
  const t = was === undefined ? 'CHANNEL_CREATE' : is === undefined ? 'CHANNEL_DELETE' : 'CHANNEL_UPDATE'
  return [{ t, d: is ?? was }]
}

function voiceChannelEvents(
  { platform }: EventContext,
  viewer: Viewer,
  guild: StoredGuild,
  before: StoredChannel,
  after: StoredChannel,
): readonly GatewayEvent[] {
  if (!hasIntents(viewer, 'GUILDS') || !canSee(platform, viewer, guild, after)) return NO_EVENTS
  const place = { id: after.id, guild_id: guild.id }
  const startedAt = startSeconds(after)
  return [
    ...(before.voiceStatus === after.voiceStatus
      ? NO_EVENTS
      : [{ t: 'VOICE_CHANNEL_STATUS_UPDATE', d: { ...place, status: after.voiceStatus } }]),
    ...(startSeconds(before) === startedAt
      ? NO_EVENTS
      : [{ t: 'VOICE_CHANNEL_START_TIME_UPDATE', d: { ...place, voice_start_time: startedAt } }]),
  ]
}

/** A move within the guild sends one event, from the new channel. */
function voiceStateEvents(
  { platform }: EventContext,
  viewer: Viewer,
  guild: StoredGuild,
  before: StoredChannel,
  after: StoredChannel,
): readonly GatewayEvent[] {
  if (!hasIntents(viewer, 'GUILD_VOICE_STATES')) return NO_EVENTS
  const bot = viewer.caller.applicationId
  const inside = ({ connectedUsers, botsConnected }: StoredChannel) => [...connectedUsers, ...(botsConnected ? [bot] : [])]
  const had = inside(before)
  const has = inside(after)
  const elsewhere = new Set(platform.store.channels.group(guild.id).flatMap((one) => (one.type === CHANNEL_TYPES.voice ? inside(one) : [])))
  const operation = operationFor(platform, viewer)
  const state = (channelId: string | null) => (id: string) => ({
    t: 'VOICE_STATE_UPDATE',
    d: voiceStateView(operation, guild, channelId, id),
  })
  return [
    ...had.filter((id) => !has.includes(id) && !elsewhere.has(id)).map(state(null)),
    ...has.filter((id) => !had.includes(id)).map(state(after.id)),
  ]
}
