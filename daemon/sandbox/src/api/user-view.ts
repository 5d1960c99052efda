/** The wire form of users. */
import type { User } from '@sallyport/protocol'
import { applicationOf, type Platform } from '../platform.ts'
import type { StoredApplication, StoredUser } from '../store/records.ts'

export const userView = (user: StoredUser): User => ({
  id: user.id,
  username: user.username,
  discriminator: '0',
  global_name: user.globalName,
  avatar: null,
  avatar_decoration_data: null,
  banner: null,
  accent_color: null,
  public_flags: 0,
})

const VERIFIED_BOT = 1 << 16

/** The bot user of an application. */
export const botView = (application: StoredApplication): User => ({
  id: application.id,
  username: application.name,
  discriminator: '0',
  global_name: null,
  avatar: null,
  bot: true,
  public_flags: application.isVerified === true ? VERIFIED_BOT : 0,
})

/** A user by id; an application's id returns its bot. Undefined when there is none. */
export function personView(platform: Platform, applicationId: string, id: string): User | undefined {
  const user = platform.store.users.get(id)
  if (user !== undefined) return userView(user)
  return id === applicationId ? botView(applicationOf(platform, applicationId)) : undefined
}
