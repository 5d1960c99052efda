/** Channels: come, changed, shown, hidden and gone; who is in them, what stands over them, and since when. */
import { voiceStateView } from '../../api/voice-states.ts'
import { CHANNEL_TYPES } from '../../seed/world.ts'
import type { StoredChannel, StoredGuild } from '../../store/records.ts'
import { isTold, operationFor, sees, toldChannel, type Viewer, wants } from '../viewer.ts'
import { isSame, NOTHING, type Occurrence, type Told, type World } from './told.ts'

/** Unix seconds, as the gateway tells when a voice channel was first joined. */
export const startSeconds = ({ voiceStartedAt }: StoredChannel): number | null =>
  voiceStartedAt == null ? null : Math.floor(voiceStartedAt / 1000)

export const ofChannel: Occurrence<StoredChannel> = ({ before, after }, world) => {
  const guild = world.platform.store.guilds.get((after ?? before)?.guildId ?? '')
  if (guild === undefined) return undefined
  return (viewer) => {
    if (!isTold(viewer, guild)) return NOTHING
    const voice =
      before === undefined || after === undefined
        ? NOTHING
        : [...voiceTold(viewer, guild, before, after), ...statesTold(world, viewer, guild, before, after)]
    return [...channelTold(world, viewer, guild, before, after), ...voice]
  }
}

/** A channel that comes into sight is told in full, one that goes out of it in the form of hidden ones. */
function channelTold(
  { platform }: World,
  viewer: Viewer,
  guild: StoredGuild,
  before: StoredChannel | undefined,
  after: StoredChannel | undefined,
): readonly Told[] {
  if (!wants(viewer, 'GUILDS')) return NOTHING
  const was = before === undefined ? undefined : toldChannel(platform, viewer, guild, before)
  const is = after === undefined ? undefined : toldChannel(platform, viewer, guild, after)
  if (isSame(was, is)) return NOTHING
  const t = was === undefined ? 'CHANNEL_CREATE' : is === undefined ? 'CHANNEL_DELETE' : 'CHANNEL_UPDATE'
  return [{ t, d: is ?? was }]
}

function voiceTold(viewer: Viewer, guild: StoredGuild, before: StoredChannel, after: StoredChannel): readonly Told[] {
  if (!wants(viewer, 'GUILDS') || !sees(viewer, guild, after)) return NOTHING
  const place = { id: after.id, guild_id: guild.id }
  const startedAt = startSeconds(after)
  return [
    ...(before.voiceStatus === after.voiceStatus
      ? NOTHING
      : [{ t: 'VOICE_CHANNEL_STATUS_UPDATE', d: { ...place, status: after.voiceStatus } }]),
    ...(startSeconds(before) === startedAt
      ? NOTHING
      : [{ t: 'VOICE_CHANNEL_START_TIME_UPDATE', d: { ...place, voice_start_time: startedAt } }]),
  ]
}

/** Whoever moved on to another channel of the guild is told of once, by that one. */
function statesTold({ platform }: World, viewer: Viewer, guild: StoredGuild, before: StoredChannel, after: StoredChannel): readonly Told[] {
  if (!wants(viewer, 'GUILD_VOICE_STATES')) return NOTHING
  const bot = viewer.party.applicationId
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
