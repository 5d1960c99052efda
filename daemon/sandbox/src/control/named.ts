/** Finds guilds, channels and users by id or name, as the inputs of the control interface have them. */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform } from '../platform.ts'
import type { StoredChannel, StoredGuild, StoredUser } from '../store/records.ts'

/** Id or name. */
export const Named = once(() => z.string().min(1))

/** Throws unknownGuild. */
export function guildOf({ store }: Platform, named: string): StoredGuild {
  const guild = store.guilds.get(named) ?? store.guilds.all().find(({ name }) => name === named)
  if (guild === undefined) throw new PlatformError('unknownGuild')
  return guild
}

/** Throws unknownChannel. */
export function channelOf({ store }: Platform, named: string): StoredChannel {
  const channel = store.channels.get(named) ?? store.channels.all().find(({ name }) => name === named)
  if (channel === undefined) throw new PlatformError('unknownChannel')
  return channel
}

/** Throws unknownUser. */
export function userOf(platform: Platform, named: string): StoredUser {
  const user = findUser(platform, named)
  if (user === undefined) throw new PlatformError('unknownUser')
  return user
}
