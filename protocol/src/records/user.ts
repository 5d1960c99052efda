/** Users, as the local protocol and as the HTTP API show them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Snowflake, tolerant } from '../schema/index.ts'

const AvatarDecoration = once(() => tolerant({ asset: z.string(), sku_id: Snowflake().optional() }).nullable())

/** A user in READY, events and responses of the local protocol. Older desktop clients send only the first four fields. */
export const RpcUser = once(() =>
  tolerant({
    id: Snowflake(),
    username: z.string(),
    discriminator: z.string(),
    avatar: z.string().nullable(),
    global_name: z.string().nullish(),
    avatar_decoration_data: AvatarDecoration().optional(),
    bot: z.boolean().optional(),
    flags: z.number().int().optional(),
    public_flags: z.number().int().optional().meta({ description: 'In the response of AUTHENTICATE: the same as flags.' }),
    premium_type: z.number().int().optional(),
  }).meta({ id: 'RpcUser', description: 'A user as the local protocol shows it.' }),
)
export type RpcUser = z.output<ReturnType<typeof RpcUser>>

/** The statuses that a user can choose. */
export const OnlineStatus = once(() =>
  z.enum(['online', 'idle', 'dnd', 'invisible']).meta({ description: 'dnd: do not disturb; invisible: others see the user offline.' }),
)
export type OnlineStatus = z.output<ReturnType<typeof OnlineStatus>>

const PrimaryGuild = once(() =>
  tolerant({
    identity_guild_id: Snowflake().nullable(),
    identity_enabled: z.boolean().nullable(),
    tag: z
      .string()
      .nullable()
      .meta({ description: `1 to ${LIMITS.guildTag.value} characters, shown beside the name.` }),
    badge: z.string().nullable(),
  }).nullable(),
)

/** A user of the HTTP API. Private fields (email, locale …) need their scopes. */
export const User = once(() =>
  tolerant({
    id: Snowflake(),
    username: z.string(),
    discriminator: z.string(),
    global_name: z.string().nullish(),
    avatar: z.string().nullable(),
    bot: z.boolean().optional(),
    system: z.boolean().optional(),
    banner: z.string().nullish(),
    accent_color: z.number().int().nullish(),
    avatar_decoration_data: AvatarDecoration().optional(),
    primary_guild: PrimaryGuild().optional(),
    flags: z.number().int().optional(),
    public_flags: z.number().int().optional(),
    premium_type: z.number().int().optional().meta({ description: '0 unless the application is approved for identify.premium.' }),
    mfa_enabled: z.boolean().optional(),
    locale: z.string().optional(),
    email: z.string().nullish(),
    verified: z.boolean().optional(),
  }).meta({ id: 'User', description: 'A user of the HTTP API.' }),
)
export type User = z.output<ReturnType<typeof User>>

/** A connected account of the user on another service. The set of types changes, so `type` is any text. */
export const Connection = once(() =>
  tolerant({
    id: z.string(),
    name: z.string().nullable(),
    type: z.string(),
    revoked: z.boolean().optional(),
    integrations: z.array(z.unknown()).optional(),
    verified: z.boolean(),
    friend_sync: z.boolean(),
    show_activity: z.boolean(),
    two_way_link: z.boolean(),
    visibility: z.number().int().meta({ description: '0 hidden, 1 public' }),
  }).meta({ id: 'Connection', description: 'A connected account of the user on another service.' }),
)
export type Connection = z.output<ReturnType<typeof Connection>>

const ApplicationProfile = once(() =>
  tolerant({ username: z.string().nullish(), metadata: z.string().nullish(), avatar_hash: z.string().nullish() }),
)

export const ApplicationIdentity = once(() =>
  tolerant({
    application_id: Snowflake(),
    provider_issued_user_id: z.string(),
    profile: ApplicationProfile().nullish(),
    profiles: z.array(ApplicationProfile()).nullish(),
  }).meta({ id: 'ApplicationIdentity', description: 'Who a user is in a game.' }),
)
export type ApplicationIdentity = z.output<ReturnType<typeof ApplicationIdentity>>
