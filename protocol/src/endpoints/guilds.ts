/** Endpoints for guilds and their channels. */
import * as z from 'zod'
import { listedChannels } from '../responses/channels.ts'
import { LIMITS } from '../limits.ts'
import { Channel } from '../records/channel.ts'
import { Guild } from '../records/guild.ts'
import { imageData } from '../schema/data-uri.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { VERSIONS } from '../versions.ts'
import { defineEndpoint } from './define.ts'

export const getGuildChannels = defineEndpoint({
  name: 'GET_GUILD_CHANNELS',
  summary:
    'Get the channels of a guild in client order, without threads: channels without a category first, then each category with its channels; text before voice, then by position. From 16 November 2026, channels that the caller cannot view are omitted.',
  method: 'GET',
  path: '/guilds/{guild_id}/channels',
  params: () => ({ guild_id: Snowflake() }),
  response: () => z.array(Channel()),
  auth: 'user-or-bot',
  requires: anyOf('guilds.channels.read'),
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  shapeResponse: (channels, { now }) => listedChannels(channels, now),
  provenance: 'documented',
})

export const setVoiceChannelStatus = defineEndpoint({
  name: 'SET_VOICE_CHANNEL_STATUS',
  summary: 'Set or clear (null) the status of a voice channel. A bot that is not connected to the channel also requires MANAGE_CHANNELS.',
  method: 'PUT',
  path: '/channels/{channel_id}/voice-status',
  params: () => ({ channel_id: Snowflake() }),
  body: () => ({ status: z.string().max(LIMITS.voiceChannelStatus.value).nullable() }),
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['SET_VOICE_CHANNEL_STATUS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10003, 50001, 50013, 50035],
  provenance: 'documented',
})

/** The local protocol has its own GET_GUILD, which the desktop client handles. */
export const getGuildByBot = defineEndpoint({
  name: 'GET_GUILD_BY_BOT',
  summary: 'Get a guild with its roles, emoji and stickers.',
  method: 'GET',
  path: '/guilds/{guild_id}',
  params: () => ({ guild_id: Snowflake() }),
  query: () => ({ with_counts: z.boolean().optional().meta({ description: 'Include approximate member and online counts.' }) }),
  response: Guild,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  provenance: 'documented',
})

export const modifyGuild = defineEndpoint({
  name: 'MODIFY_GUILD',
  summary: 'Edit the name and images of a guild; absent fields stay unchanged.',
  method: 'PATCH',
  path: '/guilds/{guild_id}',
  params: () => ({ guild_id: Snowflake() }),
  body: () => ({
    name: text(LIMITS.expressionNameMin.value, LIMITS.roleName.value).optional(),
    icon: imageData(LIMITS.imageBytes).nullish(),
    banner: imageData(LIMITS.imageBytes).nullish(),
  }),
  response: Guild,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_GUILD'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 50001, 50013, 50035],
  provenance: 'documented',
})

export const createGuild = defineEndpoint({
  name: 'CREATE_GUILD',
  summary: 'Create a guild. Not available to applications.',
  method: 'POST',
  path: '/guilds',
  params: () => ({}),
  body: () => ({ name: z.string().optional(), icon: z.string().nullish() }),
  response: () => tolerant({ id: Snowflake() }),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  unavailable: {
    since: VERSIONS['create-guild-unavailable'].date,
    reason: 'Applications cannot create guilds since 15 July 2025. Ask the user to create one in the client.',
  },
  provenance: 'documented',
})
