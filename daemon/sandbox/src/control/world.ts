/** Changes of the world that no operation of the API makes, for tests of what is told of them: channels, members, messages, relationships, subscriptions. */
import { PERMISSIONS } from '@sallyport/protocol'
import * as z from 'zod'
import { newMessage } from '../api/channel-messages.ts'
import { channelView } from '../api/guilds.ts'
import { SUBSCRIPTION_STEPS } from '../api/subscription-life.ts'
import { voiceWrites } from '../api/voice-life.ts'
import { CHANNELS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform } from '../platform.ts'
import { CHANNEL_TYPES, MEMBER_PERMISSIONS } from '../seed/world.ts'
import type { Write } from '../store/collection.ts'
import type { StoredChannel, StoredGuild, StoredUser } from '../store/records.ts'
import { relationshipKey, type RelationshipType } from '../store/relationships.ts'

/** Id or name. */
const Named = z.string().min(1)
const Name = z.string().min(1).max(100)

/** With `guild` a new channel, with `channel` one that is there; what is left out stays as it is. */
export const ChannelInput = z
  .strictObject({
    guild: Named.optional(),
    channel: Named.optional(),
    name: Name.optional(),
    type: z.enum(['text', 'voice', 'category']).default('text'),
    parent: Named.optional(),
    /** Hidden from everybody but the owner and those whom the channel names. */
    hidden: z.boolean().optional(),
    /** Users who are in the voice channel from now on; null for the bots. */
    connected: z.array(Named.nullable()).optional(),
    deleted: z.literal(true).optional(),
  })
  .refine(({ guild, channel, name }) => (guild === undefined) !== (channel === undefined) && (guild === undefined || name !== undefined), {
    message: 'name a channel, or a guild and the name of a new one',
  })
export const MemberInput = z.strictObject({ guild: Named, user: Named, member: z.boolean() })
export const MessageInput = z.strictObject({ channel: Named, user: Named, content: z.string().min(1).max(2000) })
const TYPES = { none: undefined, friend: 1, blocked: 2, asked: 4 } as const
export const RelationshipInput = z.strictObject({
  user: Named,
  other: Named,
  /** `asked`: the user asked the other to be friends. */
  type: z.enum(['none', 'friend', 'blocked', 'asked']),
})
export const SubscriptionInput = z.strictObject({
  application_id: z.string().regex(/^[0-9]{1,20}$/),
  user: Named,
  step: z.enum(SUBSCRIPTION_STEPS),
  renewal_sku_ids: z.array(z.string()).max(10).optional(),
})

function guildOf({ store }: Platform, named: string): StoredGuild {
  const guild = store.guilds.get(named) ?? store.guilds.all().find(({ name }) => name === named)
  if (guild === undefined) throw new PlatformError('unknownGuild')
  return guild
}

function channelOf({ store }: Platform, named: string): StoredChannel {
  const channel = store.channels.get(named) ?? store.channels.all().find(({ name }) => name === named)
  if (channel === undefined) throw new PlatformError('unknownChannel')
  return channel
}

function userOf(platform: Platform, named: string): StoredUser {
  const user = findUser(platform, named)
  if (user === undefined) throw new PlatformError('unknownUser')
  return user
}

/** Gives the channel as it is then; null for one that is gone. Throws unknownGuild, unknownChannel or unknownUser. */
export function changeChannel(platform: Platform, input: z.output<typeof ChannelInput>) {
  const { store } = platform
  const before = input.channel === undefined ? newChannel(platform, input) : channelOf(platform, input.channel)
  if (input.deleted === true) {
    const messages = store.channelMessages.group(before.id)
    store.commit([...messages.map(({ id }) => store.channelMessages.drop(id)), store.channels.drop(before.id)])
    return null
  }
  const named = { ...before, ...(input.name === undefined ? {} : { name: input.name }) }
  const after = input.hidden === undefined ? named : withSight(named, !input.hidden)
  const parent = after.parentId === null ? undefined : store.channels.get(after.parentId)
  // Whoever sees a channel sees where it stands.
  const shown = input.hidden === false && parent !== undefined ? [store.channels.put(parent.id, withSight(parent, true))] : []
  store.commit([...shown, store.channels.put(after.id, after)])
  if (input.connected !== undefined) connect(platform, after, input.connected)
  return channelView(store.channels.get(after.id) ?? after)
}

