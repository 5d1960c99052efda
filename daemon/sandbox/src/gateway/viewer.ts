/** Whom a gateway session speaks for, and what of the world it is told: guilds by membership and shard, channels by permission, events by intent. */
import {
  type Channel,
  GATEWAY_CAPABILITIES,
  GATEWAY_INTENTS,
  type GatewayIntentName,
  holdsOn,
  obfuscatedChannel,
} from '@sallyport/protocol'
import type { BotCaller, UserCaller } from '../api/caller.ts'
import { channelView } from '../api/guilds.ts'
import type { Operation } from '../api/handlers.ts'
import { channelPermissions, guildPermissions, holds } from '../api/permissions.ts'
import type { Platform } from '../platform.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { StoredChannel, StoredGuild } from '../store/records.ts'

/** `authorizationId`: the sign-in of a user, with which the session ends. */
export type Party = BotCaller | (UserCaller & { readonly authorizationId: string })

export interface Shard {
  readonly id: number
  readonly count: number
}

export interface Viewer {
  readonly party: Party
  /** Bits of Identify; they decide for bots only. */
  readonly intents: number
  /** Bits of Identify. */
  readonly capabilities: number
  readonly shard: Shard
}

export const WHOLE: Shard = { id: 0, count: 1 }

export const operationFor = (platform: Platform, { party }: Viewer): Operation => ({ platform, caller: party, files: [] })

/** Intents choose what bots are told; a user is told of everything that is theirs. */
export const wants = ({ party, intents }: Viewer, ...names: readonly GatewayIntentName[]): boolean =>
  party.kind === 'user' || names.every((name) => (intents & GATEWAY_INTENTS[name]) !== 0)

/** Whether the viewer is told of this guild at all: it is a member, and the guild falls to its shard. */
export const isTold = (viewer: Viewer, guild: StoredGuild): boolean =>
  guildPermissions(guild, viewer.party) !== undefined && shardOf(guild.id, viewer.shard.count) === viewer.shard.id

const shardOf = (guildId: string, count: number): number => Number((BigInt(guildId) >> 22n) % BigInt(count))

/** What belongs to no guild falls to the first shard. */
export const isTheirs = ({ party, shard }: Viewer, applicationId: string, userId: string | undefined): boolean =>
  shard.id === 0 && party.applicationId === applicationId && (party.kind === 'bot' || party.id === userId)

export const guildsOf = ({ store }: Platform, viewer: Viewer): StoredGuild[] => store.guilds.all().filter((guild) => isTold(viewer, guild))

/** Whoever stands connected to a voice channel sees it, whatever the permissions say. */
export function sees({ party }: Viewer, guild: StoredGuild, channel: StoredChannel): boolean {
  if (holds(channelPermissions(guild, channel, party), 'VIEW_CHANNEL')) return true
  if (channel.type !== CHANNEL_TYPES.voice) return false
  return party.kind === 'bot' ? channel.botsConnected : channel.connectedUsers.includes(party.id)
}

/** The channel as the viewer is told of it: without what it says when it is hidden, and the session, its application or the day wants that. */
export function toldChannel({ store, clock }: Platform, viewer: Viewer, guild: StoredGuild, channel: StoredChannel): Channel {
  const view = channelView(channel)
  const obfuscates =
    (viewer.capabilities & GATEWAY_CAPABILITIES.CHANNEL_OBFUSCATION) !== 0 ||
    store.applications.get(viewer.party.applicationId)?.obfuscatesPrivateChannels === true ||
    holdsOn('hidden-channels-omitted', clock.now())
  return obfuscates && !sees(viewer, guild, channel) ? obfuscatedChannel(view, guild.id) : view
}
