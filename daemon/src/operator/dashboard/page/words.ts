/** The technical names of the state in words for players. The names stay visible behind them. */
import { expandScopes, isOAuthScope, type ScopeName, SCOPES } from '@sallyport/protocol/scopes'

/** What the program can do with each scope, after "It can". */
export const PERMISSIONS: Readonly<Partial<Record<ScopeName, string>>> = {
  'account.global_name.update': 'change your display name',
  'activities.invites.write': 'invite your friends to games',
  'activities.read': 'see what you and your friends play',
  'activities.write': 'show what you play',
  'application_identities.write': 'link your account with an account of the game',
  'applications.builds.read': 'see the builds of the game',
  'applications.builds.upload': 'upload builds of the game',
  'applications.commands': 'add commands to your servers',
  'applications.commands.permissions.update': 'change who may use its commands',
  'applications.commands.update': 'change its commands',
  'applications.entitlements': 'see what you bought in the game',
  'applications.store.update': 'change the store page of the game',
  bot: 'add the bot of the game to a server',
  connections: 'see your linked accounts of other services',
  'dm_channels.messages.read': 'read your direct messages',
  'dm_channels.messages.write': 'send direct messages for you',
  'dm_channels.read': 'see with whom you have direct messages',
  email: 'see your e-mail address',
  'gateway.connect': 'receive news of your account while it runs',
  'gdm.join': 'add you to group chats',
  guilds: 'see which servers you are in',
  'guilds.channels.read': 'see the channels of your servers',
  'guilds.join': 'add you to servers',
  'guilds.members.read': 'see your name and roles in your servers',
  identify: 'see your name and picture',
  'identify.premium': 'see whether you have a paid subscription',
  'lobbies.write': 'bring you together with other players, and chat in the game',
  'managed_platform.application_identities.write': 'link your account with an account of the game',
  'messages.read': 'read messages in all channels that you see',
  openid: 'confirm to the game that you are you',
  'payment_sources.country_code': 'see the country of your payment method',
  'presences.read': 'see who is online',
  'presences.write': 'change whether you are shown as online',
  'relationships.read': 'see your friends',
  'relationships.write': 'change your list of friends',
  'role_connections.write': 'show your servers your progress in the game',
  rpc: 'control your desktop client',
  'rpc.api': 'use your account through your desktop client',
  'rpc.activities.write': 'show what you play through your desktop client',
  'rpc.notifications.read': 'read your notifications',
  'rpc.screenshare.read': 'see whether you share your screen',
  'rpc.screenshare.write': 'start and stop sharing your screen',
  'rpc.video.read': 'see whether your camera is on',
  'rpc.video.write': 'turn your camera on and off',
  'rpc.voice.read': 'see your voice chats and their settings',
  'rpc.voice.write': 'change your voice chats: mute you, move you, change the volume',
  voice: 'join voice chats as you',
  'webhook.incoming': 'post messages to a channel that you choose',
}

/** A scope of the platform that the table lacks has its name only. */
export const permissionText = (scope: string): string => (isOAuthScope(scope) ? PERMISSIONS[scope as ScopeName] : undefined) ?? scope

const isUmbrella = (scope: string): boolean => Object.hasOwn(SCOPES, scope) && 'expandsTo' in SCOPES[scope as ScopeName]

/** What a user can allow one by one: the scopes, and the parts of those that stand for several. */
export const partsOf = (scopes: readonly string[]): readonly string[] => [...expandScopes(scopes)].filter((scope) => !isUmbrella(scope))

export const KINDS: Readonly<Record<number, string>> = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }

/** What a provider brings, by its name. */
export const PROVIDERS: Readonly<Record<string, string>> = {
  'desktop-client': 'The desktop client',
  gateway: 'Live events',
  'guild-status-poll': 'State of your servers',
  'headless-sessions': 'Activities without the desktop client',
  webhook: 'Events that the platform delivers',
  invites: 'Invites',
}

export const PROVIDER_STATES = {
  idle: 'not needed now',
  active: 'works',
  unavailable: 'not there',
  failing: 'does not work',
} as const

export const PLATFORMS: Readonly<Record<string, string>> = {
  sandbox: 'Sandbox: a small platform on this machine, for trying games offline',
}

/** The system hands a socket over by its number, which says nothing to a person. */
export const socketText = (address: string): string => (address.startsWith('fd:') ? 'a socket that the system opened' : address)

/** Minutes and seconds, with hours if there are any. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const twoDigits = (count: number): string => String(count).padStart(2, '0')
  const hours = seconds >= 3600 ? `${Math.floor(seconds / 3600)}:` : ''
  return `${hours}${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}

export const dayText = (ms: number): string => new Date(ms).toLocaleDateString(undefined, { dateStyle: 'medium' })
export const timeText = (ms: number): string => new Date(ms).toLocaleTimeString(undefined, { timeStyle: 'short' })