function newChannel(platform: Platform, { guild: named = '', name = '', type, parent }: z.output<typeof ChannelInput>): StoredChannel {
  const { store, ids } = platform
  const guild = guildOf(platform, named)
  const siblings = store.channels.group(guild.id)
  if (siblings.length >= CHANNELS_MAX) throw new PlatformError('invalidForm', { message: 'The guild has too many channels.' })
  const parentId = parent === undefined ? null : channelOf(platform, parent).id
  return {
    id: ids.next(),
    guildId: guild.id,
    type: CHANNEL_TYPES[type],
    name,
    position: siblings.filter((one) => one.parentId === parentId).length,
    parentId,
    topic: null,
    overwrites: [],
    botsConnected: false,
    connectedUsers: [],
    voiceStatus: null,
  }
}

const VIEW = PERMISSIONS.VIEW_CHANNEL.bit

/** Everybody sees the channel or not, whatever else is said of them. */
function withSight(channel: StoredChannel, isVisible: boolean): StoredChannel {
  const everyone = channel.overwrites.find(({ id }) => id === channel.guildId)
  const deny = BigInt(everyone?.deny ?? 0) & ~VIEW
  const change = { allow: everyone?.allow ?? '0', deny: (isVisible ? deny : deny | VIEW).toString() }
  const others = channel.overwrites.filter(({ id }) => id !== channel.guildId)
  const isNothing = change.allow === '0' && change.deny === '0'
  return { ...channel, overwrites: [...(isNothing ? [] : [{ id: channel.guildId, type: 0 as const, ...change }]), ...others] }
}

/** One after the other, as people come and go. */
function connect(platform: Platform, channel: StoredChannel, named: readonly (string | null)[]): void {
  if (channel.type !== CHANNEL_TYPES.voice) throw new PlatformError('wrongChannelType')
  const wanted = named.map((name) => (name === null ? 'bots' : userOf(platform, name).id))
  const inside = [...channel.connectedUsers, ...(channel.botsConnected ? ['bots'] : [])]
  const { store } = platform
  for (const who of wanted) store.commit(voiceWrites(platform, channel.guildId, who, channel.id))
  for (const who of inside.filter((one) => !wanted.includes(one))) store.commit(voiceWrites(platform, channel.guildId, who, undefined))
}

/** Throws unknownGuild, unknownUser, or invalidForm for the owner, who cannot leave. */
export function changeMember(platform: Platform, { guild: named, user: name, member }: z.output<typeof MemberInput>): void {
  const { store } = platform
  const guild = guildOf(platform, named)
  const { id } = userOf(platform, name)
  if (!member && id === guild.ownerId) throw new PlatformError('invalidForm', { message: 'The owner cannot leave.' })
  const { [id]: known, ...others } = guild.members
  const members = member ? { ...guild.members, [id]: known ?? MEMBER_PERMISSIONS.toString() } : others
  store.commit([store.guilds.put(guild.id, { ...guild, members })])
}

/** A message that a user writes, which no operation of the API can. Throws unknownChannel or unknownUser. */
export function writeMessage(
  platform: Platform,
  { channel: named, user: name, content }: z.output<typeof MessageInput>,
): { readonly id: string } {
  const { store } = platform
  const channel = channelOf(platform, named)
  const author = userOf(platform, name)
  const draft = newMessage(platform, { channelId: channel.id, applicationId: author.id }, { content })
  store.commit([store.channelMessages.put(draft.id, { ...draft, applicationId: null })])
  return { id: draft.id }
}

/** Throws unknownUser, or invalidForm for somebody and themselves. */
export function relate(platform: Platform, { user: name, other: otherName, type }: z.output<typeof RelationshipInput>): void {
  const user = userOf(platform, name).id
  const other = userOf(platform, otherName).id
  if (user === other) throw new PlatformError('invalidForm', { message: 'Nobody is anything to themselves.' })
  const answer = { none: undefined, friend: 1, blocked: undefined, asked: 3 } as const
  platform.store.commit([...sideWrites(platform, user, other, TYPES[type]), ...sideWrites(platform, other, user, answer[type])])
}

function sideWrites({ store, clock }: Platform, userId: string, otherId: string, type: RelationshipType | undefined): Write[] {
  const key = relationshipKey({ userId, otherId })
  const before = store.relationships.get(key)
  if (before?.type === type) return []
  return [type === undefined ? store.relationships.drop(key) : store.relationships.put(key, { userId, otherId, type, since: clock.now() })]
}
