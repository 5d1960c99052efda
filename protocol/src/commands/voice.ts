/** Commands of voice, video, screen sharing and sounds. */
import * as z from 'zod'
import { CertifiedDevice, Pan, VoiceSettings, VoiceSettingsInput } from '../records/voice.ts'
import { anyArguments, noArguments, nothing, ProcessId, Snowflake, tolerant, undescribed } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const volume = z.number().min(0).max(200)

export const setUserVoiceSettings = defineCommand({
  name: 'SET_USER_VOICE_SETTINGS',
  summary: 'How another user is heard: pan, volume (0 to 200) and mute, for the local user only.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.write'),
  args: z.strictObject({ user_id: Snowflake, pan: Pan.optional(), volume: volume.optional(), mute: z.boolean().optional() }),
  data: tolerant({ user_id: Snowflake, pan: z.unknown().optional(), volume: z.number().optional(), mute: z.boolean().optional() }),
  errors: ['INVALID_USER'],
  provenance: 'documented',
})

export const getVoiceSettings = defineCommand({
  name: 'GET_VOICE_SETTINGS',
  summary: "The user's voice settings.",
  answeredBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: noArguments,
  data: VoiceSettings,
  provenance: 'documented',
})

export const setVoiceSettings = defineCommand({
  name: 'SET_VOICE_SETTINGS',
  summary: 'Change any part of the voice settings, which stay with this application until it disconnects. Answers all of them.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.write'),
  args: VoiceSettingsInput,
  data: VoiceSettings,
  provenance: 'documented',
})

export const setCertifiedDevices = defineCommand({
  name: 'SET_CERTIFIED_DEVICES',
  summary: 'Tell which devices are certified, most important first.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.local'),
  args: z.strictObject({ devices: z.array(CertifiedDevice) }),
  data: nothing,
  provenance: 'documented',
})

export const setUserVoiceSettings2 = defineCommand({
  name: 'SET_USER_VOICE_SETTINGS_2',
  summary: 'As SET_USER_VOICE_SETTINGS, without signing in and without pan.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ user_id: Snowflake, volume: volume.nullish(), mute: z.boolean().nullish() }),
  data: nothing,
  errors: ['INVALID_USER'],
  provenance: 'observed',
})

export const setVoiceSettings2 = defineCommand({
  name: 'SET_VOICE_SETTINGS_2',
  summary: 'Change input mode, self mute and self deaf without signing in.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: z.strictObject({
    input_mode: z.strictObject({ type: z.string(), shortcut: z.string() }).nullish(),
    self_mute: z.boolean().nullish(),
    self_deaf: z.boolean().nullish(),
  }),
  data: nothing,
  provenance: 'observed',
})

export const pushToTalk = defineCommand({
  name: 'PUSH_TO_TALK',
  summary: 'Press or release push-to-talk.',
  answeredBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.voice.write'),
  args: z.strictObject({ active: z.boolean() }),
  data: nothing,
  provenance: 'observed',
})

export const toggleVideo = defineCommand({
  name: 'TOGGLE_VIDEO',
  summary: 'Turn video on or off.',
  answeredBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.video.write'),
  args: noArguments,
  data: nothing,
  provenance: 'observed',
})

export const toggleScreenshare = defineCommand({
  name: 'TOGGLE_SCREENSHARE',
  summary: 'Turn screen sharing on or off.',
  answeredBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.screenshare.write'),
  args: z.strictObject({ pid: ProcessId.nullish() }).nullish(),
  data: nothing,
  provenance: 'observed',
})

export const getSoundboardSounds = defineCommand({
  name: 'GET_SOUNDBOARD_SOUNDS',
  summary: 'Sounds the user may play.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.local'),
  args: noArguments,
  data: z.array(z.looseObject({})),
  provenance: 'observed',
})

export const playSoundboardSound = defineCommand({
  name: 'PLAY_SOUNDBOARD_SOUND',
  summary: 'Play a sound in the voice channel.',
  answeredBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.voice.write'),
  args: z.strictObject({ sound_id: Snowflake, guild_id: Snowflake.nullish() }),
  data: nothing,
  errors: ['INVALID_SOUND'],
  provenance: 'observed',
})

export const captureShortcut = defineCommand({
  name: 'CAPTURE_SHORTCUT',
  summary: 'Listen for a keyboard shortcut of the user. Its arguments are not described by any public source.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc'),
  args: anyArguments,
  data: undescribed,
  errors: ['CAPTURE_SHORTCUT_ALREADY_LISTENING'],
  provenance: 'embedded-sdk',
})
