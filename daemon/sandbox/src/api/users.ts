/** The current user: profile, connections, guilds and authorization. */
import { LIMITS, listedConnections, PERMISSIONS, REMOVED_CONNECTIONS } from '@sallyport/protocol'
import { maySee } from '../oauth/portal-settings.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { PlatformError } from '../platform-error.ts'
import { compareIds } from '../snowflake.ts'
import type { StoredGuild } from '../store/records.ts'
import { applicationUserKey } from '../store/store.ts'
import { userClaims } from '../oauth/id-token.ts'
import { guildFor } from './access.ts'
import { applicationView } from './application-view.ts'
import type { ApiCaller } from './authentication.ts'
import { entitlementHandlers } from './entitlements.ts'
import { countsOf } from './guild-view.ts'
import { asUser, type Handler, type Handlers } from './handlers.ts'
import { memberView } from './members.ts'
import { guildPermissions } from './permissions.ts'
import { botView, personView, userView } from './user-view.ts'

const getCurrentUser: Handler<'GET_CURRENT_USER'> = (_, { platform, caller }) => {
  if (caller.kind === 'bot') return { ...botView(applicationOf(platform, caller.applicationId)), ...BOT_ACCOUNT }
  const { user, held, applicationId } = caller
  const seesPremium = held.has('identify.premium') && maySee(platform, applicationId, 'identify.premium')
  return {
    ...userView(platform, user),
    mfa_enabled: false,
    locale: user.locale,
    premium_type: seesPremium ? (user.premiumType ?? 0) : 0,
    ...(held.has('email') ? { email: user.email, verified: true } : {}),
  }
}

/** What only its own bot reads of it. A bot has no address. */
const BOT_ACCOUNT = { mfa_enabled: false, locale: 'en-US', premium_type: 0, email: null, verified: true }

const getCurrentUserConnections: Handler<'GET_CURRENT_USER_CONNECTIONS'> = (_, { platform, caller }) =>
  listedConnections(asUser(caller).user.connections, REMOVED_CONNECTIONS, platform.clock.now()).map(
    ({ id, name, type, verified, friendSync, showActivity, visibility }) => ({
      id,
      name,
      type,
      verified,
      revoked: false,
      integrations: [],
      friend_sync: friendSync,
      show_activity: showActivity,
      two_way_link: false,
      visibility,
    }),
  )

const getCurrentUserGuilds: Handler<'GET_CURRENT_USER_GUILDS'> = (
  { before, after, limit = LIMITS.guildsPage.value, with_counts },
  { platform, caller },
) => {
  const guilds = platform.store.guilds
    .all()
    .filter((guild) => guildPermissions(platform, guild, caller) !== undefined)
    .filter(({ id }) => (before === undefined || compareIds(id, before) < 0) && (after === undefined || compareIds(id, after) > 0))
    .toSorted((a, b) => compareIds(a.id, b.id))
  // With `before`, the page ends directly before it.
  const page = before !== undefined && after === undefined ? guilds.slice(-limit) : guilds.slice(0, limit)
  return page.map((guild) => guildView(platform, guild, caller, with_counts ?? false))
}

const KNOWN_PERMISSIONS = Object.values(PERMISSIONS).reduce((sum, { bit }) => sum | bit, 0n)

const permissionsOf = (platform: Platform, guild: StoredGuild, caller: ApiCaller): string =>
  ((guildPermissions(platform, guild, caller) ?? 0n) & KNOWN_PERMISSIONS).toString()

const guildView = (platform: Platform, guild: StoredGuild, caller: ApiCaller, withCounts: boolean) => ({
  id: guild.id,
  name: guild.name,
  icon: guild.icon,
  banner: guild.banner,
  owner: guild.ownerId === caller.id,
  permissions: permissionsOf(platform, guild, caller),
  permissions_new: permissionsOf(platform, guild, caller),
  features: [...guild.features],
  ...(withCounts ? countsOf(guild) : {}),
})

const getCurrentAuthorizationInformation: Handler<'GET_CURRENT_AUTHORIZATION_INFORMATION'> = (_, { platform, caller }) => {
  const { applicationId, scopes, expiresAt, held, user } = asUser(caller)
  return {
    application: applicationView(platform, applicationId),
    scopes: [...scopes],
    expires: new Date(expiresAt).toISOString().replace('Z', '000+00:00'),
    ...(held.has('identify') ? { user: userView(platform, user) } : {}),
  }
}

const getOpenidConnectUserInfo: Handler<'GET_OPENID_CONNECT_USER_INFO'> = (_, { caller }) => {
  const { user, scopes } = asUser(caller)
  return userClaims(user, scopes)
}

const getCurrentUserGuildMember: Handler<'GET_CURRENT_USER_GUILD_MEMBER'> = ({ guild_id }, operation) =>
  memberView(operation, guildFor(operation, guild_id), asUser(operation.caller).id)

/** Only active entitlements; consumed ones on request. */
const getCurrentUserApplicationEntitlements: Handler<'GET_CURRENT_USER_APPLICATION_ENTITLEMENTS'> = (
  { exclude_consumed = true, ...args },
  operation,
) => {
  asUser(operation.caller)
  const active = entitlementHandlers.LIST_ENTITLEMENTS({ ...args, exclude_ended: true }, operation)
  return exclude_consumed ? active.filter(({ consumed }) => consumed !== true) : active
}

const getUserByBot: Handler<'GET_USER_BY_BOT'> = ({ user_id }, { platform, caller }) => {
  const user = personView(platform, caller.applicationId, user_id)
  if (user === undefined) throw new PlatformError('unknownUser')
  return user
}

/** The sandbox has identities of the calling application only, and no game profiles. */
const getUserApplicationIdentities: Handler<'GET_USER_APPLICATION_IDENTITIES'> = ({ user_id }, { platform, caller }) => {
  const { store } = platform
  if (store.users.get(user_id) === undefined) throw new PlatformError('unknownUser')
  const identities = store.externalIdentities.group(applicationUserKey(caller.applicationId, user_id))
  return { identities: identities.map(({ applicationId, name }) => ({ application_id: applicationId, provider_issued_user_id: name })) }
}

export const userHandlers = {
  GET_USER_APPLICATION_IDENTITIES: getUserApplicationIdentities,
  GET_USER_BY_BOT: getUserByBot,
  GET_CURRENT_USER_APPLICATION_ENTITLEMENTS: getCurrentUserApplicationEntitlements,
  GET_CURRENT_USER_GUILD_MEMBER: getCurrentUserGuildMember,
  GET_OPENID_CONNECT_USER_INFO: getOpenidConnectUserInfo,
  GET_CURRENT_AUTHORIZATION_INFORMATION: getCurrentAuthorizationInformation,
  GET_CURRENT_USER: getCurrentUser,
  GET_CURRENT_USER_CONNECTIONS: getCurrentUserConnections,
  GET_CURRENT_USER_GUILDS: getCurrentUserGuilds,
} satisfies Partial<Handlers>
