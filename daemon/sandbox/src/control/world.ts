/** Changes without an API operation, for tests of events: channels, members, messages, relationships, subscriptions. */
import { PERMISSIONS } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { checkModerated, moderatedProfileWrites } from '../api/auto-moderation.ts'
import { isRestricted } from '../api/member-restrictions.ts'
import { newMessage } from '../api/new-message.ts'
import { channelView } from '../api/guilds.ts'
import { SUBSCRIPTION_STEPS } from '../api/subscription-lifecycle.ts'
import { voiceWrites } from '../api/voice-lifecycle.ts'
import { CHANNELS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { Write } from '../store/collection.ts'
import type { StoredChannel } from '../store/records.ts'
import { relationshipKey, type RelationshipType } from '../store/relationships.ts'
import { channelOf, guildOf, Named, userOf } from './named.ts'
import { OverwriteInput, overwritesFor } from './roles.ts'

const Name = once(() => z.string().min(1).max(100))

/** With `guild` a new channel, with `channel` an existing one. Omitted fields stay unchanged. */
export const ChannelInput = once(() =>
  z
    .strictObject({
      guild: Named().optional(),
      channel: Named().optional(),
      name: Name().optional(),
      type: z.enum(['text', 'voice', 'category']).default('text'),
      parent: Named().optional(),
      /** Visible only to the owner and to users with an overwrite. */
      hidden: z.boolean().optional(),
      /** Replaces all overwrites; after `hidden`. */
      overwrites: z.array(OverwriteInput()).max(100).optional(),
      /** The connected users of the voice channel; null for the bots. */
      connected: z.array(Named().nullable()).optional(),
      deleted: z.literal(true).optional(),
    })
    .refine(
      ({ guild, channel, name }) => (guild === undefined) !== (channel === undefined) && (guild === undefined || name !== undefined),
      {
        message: 'must have a channel, or a guild and a name',
      },
    ),
)
/** Omitted fields stay unchanged. An empty nick removes it. */
export const MemberInput = once(() =>
  z.strictObject({
    guild: Named(),
    user: Named(),
    member: z.boolean().default(true),
    nick: z.string().max(32).optional(),
  }),
)
export const MessageInput = once(() => z.strictObject({ channel: Named(), user: Named(), content: z.string().min(1).max(2000) }))
const TYPES = { none: undefined, friend: 1, blocked: 2, asked: 4 } as const
export const RelationshipInput = once(() =>
  z.strictObject({
    user: Named(),
    other: Named(),
    /** `asked`: the user sent the other a friend request. */
    type: z.enum(['none', 'friend', 'blocked', 'asked']),
  }),
)
export const SubscriptionInput = once(() =>
  z.strictObject({
    application_id: z.string().regex(/^[0-9]{1,20}$/),
    user: Named(),
    step: z.enum(SUBSCRIPTION_STEPS),
    renewal_sku_ids: z.array(z.string()).max(10).optional(),
  }),
)

/** Returns the changed channel; null for a deleted one. Throws unknownGuild, unknownChannel or unknownUser. */
export function changeChannel(platform: Platform, input: z.output<ReturnType<typeof ChannelInput>>) {
  const { store } = platform
  const before = input.channel === undefined ? newChannel(platform, input) : channelOf(platform, input.channel)
  if (input.deleted === true) {
    const messages = store.channelMessages.group(before.id)
    store.commit([...messages.map(({ id }) => store.channelMessages.delete(id)), store.channels.delete(before.id)])
    return null
  }
  const named = { ...before, ...(input.name === undefined ? {} : { name: input.name }) }
  const shownOrHidden = input.hidden === undefined ? named : withVisibility(named, !input.hidden)
  const after =
    input.overwrites === undefined ? shownOrHidden : { ...shownOrHidden, overwrites: overwritesFor(platform, before, input.overwrites) }
  const parent = after.parentId === null ? undefined : store.channels.get(after.parentId)
  // A visible channel needs a visible parent.
  const shown = input.hidden === false && parent !== undefined ? [store.channels.put(parent.id, withVisibility(parent, true))] : []
  store.commit([...shown, store.channels.put(after.id, after)])
  if (input.connected !== undefined) connect(platform, after, input.connected)
  return channelView(store.channels.get(after.id) ?? after)
}

function newChannel(
  platform: Platform,
  { guild: named = '', name = '', type, parent }: z.output<ReturnType<typeof ChannelInput>>,
): StoredChannel {
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

/** Allows or denies VIEW_CHANNEL for @everyone. Other overwrites stay. */
function withVisibility(channel: StoredChannel, isVisible: boolean): StoredChannel {
  const everyoneOverwrite = channel.overwrites.find(({ id }) => id === channel.guildId)
  const deny = BigInt(everyoneOverwrite?.deny ?? 0) & ~VIEW
  const change = { allow: everyoneOverwrite?.allow ?? '0', deny: (isVisible ? deny : deny | VIEW).toString() }
  const others = channel.overwrites.filter(({ id }) => id !== channel.guildId)
  const isNothing = change.allow === '0' && change.deny === '0'
  return { ...channel, overwrites: [...(isNothing ? [] : [{ id: channel.guildId, type: 0 as const, ...change }]), ...others] }
}

/** One after the other, like real joins and leaves. */
function connect(platform: Platform, channel: StoredChannel, named: readonly (string | null)[]): void {
  if (channel.type !== CHANNEL_TYPES.voice) throw new PlatformError('wrongChannelType')
  const target = named.map((name) => (name === null ? 'bots' : userOf(platform, name).id))
  const current = [...channel.connectedUsers, ...(channel.botsConnected ? ['bots'] : [])]
  const { store } = platform
  for (const who of target) store.commit(voiceWrites(platform, channel.guildId, who, channel.id))
  for (const who of current.filter((one) => !target.includes(one))) store.commit(voiceWrites(platform, channel.guildId, who, undefined))
}

/** Throws unknownGuild, unknownUser, or invalidForm for the owner. */
export function changeMember(
  platform: Platform,
  { guild: named, user: name, member, nick }: z.output<ReturnType<typeof MemberInput>>,
): void {
  const { store } = platform
  const guild = guildOf(platform, named)
  const user = userOf(platform, name)
  const { id } = user
  if (!member && id === guild.ownerId) throw new PlatformError('invalidForm', { message: 'The owner cannot leave.' })
  const { [id]: known, ...others } = guild.members
  const own = { ...known, ...(nick === undefined ? {} : { nick: nick || null }) }
  const after = { ...guild, members: member ? { ...guild.members, [id]: own } : others }
  store.commit([store.guilds.put(guild.id, after)])
  if (!member) return
  const actor = { platform, caller: { kind: 'user', id } } as const
  store.commit(moderatedProfileWrites(actor, after, [user.username, user.globalName, own.nick]))
}

/** Creates a user's channel message, for which the API has no operation. Throws unknownChannel, unknownUser, missingPermissions or blockedByModeration. */
export function writeMessage(
  platform: Platform,
  { channel: named, user: name, content }: z.output<ReturnType<typeof MessageInput>>,
): { readonly id: string } {
  const { store } = platform
  const channel = channelOf(platform, named)
  const author = userOf(platform, name)
  const caller = { kind: 'user', id: author.id } as const
  const guild = store.guilds.get(channel.guildId)
  if (guild !== undefined && isRestricted(platform, guild, caller)) throw new PlatformError('missingPermissions')
  checkModerated(content, { operation: { platform, caller }, guildId: channel.guildId, channelId: channel.id })
  const draft = newMessage(platform, { channelId: channel.id, applicationId: author.id }, { content })
  store.commit([store.channelMessages.put(draft.id, { ...draft, applicationId: null })])
  return { id: draft.id }
}

/** Throws unknownUser, or invalidForm when both are the same user. */
export function setRelationship(
  platform: Platform,
  { user: name, other: otherName, type }: z.output<ReturnType<typeof RelationshipInput>>,
): void {
  const user = userOf(platform, name).id
  const other = userOf(platform, otherName).id
  if (user === other) throw new PlatformError('invalidForm', { message: 'A user has no relationship with themselves.' })
  const answer = { none: undefined, friend: 1, blocked: undefined, asked: 3 } as const
  platform.store.commit([...sideWrites(platform, user, other, TYPES[type]), ...sideWrites(platform, other, user, answer[type])])
}

function sideWrites({ store, clock }: Platform, userId: string, otherId: string, type: RelationshipType | undefined): Write[] {
  const key = relationshipKey({ userId, otherId })
  const before = store.relationships.get(key)
  if (before?.type === type) return []
  return [
    type === undefined ? store.relationships.delete(key) : store.relationships.put(key, { userId, otherId, type, since: clock.now() }),
  ]
}
