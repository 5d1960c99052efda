/** The wire form of a whole guild, for answers and events. */
import type { Guild } from '@sallyport/protocol'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { Platform } from '../platform.ts'
import type { StoredGuild } from '../store/records.ts'
import { emojiView } from './guild-emojis.ts'
import type { Operation } from './handlers.ts'
import { rolesView } from './roles.ts'
import { stickerView } from './stickers.ts'

/** Settings that nothing in the sandbox changes: those of a guild that was just created. */
const FRESH = {
  home_header: null,
  splash: null,
  discovery_splash: null,
  application_id: null,
  region: 'deprecated',
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  default_message_notifications: 0,
  mfa_level: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  vanity_url_code: null,
  safety_alerts_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  incidents_data: null,
}

/** What the features of the guild say of its settings: a community has rules and filters, icons of roles need boosts. */
export function settingsOf({ store }: Pick<Platform, 'store'>, guild: StoredGuild) {
  const isCommunity = guild.features.includes('COMMUNITY')
  const isBoosted = guild.features.includes('ROLE_ICONS')
  const first = store.channels.group(guild.id).find(({ type }) => type === CHANNEL_TYPES.text)?.id ?? null
  return {
    description: isCommunity ? `The community of ${guild.name}.` : null,
    preferred_locale: 'en-US',
    verification_level: isCommunity ? 1 : 0,
    explicit_content_filter: isCommunity ? 2 : 0,
    premium_tier: isBoosted ? 2 : 0,
    premium_subscription_count: isBoosted ? 7 : 0,
    system_channel_id: first,
    rules_channel_id: isCommunity ? first : null,
    public_updates_channel_id: isCommunity ? first : null,
  }
}

/** Without the counts of members. */
export function guildView(operation: Operation, guild: StoredGuild): Guild {
  const { platform } = operation
  const { store } = platform
  return {
    id: guild.id,
    name: guild.name,
    icon: guild.icon,
    banner: guild.banner,
    owner_id: guild.ownerId,
    features: [...guild.features],
    ...FRESH,
    ...settingsOf(platform, guild),
    roles: rolesView(store, guild),
    emojis: store.guildEmojis.group(guild.id).map((one) => emojiView(operation, one)),
    stickers: store.stickers.group(guild.id).map((one) => stickerView(operation, one)),
  }
}

export const countsOf = ({ members, onlineCount }: StoredGuild) => ({
  approximate_member_count: Object.keys(members).length,
  approximate_presence_count: onlineCount,
})
