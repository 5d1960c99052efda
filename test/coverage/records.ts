/** Coverage of section 2.2, its first half: fields of channels, applications, users, guilds, SKUs and entitlements. */
import { implemented, type Statement } from './statement.ts'

export const RECORDS: readonly Statement[] = [
  implemented('2.2-1', 'application_id of a channel is a snowflake or null.', 'Channel.application_id | protocol/src/records/channel.ts'),
  implemented(
    '2.2-2',
    'It can be absent: a group direct message has no application_id, not even null.',
    'protocol/src/records/channel.ts | daemon/sandbox/src/control/interactions.ts',
  ),
  implemented(
    '2.2-3',
    'Flag 1 << 17 of a channel marks it as obfuscated.',
    'CHANNEL_OBFUSCATED | Channel.flags | protocol/src/records/channel.ts',
  ),
  implemented('2.2-4', 'An obfuscated channel is named ___hidden___.', 'protocol/src/responses/channels.ts#HIDDEN_NAME'),
  implemented('2.2-5', 'Its other sensitive fields are empty.', 'obfuscatedChannel | protocol/src/responses/channels.ts'),
  implemented(
    '2.2-6',
    'Its one overwrite denies VIEW_CHANNEL to the @everyone role.',
    'PERMISSIONS.VIEW_CHANNEL | obfuscatedChannel | protocol/src/responses/channels.ts',
  ),
  implemented('2.2-7', 'Status and start time of a voice channel are not fields of the channel.', 'daemon/sandbox/src/api/guilds.ts'),
  implemented(
    '2.2-8',
    'They are read via the Channel Info event, and a status that is cleared is null in its event.',
    'GATEWAY_OPCODES.REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/requests.ts',
  ),
  implemented('2.2-9', 'The status is a text of at most 500 characters.', 'LIMITS.voiceChannelStatus'),
  implemented(
    '2.2-10',
    'Application flags are a 32-bit number, in requests too.',
    'CurrentApplication.flags | ENDPOINTS.EDIT_CURRENT_APPLICATION.args.flags | protocol/src/records/application-settings.ts',
  ),
  implemented(
    '2.2-11',
    'Application flags_new is a text with all bits, beyond bit 30 too.',
    'CurrentApplication.flags_new | protocol/src/records/application-settings.ts',
  ),
  implemented(
    '2.2-12',
    'integration_types_config contains scopes and permissions per installation context.',
    'CurrentApplication.integration_types_config | protocol/src/records/application-settings.ts',
  ),
  implemented(
    '2.2-13',
    'The approximate number of user installs is present for user-installable apps.',
    'CurrentApplication.approximate_user_install_count | protocol/src/records/application-settings.ts',
  ),
  implemented(
    '2.2-14',
    'permissions_new is a bit field as text.',
    'Role.permissions_new | Channel.permissions_new | UserGuild.permissions_new | Member.permissions_new | protocol/src/records/role.ts | protocol/src/records/channel.ts | protocol/src/records/guild.ts | protocol/src/records/member.ts',
  ),
  implemented(
    '2.2-15',
    'allow_new and deny_new are bit fields as text.',
    'Channel.permission_overwrites.allow_new | Channel.permission_overwrites.deny_new | protocol/src/records/channel.ts',
  ),
  implemented(
    '2.2-16',
    'premium_type is 0 unless the app was approved for identify.premium.',
    'withAllowedPremium | daemon/sandbox/src/oauth/portal-settings.ts#RESTRICTED[identify.premium] | protocol/src/responses/premium.ts',
  ),
  implemented('2.2-17', 'primary_guild of a user is the tag of a guild.', 'User.primary_guild | protocol/src/records/user.ts'),
  implemented(
    '2.2-18',
    'The tag has 1 to 4 characters: the reference says so, and the sandbox has no longer one.',
    'LIMITS.guildTag | protocol/src/limits.ts | daemon/sandbox/src/seed/world.ts',
  ),
  implemented('2.2-19', 'A role still has its deprecated color.', 'protocol/src/records/role.ts'),
  implemented('2.2-20', 'A role has colors, for gradients.', 'Role.colors.secondary_color | protocol/src/records/role.ts'),
  implemented(
    '2.2-21',
    'The guild feature ENHANCED_ROLE_COLORS marks guilds that can set gradients.',
    'daemon/sandbox/src/seed/world.ts#WORLD.guilds[Harbour].features',
  ),
  implemented(
    '2.2-22',
    'The roles of a channel invite are partial: id, name, position, color, colors, icon, unicode_emoji.',
    'ChannelInvite.roles | protocol/src/records/invite.ts | daemon/sandbox/src/api/invite-view.ts',
  ),
  implemented('2.2-23', 'A guild member has a banner.', 'Member.banner | protocol/src/records/member.ts'),
  implemented(
    '2.2-24',
    'A subscription lists the SKUs at renewal in renewal_sku_ids.',
    'Subscription.renewal_sku_ids | protocol/src/records/subscription.ts',
  ),
  implemented(
    '2.2-25',
    'Status 1 of a subscription is INACTIVE, 2 is ENDING.',
    'daemon/sandbox/src/seed/shop.ts#SUBSCRIBERS[linus].status | daemon/sandbox/src/seed/shop.ts#SUBSCRIBERS[grace].status | protocol/src/records/subscription.ts',
  ),
  implemented(
    '2.2-26',
    'A subscription contains its cancellation time.',
    'Subscription.canceled_at | protocol/src/records/subscription.ts',
  ),
  implemented(
    '2.2-27',
    'ends_at of an entitlement is null while its subscription is active, and set when it ends.',
    'Entitlement.ends_at | protocol/src/records/entitlement.ts | daemon/sandbox/src/api/entitlements.ts',
  ),
  implemented(
    '2.2-28',
    'An entitlement of a subscription has type 8 before the migration and 1 after it.',
    'VERSIONS[entitlement-migration] | daemon/sandbox/src/api/entitlements.ts#ENTITLEMENT_TYPES.purchase | daemon/sandbox/src/api/entitlements.ts#ENTITLEMENT_TYPES.applicationSubscription | protocol/src/records/entitlement.ts',
  ),
]
