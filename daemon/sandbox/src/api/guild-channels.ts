/** Channels of guilds: read, create, modify, move, delete, and their permissions. */
import { type Channel, LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { Write } from '../store/collection.ts'
import type { StoredChannel, StoredOverwrite } from '../store/records.ts'
import { guildFor } from './access.ts'
import { type Audited, auditWrites } from './audit-writes.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { channelView } from './guilds.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'

type GivenOverwrites = Parameters<Handler<'MODIFY_CHANNEL'>>[0]['permission_overwrites']

const overwritten = (given: GivenOverwrites): StoredOverwrite[] =>
  (given ?? []).map(({ id, type, allow = '0', deny = '0' }) => ({ id, type, allow, deny }))

type Settings = Pick<StoredChannel, 'bitrate' | 'userLimit' | 'rtcRegion' | 'videoQualityMode' | 'isForAdults'>
type GivenSettings = Pick<Parameters<Handler<'MODIFY_CHANNEL'>>[0], 'bitrate' | 'user_limit' | 'rtc_region' | 'video_quality_mode' | 'nsfw'>

/** The given settings of a voice channel; null stands for the default. */
const settingsOf = ({
  bitrate,
  user_limit: userLimit,
  rtc_region: rtcRegion,
  video_quality_mode: quality,
  nsfw,
}: GivenSettings): Settings => ({
  ...(bitrate == null ? {} : { bitrate }),
  ...(userLimit == null ? {} : { userLimit }),
  ...(rtcRegion === undefined ? {} : { rtcRegion }),
  ...(quality == null ? {} : { videoQualityMode: quality }),
  ...(nsfw == null ? {} : { isForAdults: nsfw }),
})

/** The channel, for a caller who sees it and has the permission there. */
function channelFor(operation: Operation, channelId: string, ...permissions: ('MANAGE_CHANNELS' | 'MANAGE_ROLES')[]): StoredChannel {
  const channel = operation.platform.store.channels.get(channelId)
  if (channel === undefined) throw new PlatformError('unknownChannel')
  if (!mayIn(operation, channel)) throw new PlatformError('missingAccess')
  if (!mayIn(operation, channel, ...permissions)) throw new PlatformError('missingPermissions')
  return channel
}

/** A category of the guild, or null. */
function parentIn({ platform }: Operation, guildId: string, parentId: string | null): string | null {
  if (parentId === null) return null
  const parent = platform.store.channels.get(parentId)
  if (parent === undefined || parent.guildId !== guildId) throw new PlatformError('unknownChannel')
  if (parent.type !== CHANNEL_TYPES.category) throw new PlatformError('wrongChannelType')
  return parent.id
}

function commit(operation: Operation, guildId: string, writes: readonly Write[], audited: Audited): void {
  operation.platform.store.commit([...writes, ...auditWrites(operation, guildId, audited)])
}

const getChannel: Handler<'GET_CHANNEL_BY_BOT'> = ({ channel_id }, operation) => channelView(channelFor(operation, channel_id))

const createChannel: Handler<'CREATE_GUILD_CHANNEL'> = (args, operation) => {
  const { store, ids } = operation.platform
  const guild = guildFor(operation, args.guild_id, 'MANAGE_CHANNELS')
  const others = store.channels.group(guild.id)
  if (others.length >= LIMITS.guildChannels.value) throw new PlatformError('tooManyChannels')
  const channel: StoredChannel = {
    id: ids.next(),
    guildId: guild.id,
    type: args.type ?? CHANNEL_TYPES.text,
    name: args.name,
    position: args.position ?? others.length,
    parentId: parentIn(operation, guild.id, args.parent_id ?? null),
    topic: args.topic ?? null,
    slowmodeSeconds: args.rate_limit_per_user ?? 0,
    overwrites: overwritten(args.permission_overwrites),
    botsConnected: false,
    connectedUsers: [],
    voiceStatus: null,
    ...settingsOf(args),
  }
  const audited = { event: 'CHANNEL_CREATE', targetId: channel.id, reason: args.audit_log_reason } as const
  commit(operation, guild.id, [store.channels.put(channel.id, channel)], audited)
  return channelView(channel)
}

const modifyChannel: Handler<'MODIFY_CHANNEL'> = (args, operation) => {
  const { store } = operation.platform
  const before = channelFor(operation, args.channel_id, 'MANAGE_CHANNELS')
  const { slowmodeSeconds = 0 } = before
  const after: StoredChannel = {
    ...before,
    name: args.name ?? before.name,
    topic: args.topic === undefined ? before.topic : args.topic,
    position: args.position ?? before.position,
    parentId: args.parent_id === undefined ? before.parentId : parentIn(operation, before.guildId, args.parent_id),
    slowmodeSeconds: args.rate_limit_per_user === undefined ? slowmodeSeconds : (args.rate_limit_per_user ?? 0),
    overwrites: args.permission_overwrites === undefined ? before.overwrites : overwritten(args.permission_overwrites),
    ...settingsOf(args),
  }
  const audited = { event: 'CHANNEL_UPDATE', targetId: after.id, reason: args.audit_log_reason } as const
  commit(operation, after.guildId, [store.channels.put(after.id, after)], audited)
  return channelView(after)
}

const deleteChannel: Handler<'DELETE_CHANNEL'> = ({ channel_id, audit_log_reason: reason }, operation): Channel => {
  const { store } = operation.platform
  const channel = channelFor(operation, channel_id, 'MANAGE_CHANNELS')
  const children = store.channels.group(channel.guildId).filter(({ parentId }) => parentId === channel.id)
  const writes = [
    ...children.map((child) => store.channels.put(child.id, { ...child, parentId: null })),
    ...store.channelMessages.group(channel.id).map(({ id }) => store.channelMessages.delete(id)),
    ...store.invites.group(channel.id).map(({ code }) => store.invites.delete(code)),
    store.channels.delete(channel.id),
  ]
  commit(operation, channel.guildId, writes, { event: 'CHANNEL_DELETE', targetId: channel.id, reason })
  return channelView(channel)
}

const modifyPositions: Handler<'MODIFY_GUILD_CHANNEL_POSITIONS'> = ({ guild_id, channels, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'MANAGE_CHANNELS')
  const writes = channels.map(({ id, position, parent_id }) => {
    const channel = store.channels.get(id)
    if (channel === undefined || channel.guildId !== guild.id) throw new PlatformError('unknownChannel')
    const parentId = parent_id === undefined ? channel.parentId : parentIn(operation, guild.id, parent_id)
    return store.channels.put(id, { ...channel, position: position ?? channel.position, parentId })
  })
  commit(operation, guild.id, writes, { event: 'CHANNEL_UPDATE', targetId: channels[0]?.id ?? null, reason })
  return null
}

const editPermissions: Handler<'EDIT_CHANNEL_PERMISSIONS'> = ({ channel_id, overwrite_id: id, type, ...args }, operation) => {
  const { store } = operation.platform
  const channel = channelFor(operation, channel_id, 'MANAGE_ROLES')
  const isNew = channel.overwrites.every((one) => one.id !== id)
  const overwrite = { id, type, allow: args.allow ?? '0', deny: args.deny ?? '0' }
  const overwrites = [...channel.overwrites.filter((one) => one.id !== id), overwrite]
  commit(operation, channel.guildId, [store.channels.put(channel.id, { ...channel, overwrites })], {
    event: isNew ? 'CHANNEL_OVERWRITE_CREATE' : 'CHANNEL_OVERWRITE_UPDATE',
    targetId: channel.id,
    options: { id, type: String(type) },
    reason: args.audit_log_reason,
  })
  return null
}

const deletePermission: Handler<'DELETE_CHANNEL_PERMISSION'> = ({ channel_id, overwrite_id, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const channel = channelFor(operation, channel_id, 'MANAGE_ROLES')
  const found = channel.overwrites.find(({ id }) => id === overwrite_id)
  if (found === undefined) throw new PlatformError('unknownOverwrite')
  const overwrites = channel.overwrites.filter((one) => one !== found)
  const options = { id: found.id, type: String(found.type) }
  commit(operation, channel.guildId, [store.channels.put(channel.id, { ...channel, overwrites })], {
    event: 'CHANNEL_OVERWRITE_DELETE',
    targetId: channel.id,
    options,
    reason,
  })
  return null
}

/** The sandbox shows no typing; it only checks whether the caller may write there. */
const triggerTyping: Handler<'TRIGGER_TYPING_INDICATOR'> = ({ channel_id }, operation) => {
  textChannelFor(operation, channel_id, 'SEND_MESSAGES')
  return null
}

export const guildChannelHandlers = {
  CREATE_GUILD_CHANNEL: createChannel,
  DELETE_CHANNEL: deleteChannel,
  DELETE_CHANNEL_PERMISSION: deletePermission,
  EDIT_CHANNEL_PERMISSIONS: editPermissions,
  GET_CHANNEL_BY_BOT: getChannel,
  MODIFY_CHANNEL: modifyChannel,
  MODIFY_GUILD_CHANNEL_POSITIONS: modifyPositions,
  TRIGGER_TYPING_INDICATOR: triggerTyping,
} satisfies Partial<Handlers>
