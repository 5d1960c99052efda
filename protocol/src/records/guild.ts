/** Guilds and their members. */
import * as z from 'zod'
import { once } from '../once.ts'
import { BitFieldText, Snowflake, tolerant } from '../schema/index.ts'
import { Emoji, Sticker } from './expression.ts'
import { Role } from './role.ts'

/** A guild as the local protocol lists it. */
export const PartialGuild = once(() =>
  tolerant({ id: Snowflake(), name: z.string(), icon_url: z.string().nullish() }).meta({
    id: 'PartialGuild',
    description: 'A guild as the local protocol lists it.',
  }),
)

/** A guild as returned by GET_GUILD. */
export const RpcGuild = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    icon_url: z.string().nullable(),
    vanity_url_code: z.string().nullish(),
    members: z.array(z.unknown()).optional().meta({ description: 'Always empty; kept for compatibility.' }),
  }).meta({ id: 'RpcGuild', description: 'A guild as the local protocol shows it.' }),
)
export type RpcGuild = z.output<ReturnType<typeof RpcGuild>>

/** A guild of GET /users/@me/guilds. */
export const UserGuild = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    icon: z.string().nullable(),
    banner: z.string().nullable(),
    owner: z.boolean(),
    permissions: BitFieldText(),
    permissions_new: BitFieldText().optional(),
    features: z.array(z.string()),
    approximate_member_count: z.number().int().nullish(),
    approximate_presence_count: z.number().int().nullish(),
  }).meta({ id: 'UserGuild', description: 'A guild the user is in.' }),
)
export type UserGuild = z.output<ReturnType<typeof UserGuild>>

/** The user's membership in one guild. */
export const GuildMember = once(() =>
  tolerant({
    user_id: Snowflake(),
    guild_id: Snowflake(),
    nick: z.string().nullish(),
    avatar: z.string().nullish(),
    avatar_decoration_data: z.unknown().optional(),
    banner: z.string().nullish(),
    bio: z.string().nullish(),
    pronouns: z.string().nullish(),
    color_string: z.string().nullish(),
  }).meta({ id: 'GuildMember', description: "The user's membership in a guild." }),
)
export type GuildMember = z.output<ReturnType<typeof GuildMember>>

/** A guild of the HTTP API. */
export const Guild = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    icon: z.string().nullable(),
    banner: z.string().nullable(),
    description: z.string().nullish(),
    owner_id: Snowflake(),
    features: z.array(z.string()),
    roles: z.array(Role()),
    emojis: z.array(Emoji()),
    stickers: z.array(Sticker()).optional(),
    approximate_member_count: z.number().int().nullish(),
    approximate_presence_count: z.number().int().nullish(),
    home_header: z.string().nullish(),
    splash: z.string().nullish(),
    discovery_splash: z.string().nullish(),
    application_id: Snowflake().nullish(),
    region: z.string().nullish(),
    afk_channel_id: Snowflake().nullish(),
    afk_timeout: z.number().int().optional().meta({ description: 'In seconds.' }),
    system_channel_id: Snowflake().nullish(),
    system_channel_flags: z.number().int().optional(),
    rules_channel_id: Snowflake().nullish(),
    public_updates_channel_id: Snowflake().nullish(),
    safety_alerts_channel_id: Snowflake().nullish(),
    widget_enabled: z.boolean().optional(),
    widget_channel_id: Snowflake().nullish(),
    verification_level: z.number().int().optional(),
    default_message_notifications: z.number().int().optional(),
    explicit_content_filter: z.number().int().optional(),
    mfa_level: z.number().int().optional(),
    nsfw: z.boolean().optional(),
    nsfw_level: z.number().int().optional(),
    premium_tier: z.number().int().optional(),
    premium_subscription_count: z.number().int().optional(),
    premium_progress_bar_enabled: z.boolean().optional(),
    preferred_locale: z.string().optional(),
    vanity_url_code: z.string().nullish(),
    max_members: z.number().int().optional(),
    max_presences: z.number().int().nullish(),
    max_video_channel_users: z.number().int().optional(),
    max_stage_video_channel_users: z.number().int().optional(),
    incidents_data: z.unknown().optional(),
  }).meta({ id: 'Guild', description: 'A guild of the HTTP API.' }),
)
export type Guild = z.output<ReturnType<typeof Guild>>
