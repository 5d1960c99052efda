/** Coverage of section 2.2, its first half: fields of channels, applications, users, guilds, SKUs and entitlements. */
import { implemented, type Statement } from './statement.ts'

const FIELDS = 'unit/protocol/records.test.ts'
const SANDBOX = 'unit/sandbox/api'
const SOLD = `${SANDBOX}/monetization.test.ts`
const CARRIED = `${SANDBOX}/record-fields.test.ts`

export const RECORDS: readonly Statement[] = [
  implemented(
    'application_id of a channel is a snowflake or null.',
    'protocol/src/records/channel.ts',
    `${FIELDS} > Channel knows application_id`,
  ),
  implemented(
    'It can be absent: a group direct message has no application_id, not even null.',
    'protocol/src/records/channel.ts | daemon/sandbox/src/control/interactions.ts',
    `${CARRIED} > of a group has no application_id, not even null`,
  ),
  implemented(
    'Flag 1 << 17 of a channel marks it as obfuscated.',
    'protocol/src/records/channel.ts',
    `unit/protocol/responses.test.ts > that are hidden have an obfuscated form | ${FIELDS} > Channel knows flags`,
  ),
  implemented(
    'An obfuscated channel is named ___hidden___.',
    'protocol/src/responses/channels.ts',
    `unit/protocol/responses.test.ts > that are hidden have an obfuscated form | ${SANDBOX}/dated-rules.test.ts > are obfuscated for an application with the setting`,
  ),
  implemented(
    'Its other sensitive fields are empty.',
    'protocol/src/responses/channels.ts',
    'unit/protocol/responses.test.ts > that are hidden have an obfuscated form',
  ),
  implemented(
    'Its one overwrite denies VIEW_CHANNEL to the @everyone role.',
    'protocol/src/responses/channels.ts',
    'unit/protocol/responses.test.ts > that are hidden have an obfuscated form',
  ),
  implemented(
    'Status and start time of a voice channel are not fields of the channel.',
    'daemon/sandbox/src/api/guilds.ts',
    `${CARRIED} > has no voice status, which only the gateway sends`,
  ),
  implemented(
    'They are read via the Channel Info event.',
    'command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/requests.ts',
    'unit/daemon/events/providers/gateway/bot-requests.test.ts > channel info is requested and received, the earliest request first',
  ),
  implemented(
    'The status is a text of at most 500 characters.',
    'endpoint:SET_VOICE_CHANNEL_STATUS',
    `unit/protocol/endpoints.test.ts > limit the status of a voice channel, which null clears | ${SANDBOX}/operations.test.ts > is refused elsewhere`,
  ),
  implemented(
    'Application flags are a 32-bit number, in requests too.',
    'protocol/src/records/application-settings.ts | endpoint:EDIT_CURRENT_APPLICATION',
    `${FIELDS} > CurrentApplication knows flags | ${SANDBOX}/current-application.test.ts > keeps what a change leaves out`,
  ),
  implemented(
    'Application flags_new is a text with all bits, beyond bit 30 too.',
    'protocol/src/records/application-settings.ts',
    `unit/protocol/bot-endpoints.test.ts > has bits beyond 30 as text | ${FIELDS} > CurrentApplication knows flags_new`,
  ),
  implemented(
    'integration_types_config contains scopes and permissions per installation context.',
    'protocol/src/records/application-settings.ts',
    `unit/protocol/bot-endpoints.test.ts > has install parameters for two contexts | ${FIELDS} > CurrentApplication knows integration_types_config`,
  ),
  implemented(
    'The approximate number of user installs is present for user-installable apps.',
    'protocol/src/records/application-settings.ts',
    `${FIELDS} > CurrentApplication knows approximate_user_install_count | ${SANDBOX}/current-application.test.ts > has a number of user installs only if users can install it`,
  ),
  implemented(
    'permissions_new is a bit field as text.',
    'protocol/src/records/role.ts | protocol/src/records/channel.ts | protocol/src/records/guild.ts | protocol/src/records/member.ts',
    `${FIELDS} > Role knows permissions_new | ${FIELDS} > Channel knows permissions_new | ${FIELDS} > Member knows permissions_new | ${FIELDS} > UserGuild knows permissions_new`,
  ),
  implemented(
    'allow_new and deny_new are bit fields as text.',
    'protocol/src/records/channel.ts',
    `${FIELDS} > Channel knows permission_overwrites`,
  ),
  implemented(
    'premium_type is 0 unless the app was approved for identify.premium.',
    'protocol/src/responses/premium.ts | endpoint:GET_CURRENT_USER',
    `unit/protocol/responses.test.ts > is 0 without identify.premium, and unchanged with it | unit/daemon/rpc/handlers/responses.test.ts > premium_type needs identify.premium | ${SANDBOX}/dated-rules.test.ts > is 0 without identify.premium | unit/sandbox/oauth/portal-settings.test.ts > is refused until the application has the setting, and names the scope`,
  ),
  implemented(
    'primary_guild of a user is the tag of a guild.',
    'protocol/src/records/user.ts',
    `${FIELDS} > User knows primary_guild | ${SANDBOX}/dated-rules.test.ts > tags of guilds have 1 to 4 characters`,
  ),
  implemented(
    'The tag has 1 to 4 characters.',
    'protocol/src/limits.ts | daemon/sandbox/src/seed/world.ts',
    `${SANDBOX}/dated-rules.test.ts > tags of guilds have 1 to 4 characters`,
  ),
  implemented(
    'A role still has its deprecated color.',
    'protocol/src/records/role.ts',
    `${FIELDS} > Role knows color | ${SANDBOX}/members.test.ts > shown one by one with their gradients`,
  ),
  implemented(
    'A role has colors, for gradients.',
    'protocol/src/records/role.ts',
    `${FIELDS} > Role knows colors | ${SANDBOX}/members.test.ts > shown one by one with their gradients`,
  ),
  implemented(
    'The guild feature ENHANCED_ROLE_COLORS marks guilds that can set gradients.',
    'daemon/sandbox/src/seed/world.ts | endpoint:GET_CURRENT_USER_GUILDS',
    `${CARRIED} > has gradients only where ENHANCED_ROLE_COLORS allows them`,
  ),
  implemented(
    'The roles of a channel invite are partial: id, name, position, color, colors, icon, unicode_emoji.',
    'protocol/src/records/invite.ts | daemon/sandbox/src/api/invite-view.ts | endpoint:GET_CHANNEL_INVITES',
    `${CARRIED} > has seven fields of its roles | conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it`,
  ),
  implemented('A guild member has a banner.', 'protocol/src/records/member.ts', `${FIELDS} > Member knows banner`),
  implemented(
    'A subscription lists the SKUs at renewal in renewal_sku_ids.',
    'protocol/src/records/subscription.ts',
    `${FIELDS} > Subscription knows renewal_sku_ids | unit/protocol/bot-endpoints.test.ts > include the renewal SKUs and the cancellation time of a subscription | ${SOLD} > go on, will end, or ended`,
  ),
  implemented(
    'Status 1 of a subscription is INACTIVE, 2 is ENDING.',
    'protocol/src/records/subscription.ts | daemon/sandbox/src/seed/shop.ts',
    `${SOLD} > go on, will end, or ended`,
  ),
  implemented(
    'A subscription contains its cancellation time.',
    'protocol/src/records/subscription.ts',
    `${FIELDS} > Subscription knows canceled_at | ${SOLD} > go on, will end, or ended`,
  ),
  implemented(
    'ends_at of an entitlement is null while its subscription is active, and set when it ends.',
    'protocol/src/records/entitlement.ts | daemon/sandbox/src/api/entitlements.ts',
    `${FIELDS} > Entitlement knows ends_at | ${SOLD} > come from subscriptions: open while they go on`,
  ),
  implemented(
    'An entitlement of a subscription has type 8 before the migration and 1 after it.',
    'protocol/src/records/entitlement.ts | daemon/sandbox/src/api/entitlements.ts',
    `${SANDBOX}/dated-rules.test.ts > is an application subscription before the migration, and a purchase from then on`,
  ),
]
