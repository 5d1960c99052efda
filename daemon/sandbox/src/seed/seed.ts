/** Fills an empty store with the initial data. The same seed gives the same ids. */
import { PERMISSIONS } from '@sallyport/protocol'
import { createHash } from 'node:crypto'
import { seededId, snowflakeTime } from '../snowflake.ts'
import type { Write } from '../store/collection.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredChannel, StoredGuild, StoredOverwrite, StoredUser } from '../store/records.ts'
import { RELATIONSHIP_TYPES, relationshipKey, type StoredRelationship } from '../store/relationships.ts'
import type { Store } from '../store/store.ts'
import { storedMessages } from './messages.ts'
import { CHANNEL_TYPES, WORLD, type WorldChannel, type WorldGuild, type WorldUser } from './world.ts'

/** The writes of the initial data. */
export function seedWrites(store: Store, seed: string): Write[] {
  const idOf = (label: string): string => seededId(seed, label)
  const users = WORLD.users.map((user) => storedUser(user, idOf))
  const guilds = WORLD.guilds.map((guild) => storedGuild(guild, idOf, seed))
  const roles = WORLD.guilds.flatMap((guild) => storedRoles(guild, idOf))
  const channels = WORLD.guilds.flatMap((guild) => storedChannels(guild, idOf))
  const messages = WORLD.guilds.flatMap((guild) => storedMessages(guild, idOf))
  const friends = WORLD.friends.flatMap((pair) => storedFriends(pair, idOf))
  return [
    ...users.map((user) => store.users.put(user.id, user)),
    ...friends.map((side) => store.relationships.put(relationshipKey(side), side)),
    ...guilds.map((guild) => store.guilds.put(guild.id, guild)),
    ...roles.map((role) => store.roles.put(role.id, role)),
    ...channels.map((channel) => store.channels.put(channel.id, channel)),
    ...messages.map((message) => store.channelMessages.put(message.id, message)),
  ]
}

type IdOf = (label: string) => string
const userId = (idOf: IdOf, username: string): string => idOf(`user ${username}`)
const guildId = (idOf: IdOf, name: string): string => idOf(`guild ${name}`)

function storedUser(user: WorldUser, idOf: IdOf): StoredUser {
  return {
    id: userId(idOf, user.username),
    username: user.username,
    globalName: user.globalName,
    email: `${user.username}@sandbox.example`,
    locale: 'en-US',
    guildTag: user.guildTag,
    ...(user.premiumType === undefined ? {} : { premiumType: user.premiumType }),
    connections: user.connections.map(({ type, name, hidden, unverified }) => ({
      id: idOf(`connection ${user.username} ${type}`),
      name,
      type,
      verified: unverified !== true,
      friendSync: false,
      showActivity: hidden !== true,
      visibility: hidden === true ? 0 : 1,
    })),
  }
}

function storedFriends([one, other]: readonly [string, string], idOf: IdOf): StoredRelationship[] {
  const [first, second] = [userId(idOf, one), userId(idOf, other)]
  const since = snowflakeTime(first)
  return [
    { userId: first, otherId: second, type: RELATIONSHIP_TYPES.friend, since },
    { userId: second, otherId: first, type: RELATIONSHIP_TYPES.friend, since },
  ]
}

function storedGuild(guild: WorldGuild, idOf: IdOf, seed: string): StoredGuild {
  return {
    id: guildId(idOf, guild.name),
    name: guild.name,
    ownerId: userId(idOf, guild.owner),
    features: guild.features,
    icon: null,
    banner: guild.banner ? createHash('md5').update(`${seed} banner ${guild.name}`).digest('hex') : null,
    members: Object.fromEntries(guild.members.map((username) => [userId(idOf, username), {}])),
    botPermissions: guild.hasBots ? '0' : null,
    onlineCount: guild.onlineCount,
  }
}

function storedRoles(guild: WorldGuild, idOf: IdOf): StoredRole[] {
  return guild.roles.map(({ name, members, permissions, colors, hasBots }, index) => ({
    id: idOf(`role ${guild.name} ${name}`),
    guildId: guildId(idOf, guild.name),
    name,
    // The @everyone role has position 0.
    position: index + 1,
    permissions: permissions.toString(),
    colors,
    memberIds: members.map((username) => userId(idOf, username)),
    ...(hasBots === undefined ? {} : { hasBots }),
  }))
}

function storedChannels(guild: WorldGuild, idOf: IdOf): StoredChannel[] {
  const channelId = (name: string): string => idOf(`channel ${guild.name} ${name}`)
  // Positions are relative to the parent, as in clients.
  const seen = new Map<string | undefined, number>()
  return guild.channels.map((channel) => {
    const position = seen.get(channel.parent) ?? 0
    seen.set(channel.parent, position + 1)
    return {
      id: channelId(channel.name),
      guildId: guildId(idOf, guild.name),
      type: CHANNEL_TYPES[channel.type],
      name: channel.name,
      position,
      parentId: channel.parent === undefined ? null : channelId(channel.parent),
      topic: channel.topic ?? null,
      ...(channel.slowmodeSeconds === undefined ? {} : { slowmodeSeconds: channel.slowmodeSeconds }),
      overwrites: overwritesOf(channel, guild, idOf),
      botsConnected: channel.botsConnected ?? false,
      connectedUsers: (channel.connected ?? []).map((username) => userId(idOf, username)),
      voiceStatus: null,
    }
  })
}

function overwritesOf({ onlyFor }: WorldChannel, guild: WorldGuild, idOf: IdOf): StoredOverwrite[] {
  if (onlyFor === undefined) return []
  const view = PERMISSIONS.VIEW_CHANNEL.bit.toString()
  return [
    { id: guildId(idOf, guild.name), type: 0, allow: '0', deny: view },
    ...onlyFor.map((username): StoredOverwrite => ({ id: userId(idOf, username), type: 1, allow: view, deny: '0' })),
  ]
}
