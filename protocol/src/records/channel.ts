/** Channels, as the local protocol and as the HTTP API show them, and invites to them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { BitFieldText, IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { RpcMessage } from './message.ts'
import { VoiceState } from './voice.ts'

/** Flag of a channel whose name and settings are hidden because the caller cannot view it. */
export const CHANNEL_OBFUSCATED = 1 << 17

/** A channel as the local protocol lists it. */
export const PartialChannel = once(() =>
  tolerant({ id: Snowflake(), name: z.string(), type: z.number().int() }).meta({
    id: 'PartialChannel',
    description: 'A channel as the local protocol lists it.',
  }),
)

/** A channel as returned by GET_CHANNEL. */
export const RpcChannel = once(() =>
  tolerant({
    id: Snowflake(),
    guild_id: Snowflake().nullish(),
    name: z.string(),
    type: z.number().int(),
    topic: z.string().nullish(),
    bitrate: z.number().int().nullish(),
    user_limit: z.number().int().nullish().meta({ description: '0 means no limit.' }),
    position: z.number().int().nullish(),
    voice_states: z.array(VoiceState()).optional(),
    messages: z
      .array(RpcMessage())
      .optional()
      .meta({ description: 'The last 50 messages, oldest first; only for channels of the application or with messages.read.' }),
  }).meta({ id: 'RpcChannel', description: 'A channel as the local protocol shows it.' }),
)
export type RpcChannel = z.output<ReturnType<typeof RpcChannel>>

const PermissionOverwrite = once(() =>
  tolerant({
    id: Snowflake(),
    type: z.number().int().meta({ description: '0 a role, 1 a member' }),
    allow: BitFieldText(),
    deny: BitFieldText(),
    allow_new: BitFieldText().optional(),
    deny_new: BitFieldText().optional(),
  }),
)

/** A channel of the HTTP API. Only id and type are always present, because hidden channels have reduced fields. */
export const Channel = once(() =>
  tolerant({
    id: Snowflake(),
    type: z.number().int(),
    guild_id: Snowflake().nullish(),
    name: z.string().nullish(),
    position: z.number().int().nullish(),
    parent_id: Snowflake().nullish(),
    topic: z.string().nullish(),
    nsfw: z.boolean().nullish(),
    flags: z.number().int().nullish().meta({ description: 'Bit 17: hidden from the caller; contains only its position.' }),
    application_id: Snowflake().nullish().meta({ description: 'Can be null in future guilds.' }),
    bitrate: z.number().int().nullish(),
    user_limit: z.number().int().nullish(),
    rate_limit_per_user: z.number().int().nullish(),
    last_message_id: Snowflake().nullish(),
    permissions: BitFieldText().nullish(),
    permissions_new: BitFieldText().nullish(),
    permission_overwrites: z.array(PermissionOverwrite()).nullish(),
  }).meta({ id: 'Channel', description: 'A channel of the HTTP API.' }),
)
export type Channel = z.output<ReturnType<typeof Channel>>

/** An invite to a channel. */
export const Invite = once(() =>
  tolerant({
    code: z.string(),
    type: z.number().int().optional(),
    guild: z.unknown().optional(),
    channel: PartialChannel().partial().nullish(),
    inviter: z.unknown().optional(),
    expires_at: IsoTime().nullish(),
    uses: z.number().int().optional(),
    max_uses: z.number().int().optional(),
    max_age: z.number().int().optional(),
    temporary: z.boolean().optional(),
    created_at: IsoTime().optional(),
  }).meta({ id: 'Invite', description: 'An invite to a channel.' }),
)
export type Invite = z.output<ReturnType<typeof Invite>>
