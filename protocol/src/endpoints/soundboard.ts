/** Endpoints for soundboard sounds. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { SoundboardSound } from '../records/expression.ts'
import { soundData } from '../schema/data-uri.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const guild = once(() => ({ guild_id: Snowflake() }))
const sound = once(() => ({ guild_id: Snowflake(), sound_id: Snowflake() }))
const Name = once(() => text(LIMITS.expressionNameMin.value, LIMITS.expressionNameMax.value))
const look = once(() => ({
  volume: z.number().min(0).max(1).nullish().meta({ description: 'Default: 1.' }),
  emoji_id: Snowflake().nullish(),
  emoji_name: text(1, LIMITS.expressionNameMax.value).nullish(),
}))

export const sendSoundboardSound = defineEndpoint({
  name: 'SEND_SOUNDBOARD_SOUND',
  summary: 'Play a sound in the voice channel of the bot. A sound of another guild also requires USE_EXTERNAL_SOUNDS and source_guild_id.',
  method: 'POST',
  path: '/channels/{channel_id}/send-soundboard-sound',
  params: () => ({ channel_id: Snowflake() }),
  body: () => ({ sound_id: Snowflake(), source_guild_id: Snowflake().nullish() }),
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['SPEAK', 'USE_SOUNDBOARD'],
  idempotency: 'none',
  platformErrors: [10003, 10097, 40032, 50001, 50013],
  provenance: 'documented',
})

export const listDefaultSoundboardSounds = defineEndpoint({
  name: 'LIST_DEFAULT_SOUNDBOARD_SOUNDS',
  summary: 'Get the default sounds, which every user can play.',
  method: 'GET',
  path: '/soundboard-default-sounds',
  params: () => ({}),
  response: () => z.array(SoundboardSound()),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})

export const listGuildSoundboardSounds = defineEndpoint({
  name: 'LIST_GUILD_SOUNDBOARD_SOUNDS',
  summary: 'Get the sounds of a guild.',
  method: 'GET',
  path: '/guilds/{guild_id}/soundboard-sounds',
  params: guild,
  response: () => tolerant({ items: z.array(SoundboardSound()) }),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  provenance: 'documented',
})

export const getGuildSoundboardSound = defineEndpoint({
  name: 'GET_GUILD_SOUNDBOARD_SOUND',
  summary: 'Get a sound of a guild.',
  method: 'GET',
  path: '/guilds/{guild_id}/soundboard-sounds/{sound_id}',
  params: sound,
  response: SoundboardSound,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 10097, 50001],
  provenance: 'documented',
})

export const createGuildSoundboardSound = defineEndpoint({
  name: 'CREATE_GUILD_SOUNDBOARD_SOUND',
  summary: `Add a sound of at most ${LIMITS.soundMs.value / 1000} seconds to a guild.`,
  method: 'POST',
  path: '/guilds/{guild_id}/soundboard-sounds',
  params: guild,
  body: () => ({ name: Name(), sound: soundData(LIMITS.soundBytes), ...look() }),
  response: SoundboardSound,
  success: [201],
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['CREATE_GUILD_EXPRESSIONS'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10004, 30045, 50001, 50013, 50035],
  provenance: 'documented',
})

export const modifyGuildSoundboardSound = defineEndpoint({
  name: 'MODIFY_GUILD_SOUNDBOARD_SOUND',
  summary: 'Edit a sound of a guild. For its own sounds, the bot needs only CREATE_GUILD_EXPRESSIONS.',
  method: 'PATCH',
  path: '/guilds/{guild_id}/soundboard-sounds/{sound_id}',
  params: sound,
  body: () => ({ name: Name().optional(), ...look() }),
  response: SoundboardSound,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_GUILD_EXPRESSIONS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10097, 50001, 50013, 50035],
  provenance: 'documented',
})

export const deleteGuildSoundboardSound = defineEndpoint({
  name: 'DELETE_GUILD_SOUNDBOARD_SOUND',
  summary: 'Delete a sound of a guild. For its own sounds, the bot needs only CREATE_GUILD_EXPRESSIONS.',
  method: 'DELETE',
  path: '/guilds/{guild_id}/soundboard-sounds/{sound_id}',
  params: sound,
  response: () => z.null(),
  success: [204],
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_GUILD_EXPRESSIONS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10097, 50001, 50013],
  provenance: 'documented',
})
