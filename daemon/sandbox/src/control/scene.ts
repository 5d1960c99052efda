/** Who and what takes part in an event on demand: users, the bot, a guild and its channels, of the data that is there. */
import type { Operation } from '../api/handlers.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { PlatformError } from '../platform-error.ts'
import { defaultUser, type Platform } from '../platform.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { Write } from '../store/collection.ts'
import type { StoredChannel, StoredChannelMessage, StoredGuild, StoredUser } from '../store/records.ts'
import { RELATIONSHIP_TYPES } from '../store/relationships.ts'
import { userOf } from './named.ts'

export interface Scene {
  readonly platform: Platform
  readonly gateway: Pick<Gateway, 'publish'>
  readonly applicationId: string
  /** Who plays the game. */
  readonly user: StoredUser
  /** A friend of the user, in the guild. */
  readonly friend: StoredUser
  /** No friend in the guild; outside of it, if there is such a user. */
  readonly stranger: StoredUser
  /** With the bot and both friends. */
  readonly guild: StoredGuild
  readonly channel: StoredChannel
  readonly voice: StoredChannel
  /** What the bot does. */
  readonly bot: Operation
  /** What the friend does in the game. */
  readonly byFriend: Operation
  readonly put: (...writes: readonly Write[]) => void
}

const found = <Value>(value: Value | undefined, what: string): Value => {
  if (value === undefined) throw new PlatformError('invalidForm', { message: `The sandbox has no ${what} for this event.` })
  return value
}

/** Throws unknownUser, or invalidForm if the data lacks what an event needs. */
export function sceneOf(
  platform: Platform,
  gateway: Pick<Gateway, 'publish'>,
  { applicationId, username }: { readonly applicationId: string; readonly username: string | undefined },
): Scene {
  const { store } = platform
  const user = username === undefined ? defaultUser(platform) : userOf(platform, username)
  const isFriend = ({ id }: StoredUser): boolean =>
    store.relationships.group(user.id).some(({ otherId, type }) => otherId === id && type === RELATIONSHIP_TYPES.friend)
  const guild = found(
    store.guilds.all().find(({ botPermissions, members }) => botPermissions !== null && Object.hasOwn(members, user.id)),
    'guild with the user and the bot',
  )
  const inGuild = ({ id }: StoredUser): boolean => Object.hasOwn(guild.members, id)
  const others = store.users.all().filter(({ id, provisionalFor }) => id !== user.id && provisionalFor === undefined)
  const friend = found(
    others.find((one) => isFriend(one) && inGuild(one)),
    'friend in the guild',
  )
  const channels = store.channels.group(guild.id)
  return {
    platform,
    gateway,
    applicationId,
    user,
    friend,
    stranger: found(others.find((one) => !inGuild(one)) ?? others.find(({ id }) => id !== friend.id && id !== guild.ownerId), 'third user'),
    guild,
    channel: found(
      channels.find(({ type }) => type === CHANNEL_TYPES.text),
      'text channel',
    ),
    voice: found(
      channels.findLast(({ type }) => type === CHANNEL_TYPES.voice),
      'voice channel',
    ),
    bot: { platform, files: [], caller: { kind: 'bot', id: applicationId, applicationId } },
    byFriend: {
      platform,
      files: [],
      caller: { kind: 'user', id: friend.id, applicationId, user: friend, scopes: [], held: new Set(), expiresAt: 0 },
    },
    put: (...writes) => store.commit(writes),
  }
}

/** A new message of the friend. */
export function newestMessage({ platform, channel, friend }: Scene): StoredChannelMessage {
  const message = platform.store.channelMessages.group(channel.id).findLast(({ authorId }) => authorId === friend.id)
  return found(message, 'message of the friend')
}
