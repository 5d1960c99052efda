/** Voice: members of a channel, per-user settings, voice settings, devices, and connection state. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Snowflake, tolerant } from '../schema/index.ts'
import { RpcUser } from './user.ts'

/** Volume per stereo side, 0 to 1. */
export const Pan = once(() => z.strictObject({ left: z.number().min(0).max(1), right: z.number().min(0).max(1) }))

/** One member of a voice channel. */
export const VoiceState = once(() =>
  tolerant({
    nick: z.string().nullish(),
    mute: z.boolean().meta({ description: 'Muted for the local user only.' }),
    volume: z.number(),
    pan: tolerant({ left: z.number(), right: z.number() }).optional(),
    voice_state: tolerant({
      mute: z.boolean(),
      deaf: z.boolean(),
      self_mute: z.boolean(),
      self_deaf: z.boolean(),
      suppress: z.boolean(),
    }),
    user: RpcUser(),
  }).meta({ id: 'VoiceState', description: 'One member of a voice channel.' }),
)
export type VoiceState = z.output<ReturnType<typeof VoiceState>>

const Device = once(() => tolerant({ id: z.string(), name: z.string() }))
const Shortcut = once(() => tolerant({ type: z.number().int(), code: z.number().int(), name: z.string() }))

/** The user's voice settings. */
export const VoiceSettings = once(() =>
  tolerant({
    input: tolerant({ device_id: z.string(), volume: z.number(), available_devices: z.array(Device()).optional() }),
    output: tolerant({ device_id: z.string(), volume: z.number(), available_devices: z.array(Device()).optional() }),
    mode: tolerant({
      type: z.string(),
      auto_threshold: z.boolean(),
      threshold: z.number(),
      shortcut: z.array(Shortcut()),
      delay: z.number(),
    }),
    automatic_gain_control: z.boolean(),
    echo_cancellation: z.boolean(),
    noise_suppression: z.boolean(),
    qos: z.boolean(),
    silence_warning: z.boolean(),
    deaf: z.boolean(),
    mute: z.boolean(),
  }).meta({ id: 'VoiceSettings', description: "The user's voice settings." }),
)
export type VoiceSettings = z.output<ReturnType<typeof VoiceSettings>>

/** A partial update of voice settings. Volumes: input 0 to 100, output 0 to 200; threshold in dB; delay in ms. */
export const VoiceSettingsInput = once(() =>
  z.strictObject({
    input: z
      .strictObject({
        device_id: z.string().optional(),
        volume: z.number().min(0).max(100).optional(),
        available_devices: z.array(Device()).optional(),
      })
      .optional(),
    output: z
      .strictObject({
        device_id: z.string().optional(),
        volume: z.number().min(0).max(200).optional(),
        available_devices: z.array(Device()).optional(),
      })
      .optional(),
    mode: z
      .strictObject({
        type: z.enum(['PUSH_TO_TALK', 'VOICE_ACTIVITY']).optional(),
        auto_threshold: z.boolean().optional(),
        threshold: z.number().min(-100).max(0).optional(),
        shortcut: z
          .array(
            z.strictObject({
              type: z.literal([0, 1, 2, 3]).meta({ description: '0 key, 1 mouse, 2 modifier, 3 gamepad' }),
              code: z.number().int(),
              name: z.string(),
            }),
          )
          .optional(),
        delay: z.number().min(0).max(2000).optional(),
      })
      .optional(),
    automatic_gain_control: z.boolean().optional(),
    echo_cancellation: z.boolean().optional(),
    noise_suppression: z.boolean().optional(),
    qos: z.boolean().optional(),
    silence_warning: z.boolean().optional(),
    deaf: z.boolean().optional(),
    mute: z.boolean().optional(),
  }),
)

const Maker = once(() => tolerant({ name: z.string(), url: z.string().optional(), id: z.string().optional() }))

/** A certified device. The last four fields apply to audio inputs only. */
export const CertifiedDevice = once(() =>
  z
    .strictObject({
      type: z.enum(['audioinput', 'audiooutput', 'videoinput']),
      id: z.string(),
      vendor: Maker(),
      model: Maker(),
      related: z.array(z.string()),
      echo_cancellation: z.boolean().optional(),
      noise_suppression: z.boolean().optional(),
      automatic_gain_control: z.boolean().optional(),
      hardware_mute: z.boolean().optional(),
    })
    .meta({ id: 'CertifiedDevice', description: 'A certified device.' }),
)

/** State of the voice connection. `state` is any text, because the platform has added states before. */
export const VoiceConnectionStatus = once(() =>
  tolerant({
    state: z.string(),
    hostname: z.string().nullish(),
    pings: z.array(z.union([z.number(), tolerant({ time: z.number(), value: z.number() })])),
    average_ping: z.number().nullish(),
    last_ping: z.number().nullish(),
  }).meta({ id: 'VoiceConnectionStatus', description: 'State of the voice connection.' }),
)
export type VoiceConnectionStatus = z.output<ReturnType<typeof VoiceConnectionStatus>>

/** The user who started or stopped speaking. */
export const Speaking = once(() => tolerant({ user_id: Snowflake(), channel_id: Snowflake().nullish() }))

/** Voice settings that are available without signing in. */
export const VoiceSettings2 = once(() =>
  tolerant({
    input_mode: tolerant({ type: z.string(), shortcut: z.string() }),
    local_mutes: z.array(Snowflake()),
    local_volumes: z.record(z.string(), z.number()),
    self_mute: z.boolean(),
    self_deaf: z.boolean(),
  }).meta({ id: 'VoiceSettings2', description: 'Voice settings that are available without signing in.' }),
)
