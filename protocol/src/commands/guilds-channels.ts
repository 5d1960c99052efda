/** Commands that read guilds and channels, and move the user between channels. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Invite, PartialChannel, RpcChannel } from '../records/channel.ts'
import { PartialGuild, RpcGuild } from '../records/guild.ts'
import { BitFieldText, noArguments, empty, ProcessId, Snowflake, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

/** Timeout of the desktop client in seconds. */
const timeout = once(() => wholeNumber(0, 60).nullish().meta({ description: 'Seconds.' }))

export const getGuild = defineCommand({
  name: 'GET_GUILD',
  summary: 'Get a guild of the user. Without the desktop client it requires the scope guilds, which AUTHORIZE then requests besides rpc.',
  handledBy: 'bridge',
  withoutClient: 'members is empty and vanity_url_code is null.',
  requires: anyOf('rpc', 'guilds'),
  clientRequires: anyOf('rpc'),
  args: () => z.strictObject({ guild_id: Snowflake(), timeout: timeout() }),
  data: RpcGuild,
  errors: ['INVALID_GUILD', 'GET_GUILD_TIMED_OUT'],
  provenance: 'documented',
})

export const getGuilds = defineCommand({
  name: 'GET_GUILDS',
  summary:
    'Get the guilds of the user. Without the desktop client it requires the scope guilds, which AUTHORIZE then requests besides rpc.',
  handledBy: 'bridge',
  withoutClient: 'guilds are those of the user now; a guild that is unavailable is listed too.',
  requires: anyOf('rpc', 'guilds'),
  clientRequires: anyOf('rpc'),
  args: noArguments,
  data: () => z.looseObject({ guilds: z.array(PartialGuild()) }),
  provenance: 'documented',
})

export const getChannel = defineCommand({
  name: 'GET_CHANNEL',
  summary:
    'Get a channel. Private channels require rpc or dm_channels.read. Without the desktop client: channels of guilds, with the scopes guilds and guilds.channels.read, which AUTHORIZE then requests besides rpc, or gateway.connect, or by the bot.',
  handledBy: 'bridge',
  withoutClient: 'channels of guilds only, without voice_states and messages; private channels are unknown.',
  requires: anyOf('rpc', 'guilds', 'guilds.channels.read', 'dm_channels.read'),
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: RpcChannel,
  errors: ['INVALID_CHANNEL'],
  provenance: 'documented',
})

export const getChannels = defineCommand({
  name: 'GET_CHANNELS',
  summary:
    'Get the channels of a guild. Without the desktop client it requires the scope guilds.channels.read, which AUTHORIZE then requests besides rpc, or gateway.connect, or the bot.',
  handledBy: 'bridge',
  withoutClient: 'channels that the user cannot see may be listed by the platform, or left out.',
  requires: anyOf('rpc', 'guilds', 'guilds.channels.read'),
  clientRequires: anyOf('rpc'),
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => z.looseObject({ channels: z.array(PartialChannel()) }),
  errors: ['INVALID_GUILD'],
  provenance: 'documented',
})

export const getChannelPermissions = defineCommand({
  name: 'GET_CHANNEL_PERMISSIONS',
  summary: "Get the user's permissions in the current channel.",
  handledBy: 'desktop-client',
  requires: anyOf('guilds.members.read', 'guilds.channels.read'),
  args: noArguments,
  data: () => z.looseObject({ permissions: BitFieldText() }),
  provenance: 'embedded-sdk',
})

export const createChannelInvite = defineCommand({
  name: 'CREATE_CHANNEL_INVITE',
  summary: 'Create an invite to a channel.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc'),
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: Invite,
  errors: ['INVALID_CHANNEL'],
  provenance: 'observed',
})

export const selectVoiceChannel = defineCommand({
  name: 'SELECT_VOICE_CHANNEL',
  summary: 'Join a voice channel, or leave it (null). force: also if the user is in another voice channel.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc'),
  args: () =>
    z.strictObject({
      channel_id: Snowflake().nullable(),
      timeout: timeout(),
      force: z.boolean().nullish(),
      navigate: z.boolean().nullish(),
    }),
  data: () => RpcChannel().nullable(),
  errors: ['INVALID_CHANNEL', 'SELECT_CHANNEL_TIMED_OUT', 'SELECT_VOICE_FORCE_REQUIRED'],
  provenance: 'documented',
})

export const getSelectedVoiceChannel = defineCommand({
  name: 'GET_SELECTED_VOICE_CHANNEL',
  summary: 'Get the voice channel of the user.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: noArguments,
  data: () => RpcChannel().nullable(),
  provenance: 'documented',
})

export const selectTextChannel = defineCommand({
  name: 'SELECT_TEXT_CHANNEL',
  summary: 'Show a text channel, or none (null).',
  handledBy: 'desktop-client',
  requires: anyOf('rpc'),
  args: () => z.strictObject({ channel_id: Snowflake().nullable(), timeout: timeout() }),
  data: () => RpcChannel().nullable(),
  errors: ['INVALID_CHANNEL', 'SELECT_CHANNEL_TIMED_OUT'],
  provenance: 'documented',
})

export const openMessage = defineCommand({
  name: 'OPEN_MESSAGE',
  summary: 'Show a message.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ guild_id: Snowflake().nullish(), channel_id: Snowflake(), message_id: Snowflake(), pid: ProcessId() }),
  data: empty,
  errors: ['INVALID_CHANNEL'],
  provenance: 'observed',
})
