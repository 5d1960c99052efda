/** The wire form of users. */
import type { User } from '@sallyport/protocol'
import { applicationOf, type Platform } from '../platform.ts'
import type { StoredApplication, StoredUser } from '../store/records.ts'

type World = Pick<Platform, 'store'>

export const userView = (world: World, user: StoredUser): User => ({
  id: user.id,
  username: user.username,
  discriminator: '0',
  global_name: user.globalName,
  avatar: null,
  avatar_decoration_data: null,
  banner: null,
  accent_color: null,
  flags: 0,
  public_flags: 0,
  primary_guild: primaryGuild(world, user),
})

/** The guild whose tag the user shows: the user's own. */
function primaryGuild({ store }: World, { id, guildTag }: StoredUser): User['primary_guild'] {
  const guild = guildTag === null ? undefined : store.guilds.all().find(({ ownerId }) => ownerId === id)
  return guild === undefined ? null : { identity_guild_id: guild.id, identity_enabled: true, tag: guildTag, badge: null }
}

const VERIFIED_BOT = 1 << 16

/** The bot user of an application. */
export function botView(application: StoredApplication): User {
  const flags = application.isVerified === true ? VERIFIED_BOT : 0
  return {
    id: application.id,
    username: application.name,
    discriminator: '0',
    global_name: null,
    avatar: null,
    bot: true,
    flags,
    public_flags: flags,
    primary_guild: null,
  }
}

/** A user by id; an application's id returns its bot. Undefined when there is none. */
export function personView(platform: Platform, applicationId: string, id: string): User | undefined {
  const user = platform.store.users.get(id)
  if (user !== undefined) return userView(platform, user)
  return id === applicationId ? botView(applicationOf(platform, applicationId)) : undefined
}
