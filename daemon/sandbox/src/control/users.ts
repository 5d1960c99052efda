/** Users that come, change and go, for which the API has no operation. */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { endWrites } from '../oauth/sign-ins.ts'
import { USERS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { defaultUser, type Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredReaction } from '../store/guild-item-records.ts'
import type { StoredUser } from '../store/records.ts'
import { Named, userOf } from './named.ts'

/** With `user` an existing one, else a new one. Omitted fields stay unchanged. */
export const PersonInput = once(() =>
  z
    .strictObject({
      user: Named().optional(),
      username: z
        .string()
        .regex(/^[a-z0-9_.]{2,32}$/)
        .optional(),
      global_name: z.string().min(1).max(32).optional(),
      deleted: z.literal(true).optional(),
    })
    .refine(({ user, username }) => user !== undefined || username !== undefined, { message: 'must have a user or a username' }),
)

const refused = (message: string): PlatformError => new PlatformError('invalidForm', { message })

/** Returns the user; null for a deleted one. Throws unknownUser, or invalidForm for a taken name, too many users, or one who must stay. */
export function changePerson(platform: Platform, { user, username, global_name, deleted }: z.output<ReturnType<typeof PersonInput>>) {
  const { store } = platform
  const known = user === undefined ? undefined : userOf(platform, user)
  if (known !== undefined && deleted === true) {
    store.commit(userEndWrites(platform, known))
    return null
  }
  if (username !== undefined && store.users.all().some((one) => one.username === username && one.id !== known?.id))
    throw refused('Another user has this username.')
  if (known === undefined && store.users.size >= USERS_MAX) throw refused('The sandbox has too many users.')
  const before = known ?? newUser(platform, username ?? '')
  const after: StoredUser = { ...before, username: username ?? before.username, globalName: global_name ?? before.globalName }
  store.commit([store.users.put(after.id, after)])
  return { id: after.id, username: after.username, global_name: after.globalName }
}

const newUser = ({ ids }: Platform, username: string): StoredUser => ({
  id: ids.next(),
  username,
  globalName: username,
  email: `${username}@sandbox.example`,
  locale: 'en-US',
  guildTag: null,
  connections: [],
})

/** The writes that remove a user with all that names the user. Throws invalidForm for one who must stay. */
export function userEndWrites(platform: Platform, { id }: StoredUser): Write[] {
  const { store } = platform
  if (id === defaultUser(platform).id) throw refused('The user who is signed in by default stays.')
  if (store.guilds.all().some(({ ownerId }) => ownerId === id)) throw refused('The owner of a guild stays.')
  const names = (one: object): boolean => Object.values(one).includes(id)
  const without = (list: readonly string[]): readonly string[] => list.filter((other) => other !== id)
  return [
    ...store.authorizations
      .all()
      .filter(({ userId }) => userId === id)
      .flatMap((one) => endWrites(platform, one.id)),
    ...[
      store.relationships,
      store.gameRelationships,
      store.userMessages,
      store.channelMessages,
      store.messages,
      store.consents,
      store.codes,
      store.headlessSessions,
      store.guildBans,
      store.externalIdentities,
      store.entitlements,
      store.subscriptions,
    ].flatMap((collection) => collection.writes().flatMap((write) => (names(write.value ?? {}) ? [{ ...write, value: undefined }] : []))),
    ...store.reactions.writes().flatMap(({ id: key, value }) => {
      const reaction = value as StoredReaction
      return reaction.userIds.includes(id) ? [store.reactions.put(key, { ...reaction, userIds: without(reaction.userIds) })] : []
    }),
    ...store.guilds
      .all()
      .filter(({ members }) => Object.hasOwn(members, id))
      .map((guild) => {
        const { [id]: _, ...members } = guild.members
        return store.guilds.put(guild.id, { ...guild, members })
      }),
    ...store.roles
      .all()
      .filter(({ memberIds }) => memberIds.includes(id))
      .map((role) => store.roles.put(role.id, { ...role, memberIds: without(role.memberIds) })),
    ...store.channels
      .all()
      .filter(({ connectedUsers }) => connectedUsers.includes(id))
      .map((channel) => store.channels.put(channel.id, { ...channel, connectedUsers: without(channel.connectedUsers) })),
    ...store.lobbies
      .all()
      .filter(({ members }) => members.some((member) => member.id === id))
      .map((lobby) => store.lobbies.put(lobby.id, { ...lobby, members: lobby.members.filter((member) => member.id !== id) })),
    ...(store.bans.get(id) === undefined ? [] : [store.bans.delete(id)]),
    store.users.delete(id),
  ]
}
