/** Soundboard sounds: the default ones, those of guilds, and playback. */
import { isInEffect, type SoundboardSound } from '@sallyport/protocol'
import { GUILD_SOUNDS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { StoredSound } from '../store/guild-application-records.ts'
import type { StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { channelPermissions, guildPermissions, holds } from './permissions.ts'
import { personView } from './user-view.ts'

/** The default sounds have small ids. */
const DEFAULT_SOUNDS: readonly SoundboardSound[] = [
  ['1', 'foghorn', '📯'],
  ['2', 'ship bell', '🔔'],
  ['3', 'gull', '🐦'],
].map(([sound_id = '', name = '', emoji_name = '']) => ({ sound_id, name, volume: 1, emoji_id: null, emoji_name, available: true }))

const listDefaultSoundboardSounds: Handler<'LIST_DEFAULT_SOUNDBOARD_SOUNDS'> = () => [...DEFAULT_SOUNDS]

export const listGuildSoundboardSounds: Handler<'LIST_GUILD_SOUNDBOARD_SOUNDS'> = ({ guild_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  return { items: operation.platform.store.sounds.group(guild.id).map((sound) => soundView(operation, guild, sound)) }
}

const getGuildSoundboardSound: Handler<'GET_GUILD_SOUNDBOARD_SOUND'> = ({ guild_id, sound_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  return soundView(operation, guild, soundOf(operation, guild, sound_id))
}

const createGuildSoundboardSound: Handler<'CREATE_GUILD_SOUNDBOARD_SOUND'> = (args, operation) => {
  const { store, ids, clock } = operation.platform
  const needed = isInEffect('creating-needs-own-permissions', clock.now()) ? 'CREATE_GUILD_EXPRESSIONS' : 'MANAGE_GUILD_EXPRESSIONS'
  const guild = guildFor(operation, args.guild_id, needed)
  if (store.sounds.group(guild.id).length >= GUILD_SOUNDS_MAX) throw new PlatformError('tooManySounds')
  const sound: StoredSound = {
    id: ids.next(),
    guildId: guild.id,
    name: args.name,
    volume: args.volume ?? 1,
    emojiId: args.emoji_id ?? null,
    emojiName: args.emoji_name ?? null,
    creatorId: operation.caller.id,
  }
  store.commit([store.sounds.put(sound.id, sound)])
  return soundView(operation, guild, sound)
}

const modifyGuildSoundboardSound: Handler<'MODIFY_GUILD_SOUNDBOARD_SOUND'> = (args, operation) => {
  const { store } = operation.platform
  const { guild, sound: before } = changeable(operation, args)
  const after: StoredSound = {
    ...before,
    name: args.name ?? before.name,
    // null resets the volume to the default.
    volume: args.volume === undefined ? before.volume : (args.volume ?? 1),
    emojiId: args.emoji_id === undefined ? before.emojiId : args.emoji_id,
    emojiName: args.emoji_name === undefined ? before.emojiName : args.emoji_name,
  }
  store.commit([store.sounds.put(after.id, after)])
  return soundView(operation, guild, after)
}

const deleteGuildSoundboardSound: Handler<'DELETE_GUILD_SOUNDBOARD_SOUND'> = (args, operation) => {
  const { store } = operation.platform
  store.commit([store.sounds.delete(changeable(operation, args).sound.id)])
  return null
}

/** The sandbox plays no sound; it only checks whether the caller may play it. */
const sendSoundboardSound: Handler<'SEND_SOUNDBOARD_SOUND'> = ({ channel_id, sound_id, source_guild_id }, operation) => {
  const { platform, caller } = operation
  const { store } = platform
  const channel = store.channels.get(channel_id)
  const guild = store.guilds.get(channel?.guildId ?? '')
  if (channel === undefined || guild === undefined) throw new PlatformError('unknownChannel')
  const bits = channelPermissions(operation.platform, guild, channel, caller)
  if (!holds(bits, 'VIEW_CHANNEL')) throw new PlatformError('missingAccess')
  if (channel.type !== CHANNEL_TYPES.voice) throw new PlatformError('wrongChannelType')
  const source = soundSource(operation, guild, sound_id, source_guild_id)
  const needed = ['SPEAK', 'USE_SOUNDBOARD', ...(source === 'elsewhere' ? ['USE_EXTERNAL_SOUNDS' as const] : [])] as const
  if (!needed.every((name) => holds(bits, name))) throw new PlatformError('missingPermissions')
  if (!channel.botsConnected) throw new PlatformError('notInVoice')
  return null
}

/** The origin of the sound. Throws unknownSound unless it is a default sound, or one of this guild or the given guild. */
function soundSource(
  operation: Operation,
  guild: StoredGuild,
  soundId: string,
  sourceGuildId: string | null | undefined,
): 'here' | 'elsewhere' {
  if (DEFAULT_SOUNDS.some(({ sound_id }) => sound_id === soundId)) return 'here'
  const source = sourceGuildId === undefined || sourceGuildId === null ? guild : guildFor(operation, sourceGuildId)
  soundOf(operation, source, soundId)
  return source.id === guild.id ? 'here' : 'elsewhere'
}

function soundOf({ platform }: Operation, guild: StoredGuild, soundId: string): StoredSound {
  const sound = platform.store.sounds.get(soundId)
  if (sound === undefined || sound.guildId !== guild.id) throw new PlatformError('unknownSound')
  return sound
}

/** The sound, if the caller may change it: any with MANAGE_GUILD_EXPRESSIONS, its own with CREATE_GUILD_EXPRESSIONS. */
function changeable(operation: Operation, ids: { readonly guild_id: string; readonly sound_id: string }) {
  const guild = guildFor(operation, ids.guild_id)
  const sound = soundOf(operation, guild, ids.sound_id)
  const bits = guildPermissions(operation.platform, guild, operation.caller)
  const isOwn = sound.creatorId === operation.caller.id
  if (!holds(bits, 'MANAGE_GUILD_EXPRESSIONS') && !(isOwn && holds(bits, 'CREATE_GUILD_EXPRESSIONS')))
    throw new PlatformError('missingPermissions')
  return { guild, sound }
}

/** The uploader of a sound is visible to members who may create sounds. */
function soundView({ platform, caller }: Operation, guild: StoredGuild, sound: StoredSound): SoundboardSound {
  const isShown =
    holds(guildPermissions(platform, guild, caller), 'CREATE_GUILD_EXPRESSIONS') ||
    holds(guildPermissions(platform, guild, caller), 'MANAGE_GUILD_EXPRESSIONS')
  const user = isShown ? personView(platform, sound.creatorId, sound.creatorId) : undefined
  return {
    sound_id: sound.id,
    name: sound.name,
    volume: sound.volume,
    emoji_id: sound.emojiId,
    emoji_name: sound.emojiName,
    guild_id: guild.id,
    available: true,
    ...(user === undefined ? {} : { user }),
  }
}

export const soundboardHandlers = {
  CREATE_GUILD_SOUNDBOARD_SOUND: createGuildSoundboardSound,
  DELETE_GUILD_SOUNDBOARD_SOUND: deleteGuildSoundboardSound,
  GET_GUILD_SOUNDBOARD_SOUND: getGuildSoundboardSound,
  LIST_DEFAULT_SOUNDBOARD_SOUNDS: listDefaultSoundboardSounds,
  LIST_GUILD_SOUNDBOARD_SOUNDS: listGuildSoundboardSounds,
  MODIFY_GUILD_SOUNDBOARD_SOUND: modifyGuildSoundboardSound,
  SEND_SOUNDBOARD_SOUND: sendSoundboardSound,
} satisfies Partial<Handlers>
