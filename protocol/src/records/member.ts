/** Guild members and voice states, as the HTTP API shows them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { BitFieldText, IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { User } from './user.ts'

export const Member = once(() =>
  tolerant({
    user: User().optional(),
    nick: z.string().nullish(),
    avatar: z.string().nullish(),
    banner: z.string().nullish().meta({ description: 'Hash of the member banner.' }),
    avatar_decoration_data: z.unknown().optional(),
    collectibles: z.unknown().optional(),
    roles: z.array(Snowflake()),
    joined_at: IsoTime().nullable(),
    premium_since: IsoTime().nullish(),
    communication_disabled_until: IsoTime().nullish(),
    deaf: z.boolean(),
    mute: z.boolean(),
    pending: z.boolean().optional(),
    flags: z.number().int(),
    permissions: BitFieldText().optional(),
    permissions_new: BitFieldText().optional(),
  }).meta({ id: 'Member', description: 'A member of a guild, as the HTTP API shows it.' }),
)
export type Member = z.output<ReturnType<typeof Member>>

export const UserVoiceState = once(() =>
  tolerant({
    guild_id: Snowflake().nullish(),
    channel_id: Snowflake().nullable(),
    user_id: Snowflake(),
    member: Member().optional(),
    session_id: z.string(),
    deaf: z.boolean(),
    mute: z.boolean(),
    self_deaf: z.boolean(),
    self_mute: z.boolean(),
    self_stream: z.boolean().nullish(),
    self_video: z.boolean(),
    suppress: z.boolean(),
    request_to_speak_timestamp: IsoTime().nullable(),
  }).meta({ id: 'UserVoiceState', description: 'Voice state of a user, as the HTTP API shows it.' }),
)
export type UserVoiceState = z.output<ReturnType<typeof UserVoiceState>>

export const Ban = once(() =>
  tolerant({ user: User(), reason: z.string().nullable() }).meta({ id: 'Ban', description: 'A ban of a guild.' }),
)
export type Ban = z.output<ReturnType<typeof Ban>>
