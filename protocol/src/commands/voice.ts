/** Commands for voice, video, screen sharing and sounds. */
import * as z from 'zod'
import { once } from '../once.ts'
import { CertifiedDevice, Pan, VoiceSettings, VoiceSettingsInput } from '../records/voice.ts'
import { anyArguments, noArguments, empty, ProcessId, Snowflake, tolerant, undocumented } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const volume = once(() => z.number().min(0).max(200))

export const setUserVoiceSettings = defineCommand({
  name: 'SET_USER_VOICE_SETTINGS',
  summary: 'Set pan, volume (0 to 200) and mute of another user, for the local user only.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.write'),
  args: () => z.strictObject({ user_id: Snowflake(), pan: Pan().optional(), volume: volume().optional(), mute: z.boolean().optional() }),
  data: () => tolerant({ user_id: Snowflake(), pan: z.unknown().optional(), volume: z.number().optional(), mute: z.boolean().optional() }),
  errors: ['INVALID_USER'],
  provenance: 'documented',
})

export const getVoiceSettings = defineCommand({
  name: 'GET_VOICE_SETTINGS',
  summary: "Get the user's voice settings.",
  handledBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.read'),
  args: noArguments,
  data: VoiceSettings,
  provenance: 'documented',
})

export const setVoiceSettings = defineCommand({
  name: 'SET_VOICE_SETTINGS',
  summary: 'Change any part of the voice settings. This application controls them until it disconnects. Returns all settings.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.voice.write'),
  args: VoiceSettingsInput,
  data: VoiceSettings,
  provenance: 'documented',
})

export const setCertifiedDevices = defineCommand({
  name: 'SET_CERTIFIED_DEVICES',
  summary: 'Set the certified devices, most important first.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.local'),
  args: () => z.strictObject({ devices: z.array(CertifiedDevice()) }),
  data: empty,
  provenance: 'documented',
})

export const setUserVoiceSettings2 = defineCommand({
  name: 'SET_USER_VOICE_SETTINGS_2',
  summary: 'Same as SET_USER_VOICE_SETTINGS, without signing in and without pan.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ user_id: Snowflake(), volume: volume().nullish(), mute: z.boolean().nullish() }),
  data: empty,
  errors: ['INVALID_USER'],
  provenance: 'observed',
})

export const setVoiceSettings2 = defineCommand({
  name: 'SET_VOICE_SETTINGS_2',
  summary: 'Change input mode, self mute and self deaf without signing in.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      input_mode: z.strictObject({ type: z.string(), shortcut: z.string() }).nullish(),
      self_mute: z.boolean().nullish(),
      self_deaf: z.boolean().nullish(),
    }),
  data: empty,
  provenance: 'observed',
})

export const pushToTalk = defineCommand({
  name: 'PUSH_TO_TALK',
  summary: 'Press or release push-to-talk.',
  handledBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.voice.write'),
  args: () => z.strictObject({ active: z.boolean() }),
  data: empty,
  provenance: 'observed',
})

export const toggleVideo = defineCommand({
  name: 'TOGGLE_VIDEO',
  summary: 'Turn video on or off.',
  handledBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.video.write'),
  args: noArguments,
  data: empty,
  provenance: 'observed',
})

export const toggleScreenshare = defineCommand({
  name: 'TOGGLE_SCREENSHARE',
  summary: 'Turn screen sharing on or off.',
  handledBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.screenshare.write'),
  args: () => z.strictObject({ pid: ProcessId().nullish() }).nullish(),
  data: empty,
  provenance: 'observed',
})

export const getSoundboardSounds = defineCommand({
  name: 'GET_SOUNDBOARD_SOUNDS',
  summary: 'Get the sounds that the user can play.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc', 'rpc.local'),
  args: noArguments,
  data: () => z.array(z.looseObject({})),
  provenance: 'observed',
})

export const playSoundboardSound = defineCommand({
  name: 'PLAY_SOUNDBOARD_SOUND',
  summary: 'Play a sound in the voice channel.',
  handledBy: 'desktop-client',
  requires: allOf('rpc', 'rpc.voice.write'),
  args: () => z.strictObject({ sound_id: Snowflake(), guild_id: Snowflake().nullish() }),
  data: empty,
  errors: ['INVALID_SOUND'],
  provenance: 'observed',
})

export const captureShortcut = defineCommand({
  name: 'CAPTURE_SHORTCUT',
  summary: 'Capture a keyboard shortcut of the user. Its arguments are undocumented.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc'),
  args: anyArguments,
  data: undocumented,
  errors: ['CAPTURE_SHORTCUT_ALREADY_LISTENING'],
  provenance: 'embedded-sdk',
})
