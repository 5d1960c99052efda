/** The ENDPOINTS table: operations of the platform's HTTP API that the bridge forwards. */
import { tableOf } from '../table.ts'
import * as account from './account.ts'
import * as applicationCommands from './application-commands.ts'
import * as applications from './applications.ts'
import * as auditLog from './audit-log.ts'
import * as autoModeration from './auto-moderation.ts'
import * as bans from './bans.ts'
import * as channels from './channels.ts'
import * as commandPermissions from './command-permissions.ts'
import * as directMessages from './direct-messages.ts'
import * as emoji from './emoji.ts'
import * as gateway from './gateway.ts'
import * as guildEmoji from './guild-emoji.ts'
import * as guildMembers from './guild-members.ts'
import * as guilds from './guilds.ts'
import * as headlessSessions from './headless-sessions.ts'
import * as interactions from './interactions.ts'
import * as invites from './invites.ts'
import * as lobbies from './lobbies.ts'
import * as lobbyBackend from './lobby-backend.ts'
import * as lobbyMembership from './lobby-membership.ts'
import * as members from './members.ts'
import * as messages from './messages.ts'
import * as monetization from './monetization.ts'
import * as oauth2 from './oauth2.ts'
import * as partner from './partner.ts'
import * as pins from './pins.ts'
import * as reactions from './reactions.ts'
import * as relationships from './relationships.ts'
import * as roleConnections from './role-connections.ts'
import * as roles from './roles.ts'
import * as scheduledEvents from './scheduled-events.ts'
import * as soundboard from './soundboard.ts'
import * as stickers from './stickers.ts'
import * as userMessages from './user-messages.ts'
import * as users from './users.ts'

/** The rows by family. */
export const ENDPOINT_FAMILIES = {
  account,
  'application-commands': applicationCommands,
  applications,
  'audit-log': auditLog,
  'auto-moderation': autoModeration,
  bans,
  channels,
  'command-permissions': commandPermissions,
  'direct-messages': directMessages,
  emoji,
  gateway,
  'guild-emoji': guildEmoji,
  'guild-members': guildMembers,
  guilds,
  'headless-sessions': headlessSessions,
  interactions,
  invites,
  lobbies,
  'lobby-backend': lobbyBackend,
  'lobby-membership': lobbyMembership,
  members,
  messages,
  monetization,
  oauth2,
  partner,
  pins,
  reactions,
  relationships,
  'role-connections': roleConnections,
  roles,
  'scheduled-events': scheduledEvents,
  soundboard,
  stickers,
  'user-messages': userMessages,
  users,
} as const

export const ENDPOINTS = tableOf(ENDPOINT_FAMILIES)

export type EndpointName = keyof typeof ENDPOINTS
export const isEndpointName = (text: string): text is EndpointName => Object.hasOwn(ENDPOINTS, text)
