/** Events about voice, video and screen sharing. */
import * as z from 'zod'
import { Speaking, VoiceConnectionStatus, VoiceSettings, VoiceSettings2, VoiceState } from '../records/voice.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const voiceChannelSelect = defineEvent({
  name: 'VOICE_CHANNEL_SELECT',
  summary: 'The user joined a voice channel or left it (null).',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: () => z.looseObject({ channel_id: Snowflake().nullable(), guild_id: Snowflake().nullish() }),
  provenance: 'documented',
})

export const voiceStateCreate = defineEvent({
  name: 'VOICE_STATE_CREATE',
  summary: 'A user joined the voice channel.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: VoiceState,
  provenance: 'documented',
})

export const voiceStateUpdate = defineEvent({
  name: 'VOICE_STATE_UPDATE',
  summary: 'The voice state of a user in the voice channel changed.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: VoiceState,
  provenance: 'documented',
})

export const voiceStateDelete = defineEvent({
  name: 'VOICE_STATE_DELETE',
  summary: 'A user left the voice channel.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: () => z.strictObject({ channel_id: Snowflake() }),
  data: VoiceState,
  provenance: 'documented',
})

export const voiceSettingsUpdate = defineEvent({
  name: 'VOICE_SETTINGS_UPDATE',
  summary: "The user's voice settings changed.",
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: noArguments,
  data: VoiceSettings,
  provenance: 'documented',
})

export const voiceSettingsUpdate2 = defineEvent({
  name: 'VOICE_SETTINGS_UPDATE_2',
  summary: "The user's voice settings changed; available without signing in.",
  delivery: 'subscription',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: VoiceSettings2,
  provenance: 'observed',
})

export const voiceConnectionStatus = defineEvent({
  name: 'VOICE_CONNECTION_STATUS',
  summary: 'The state of the voice connection changed.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: noArguments,
  data: VoiceConnectionStatus,
  provenance: 'documented',
})

export const speakingStart = defineEvent({
  name: 'SPEAKING_START',
  summary: 'A user started speaking.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read', 'rpc.local'),
  args: () => z.strictObject({ channel_id: Snowflake().nullish() }).nullish(),
  data: Speaking,
  provenance: 'documented',
})

export const speakingStop = defineEvent({
  name: 'SPEAKING_STOP',
  summary: 'A user stopped speaking.',
  delivery: 'subscription',
  requires: anyOf('rpc', 'rpc.voice.read', 'rpc.local'),
  args: () => z.strictObject({ channel_id: Snowflake().nullish() }).nullish(),
  data: Speaking,
  provenance: 'documented',
})

export const screenshareStateUpdate = defineEvent({
  name: 'SCREENSHARE_STATE_UPDATE',
  summary: 'The screen sharing state of the user changed.',
  delivery: 'subscription',
  requires: anyOf('rpc.screenshare.read', 'rpc.local'),
  args: noArguments,
  data: () =>
    z.looseObject({ active: z.boolean(), pid: z.number().int().nullish(), application: z.looseObject({ name: z.string() }).nullish() }),
  provenance: 'observed',
})

export const videoStateUpdate = defineEvent({
  name: 'VIDEO_STATE_UPDATE',
  summary: 'The video state of the user changed.',
  delivery: 'subscription',
  requires: anyOf('rpc.voice.read', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ active: z.boolean() }),
  provenance: 'observed',
})
