/** The installation part of an authorization, as text for the consent page. */
import { PERMISSIONS } from '@sallyport/protocol'
import type { Platform } from '../platform.ts'
import type { AuthorizeRequest } from './authorize-request.ts'

const WHERE = { 0: 'a guild', 1: 'your account' } as const

const permissionNames = (bits: string): string =>
  Object.entries(PERMISSIONS)
    .filter(([, { bit }]) => (BigInt(bits) & bit) !== 0n)
    .map(([name]) => name)
    .join(', ')

/** One line for each given field. */
export function installDetails({ store }: Platform, { install }: AuthorizeRequest): (readonly [string, string])[] {
  const { integrationType, permissions, guildId, channelId, isGuildFixed, guestName } = install
  const named = (name: string | undefined, id: string): string => (name === undefined ? id : `${name} (${id})`)
  const lines: (readonly [string, string | undefined])[] = [
    ['Adds commands to', integrationType === undefined ? undefined : WHERE[integrationType]],
    ['Permissions of the bot', permissions === undefined ? undefined : `${permissions}: ${permissionNames(permissions) || 'none known'}`],
    ['Guild', guildId === undefined ? undefined : named(store.guilds.get(guildId)?.name, guildId) + (isGuildFixed ? ', and no other' : '')],
    ['Channel', channelId === undefined ? undefined : named(store.channels.get(channelId)?.name, channelId)],
    ['Proposed guest name', guestName],
  ]
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}
