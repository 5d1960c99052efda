/** Endpoints with which a bot reads and manages channels. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Channel } from '../records/channel.ts'
import { BitFieldText, Snowflake, text, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const CHANNEL = { ...BY_BOT, path: '/channels/{channel_id}', params: () => ({ channel_id: Snowflake() }) } as const
const GUILD = { ...BY_BOT, path: '/guilds/{guild_id}/channels', params: () => ({ guild_id: Snowflake() }) } as const
const Name = once(() => text(1, LIMITS.channelName.value))

const Overwrite = once(() =>
  z.strictObject({
    id: Snowflake(),
    type: z.literal([0, 1]).meta({ description: '0: role, 1: member.' }),
    allow: BitFieldText().optional(),
    deny: BitFieldText().optional(),
  }),
)

const SETTINGS = once(() => ({
  topic: text(0, LIMITS.channelTopic.value).nullish(),
  position: wholeNumber(0, LIMITS.guildChannels.value).nullish(),
  parent_id: Snowflake().nullish().meta({ description: 'The category.' }),
  rate_limit_per_user: wholeNumber(0, LIMITS.slowmode.value).nullish().meta({ description: 'Slowmode in seconds.' }),
  permission_overwrites: z.array(Overwrite()).max(LIMITS.channelOverwrites.value).nullish(),
}))

/** The most is that of guilds with all boosts. */
const BITRATES = { least: 8_000, most: 384_000 }

const VOICE_SETTINGS = once(() => ({
  bitrate: wholeNumber(BITRATES.least, BITRATES.most).nullish().meta({ description: 'Of a voice channel, in bits per second.' }),
  user_limit: wholeNumber(0, LIMITS.voiceUsers.value).nullish().meta({ description: 'Of a voice channel; 0: none.' }),
  rtc_region: text(1, LIMITS.channelName.value).nullish().meta({ description: 'Of a voice channel; null: automatic.' }),
  video_quality_mode: z.literal([1, 2]).nullish().meta({ description: 'Of a voice channel: 1 automatic, 2 720p.' }),
  nsfw: z.boolean().nullish().meta({ description: 'Whether the channel is for adults.' }),
}))

/** The local protocol has its own GET_CHANNEL, which the desktop client handles. */
export const getChannelByBot = defineEndpoint({
  ...CHANNEL,
  name: 'GET_CHANNEL_BY_BOT',
  summary: 'Get a channel.',
  method: 'GET',
  response: Channel,
  idempotency: 'safe',
  platformErrors: [10003, 50001],
})

export const createGuildChannel = defineEndpoint({
  ...GUILD,
  name: 'CREATE_GUILD_CHANNEL',
  summary: 'Create a text channel (type 0), a voice channel (2) or a category (4) in a guild.',
  method: 'POST',
  body: () => ({
    name: Name(),
    type: z.literal([0, 2, 4]).nullish().meta({ description: 'Default: 0.' }),
    ...SETTINGS(),
    ...VOICE_SETTINGS(),
  }),
  response: Channel,
  success: [201],
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10003, 10004, 30013, 50001, 50013, 50035],
})

export const modifyChannel = defineEndpoint({
  ...CHANNEL,
  name: 'MODIFY_CHANNEL',
  summary: 'Edit a channel of a guild; absent fields stay unchanged.',
  method: 'PATCH',
  body: () => ({ name: Name().optional(), ...SETTINGS(), ...VOICE_SETTINGS() }),
  response: Channel,
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10003, 50001, 50013, 50035],
})

export const deleteChannel = defineEndpoint({
  ...CHANNEL,
  name: 'DELETE_CHANNEL',
  summary: 'Delete a channel of a guild. The channels of a deleted category stay.',
  method: 'DELETE',
  response: Channel,
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10003, 50001, 50013],
})

export const modifyGuildChannelPositions = defineEndpoint({
  ...GUILD,
  name: 'MODIFY_GUILD_CHANNEL_POSITIONS',
  summary: 'Move channels of a guild, also into categories.',
  method: 'PATCH',
  body: () => ({
    channels: z
      .array(
        z.strictObject({
          id: Snowflake(),
          position: wholeNumber(0, LIMITS.guildChannels.value).nullish(),
          parent_id: Snowflake().nullish(),
        }),
      )
      .max(LIMITS.guildChannels.value),
  }),
  bodyArgument: 'channels',
  response: () => z.null(),
  success: [204],
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10003, 10004, 50001, 50013, 50035],
})

const OVERWRITE = {
  ...BY_BOT,
  path: '/channels/{channel_id}/permissions/{overwrite_id}',
  params: () => ({ channel_id: Snowflake(), overwrite_id: Snowflake().meta({ description: 'A role or member.' }) }),
  response: () => z.null(),
  success: [204],
  permissions: ['MANAGE_ROLES'],
  idempotency: 'natural',
  audited: true,
} as const

export const editChannelPermissions = defineEndpoint({
  ...OVERWRITE,
  name: 'EDIT_CHANNEL_PERMISSIONS',
  summary: 'Set the permissions of a role or member in a channel.',
  method: 'PUT',
  body: () => ({
    type: z.literal([0, 1]).meta({ description: '0: role, 1: member.' }),
    allow: BitFieldText().nullish(),
    deny: BitFieldText().nullish(),
  }),
  platformErrors: [10003, 50001, 50013, 50035],
})

export const deleteChannelPermission = defineEndpoint({
  ...OVERWRITE,
  name: 'DELETE_CHANNEL_PERMISSION',
  summary: 'Delete the permissions of a role or member in a channel.',
  method: 'DELETE',
  platformErrors: [10003, 10009, 50001, 50013],
})

export const triggerTypingIndicator = defineEndpoint({
  ...BY_BOT,
  name: 'TRIGGER_TYPING_INDICATOR',
  summary: 'Show for ten seconds that the bot types in a channel.',
  method: 'POST',
  path: '/channels/{channel_id}/typing',
  params: () => ({ channel_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  permissions: ['SEND_MESSAGES'],
  idempotency: 'natural',
  platformErrors: [10003, 50001, 50013],
})
