/** The caller of a gateway session and what it can see: guilds by membership and shard, channels by permission, events by intent. */
import {
  type Channel,
  GATEWAY_CAPABILITIES,
  GATEWAY_INTENTS,
  type GatewayIntentName,
  isInEffect,
  obfuscatedChannel,
} from '@sallyport/protocol'
import type { BotCaller, UserCaller } from '../api/authentication.ts'
import { channelView } from '../api/guilds.ts'
import type { Operation } from '../api/handlers.ts'
import { channelPermissions, holds, isMember, type PermissionSource } from '../api/permissions.ts'
import type { Platform } from '../platform.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { StoredChannel, StoredGuild } from '../store/records.ts'

/** The user or bot of a gateway session. The session ends with the user's sign-in `authorizationId`. */
export type GatewayCaller = BotCaller | (UserCaller & { readonly authorizationId: string })

export interface Shard {
  readonly id: number
  readonly count: number
}

export interface Viewer {
  readonly caller: GatewayCaller
  /** Bits from Identify. They have an effect for bots only. */
  readonly intents: number
  /** Bits of Identify. */
  readonly capabilities: number
  readonly shard: Shard
}

export const SINGLE_SHARD: Shard = { id: 0, count: 1 }

export const operationFor = (platform: Platform, { caller }: Viewer): Operation => ({ platform, caller, files: [] })

/** Whether the viewer receives events of all these intents. Users receive all events. */
export const hasIntents = ({ caller, intents }: Viewer, ...names: readonly GatewayIntentName[]): boolean =>
  caller.kind === 'user' || names.every((name) => (intents & GATEWAY_INTENTS[name]) !== 0)

/** Whether the viewer receives events of this guild: it is a member, and its shard has the guild. */
export const isVisible = ({ caller, shard }: Viewer, guild: StoredGuild): boolean =>
  isMember(guild, caller) && shardOf(guild.id, shard.count) === shard.id

export const shardOf = (guildId: string, count: number): number => Number((BigInt(guildId) >> 22n) % BigInt(count))

/** Whether a record outside guilds belongs to the viewer. Only the first shard receives its events. */
export const belongsTo = ({ caller, shard }: Viewer, applicationId: string, userId: string | undefined): boolean =>
  shard.id === 0 && caller.applicationId === applicationId && (caller.kind === 'bot' || caller.id === userId)

export const guildsOf = ({ store }: Platform, viewer: Viewer): StoredGuild[] =>
  store.guilds.all().filter((guild) => isVisible(viewer, guild))

/** A member who is connected to a voice channel sees it without the permission. */
export function canSee(source: PermissionSource, { caller }: Viewer, guild: StoredGuild, channel: StoredChannel): boolean {
  if (holds(channelPermissions(source, guild, channel, caller), 'VIEW_CHANNEL')) return true
  if (channel.type !== CHANNEL_TYPES.voice) return false
  return caller.kind === 'bot' ? channel.botsConnected : channel.connectedUsers.includes(caller.id)
}

/** The channel as the viewer receives it. Hidden channels can be obfuscated: by capability, application setting or date. */
export function visibleChannel(
  platform: Platform,
  viewer: Viewer,
  guild: StoredGuild,
  channel: StoredChannel,
  /** The roles that decide; default: the current ones. */
  source: PermissionSource = platform,
): Channel {
  const { store, clock } = platform
  const view = channelView(channel)
  const obfuscates =
    (viewer.capabilities & GATEWAY_CAPABILITIES.CHANNEL_OBFUSCATION) !== 0 ||
    store.applications.get(viewer.caller.applicationId)?.obfuscatesPrivateChannels === true ||
    isInEffect('hidden-channels-omitted', clock.now())
  return obfuscates && !canSee(source, viewer, guild, channel) ? obfuscatedChannel(view, guild.id) : view
}
