/** Coverage of section 2.2, its first half: fields of channels, applications, users, guilds and what is sold. */
import { held, type Statement } from './statement.ts'

const FIELDS = 'unit/protocol/records.test.ts'
const SANDBOX = 'unit/sandbox/api'
const SOLD = `${SANDBOX}/monetization.test.ts`
const CARRIED = `${SANDBOX}/record-fields.test.ts`

export const RECORDS: readonly Statement[] = [
  held(
    'application_id of a channel is a snowflake or null.',
    'protocol/src/records/channel.ts',
    `${FIELDS} > Channel knows application_id`,
  ),
  held(
    'It may be absent: a group direct message has none, not even null.',
    'protocol/src/records/channel.ts | daemon/sandbox/src/control/interactions.ts',
    `${CARRIED} > of a group has no application_id, not even null`,
  ),
  held(
    'Flag 1 << 17 of a channel marks it as obfuscated.',
    'protocol/src/records/channel.ts',
    `unit/protocol/answers.test.ts > that are hidden say only that they are there | ${FIELDS} > Channel knows flags`,
  ),
  held(
    'An obfuscated channel is named ___hidden___.',
    'protocol/src/answers/channels.ts',
    `unit/protocol/answers.test.ts > that are hidden say only that they are there | ${SANDBOX}/dated-rules.test.ts > say nothing of themselves to an application that asked for that`,
  ),
  held(
    'Its other sensitive fields are emptied.',
    'protocol/src/answers/channels.ts',
    'unit/protocol/answers.test.ts > that are hidden say only that they are there',
  ),
  held(
    'Its one overwrite denies VIEW_CHANNEL to the role of everyone.',
    'protocol/src/answers/channels.ts',
    'unit/protocol/answers.test.ts > that are hidden say only that they are there',
  ),
  held(
    'Status and start time of a voice channel are no fields of the channel.',
    'daemon/sandbox/src/api/guilds.ts',
    `${CARRIED} > carries no status of voice, which only the gateway tells`,
  ),
  held(
    'They are read through the Channel Info event.',
    'command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/asks.ts',
    'unit/daemon/events/providers/gateway/questions.test.ts > what passes in channels is asked for and answered, the earliest question first',
  ),
  held(
    'The status is a text of at most 500 characters.',
    'endpoint:SET_VOICE_CHANNEL_STATUS',
    `unit/protocol/endpoints.test.ts > bound the status of a voice channel, which null clears | ${SANDBOX}/operations.test.ts > is refused elsewhere`,
  ),
  held(
    'Application flags are a 32-bit number, in requests too.',
    'protocol/src/records/application-settings.ts | endpoint:EDIT_CURRENT_APPLICATION',
    `${FIELDS} > CurrentApplication knows flags | ${SANDBOX}/current-application.test.ts > keeps what a change leaves out`,
  ),
  held(
    'Application flags_new is a text with all bits, beyond bit 30 too.',
    'protocol/src/records/application-settings.ts',
    `unit/protocol/bot-endpoints.test.ts > tells bits beyond 30 as text | ${FIELDS} > CurrentApplication knows flags_new`,
  ),
  held(
    'integration_types_config gives scopes and permissions for each installation context.',
    'protocol/src/records/application-settings.ts',
    `unit/protocol/bot-endpoints.test.ts > is installed in two contexts, with what each asks for | ${FIELDS} > CurrentApplication knows integration_types_config`,
  ),
  held(
    'The approximate number of user installs is there for apps that users install.',
    'protocol/src/records/application-settings.ts',
    `${FIELDS} > CurrentApplication knows approximate_user_install_count | ${SANDBOX}/current-application.test.ts > counts those who use it`,
  ),
  held(
    'permissions_new is a bit field as text.',
    'protocol/src/records/role.ts | protocol/src/records/channel.ts | protocol/src/records/guild.ts | protocol/src/records/member.ts',
    `${FIELDS} > Role knows permissions_new | ${FIELDS} > Channel knows permissions_new | ${FIELDS} > Member knows permissions_new | ${FIELDS} > UserGuild knows permissions_new`,
  ),
  held(
    'allow_new and deny_new are bit fields as text.',
    'protocol/src/records/channel.ts',
    `${FIELDS} > Channel knows permission_overwrites`,
  ),
  held(
    'premium_type is 0 unless the app was approved for identify.premium.',
    'protocol/src/answers/premium.ts | endpoint:GET_CURRENT_USER',
    `unit/protocol/answers.test.ts > is 0 without identify.premium | unit/daemon/rpc/handlers/answers.test.ts > premium_type needs identify.premium | ${SANDBOX}/dated-rules.test.ts > is 0 without identify.premium`,
  ),
  held(
    'primary_guild of a user is the tag of a guild.',
    'protocol/src/records/user.ts',
    `${FIELDS} > User knows primary_guild | ${SANDBOX}/dated-rules.test.ts > tags of guilds have 1 to 4 characters`,
  ),
  held(
    'The tag has 1 to 4 characters.',
    'protocol/src/limits.ts | daemon/sandbox/src/seed/world.ts',
    `${SANDBOX}/dated-rules.test.ts > tags of guilds have 1 to 4 characters`,
  ),
  held(
    'A role has its deprecated color still.',
    'protocol/src/records/role.ts',
    `${FIELDS} > Role knows color | ${SANDBOX}/members.test.ts > shown one by one with their gradients`,
  ),
  held(
    'A role has colors, for gradients.',
    'protocol/src/records/role.ts',
    `${FIELDS} > Role knows colors | ${SANDBOX}/members.test.ts > shown one by one with their gradients`,
  ),
  held(
    'The guild feature ENHANCED_ROLE_COLORS shows that a guild may set gradients.',
    'daemon/sandbox/src/seed/world.ts | endpoint:GET_CURRENT_USER_GUILDS',
    `${CARRIED} > has gradients only where ENHANCED_ROLE_COLORS allows them`,
  ),
  held(
    'The roles of a channel invite are partial: id, name, position, color, colors, icon, unicode_emoji.',
    'protocol/src/records/invite.ts | daemon/sandbox/src/api/invite-view.ts | endpoint:GET_CHANNEL_INVITES',
    `${CARRIED} > tells seven things of the roles it gives | conformance/vectors/messages.json > GET_CHANNEL_INVITES`,
  ),
  held('A guild member has a banner.', 'protocol/src/records/member.ts', `${FIELDS} > Member knows banner`),
  held(
    'A subscription lists the SKUs at renewal in renewal_sku_ids.',
    'protocol/src/records/subscription.ts',
    `${FIELDS} > Subscription knows renewal_sku_ids | unit/protocol/bot-endpoints.test.ts > tells what a subscription will be at its renewal | ${SOLD} > go on, will end, or ended`,
  ),
  held(
    'Status 1 of a subscription is INACTIVE, 2 is ENDING.',
    'protocol/src/records/subscription.ts | daemon/sandbox/src/seed/shop.ts',
    `${SOLD} > go on, will end, or ended`,
  ),
  held(
    'A subscription tells when it was canceled.',
    'protocol/src/records/subscription.ts',
    `${FIELDS} > Subscription knows canceled_at | ${SOLD} > go on, will end, or ended`,
  ),
  held(
    'ends_at of an entitlement is null while its subscription goes on, and set when it ends.',
    'protocol/src/records/entitlement.ts | daemon/sandbox/src/api/entitlements.ts',
    `${FIELDS} > Entitlement knows ends_at | ${SOLD} > come from subscriptions: open while they go on`,
  ),
  held(
    'An entitlement of a subscription has type 8 before the migration and 1 after it.',
    'protocol/src/records/entitlement.ts | daemon/sandbox/src/api/entitlements.ts',
    `${SANDBOX}/dated-rules.test.ts > is an application subscription before the migration, and a purchase from then on`,
  ),
]
