/** Events on demand: each kind by a change of data, as a user, a bot or a moderator would make it, so that it takes the usual ways. */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { entitlementHandlers } from '../api/entitlements.ts'
import { imageHash } from '../api/images.ts'
import { lobbyBackendHandlers } from '../api/lobby-backend.ts'
import { lobbyMessageHandlers } from '../api/lobby-messages.ts'
import { subscriptionsOf, stepSubscription } from '../api/subscription-lifecycle.ts'
import { sendMessage } from '../api/user-messages.ts'
import { voiceWrites } from '../api/voice-lifecycle.ts'
import { canSee, hasIntents, isVisible } from '../gateway/viewer.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { openWithoutCode } from '../oauth/sign-ins.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { SKU_TYPES, skusOf } from '../seed/shop.ts'
import type { StoredScheduledEvent } from '../store/guild-item-records.ts'
import { gameRelationshipKey, RELATIONSHIP_TYPES } from '../store/relationships.ts'
import type { StoredUserMessage } from '../store/user-messages.ts'
import { InteractionInput, raiseInteraction } from './interactions.ts'
import { join } from './join.ts'
import { changeLobbyMessage } from './lobby-messages.ts'
import { Named } from './named.ts'
import { showPresence } from './presences.ts'
import { changeRole } from './roles.ts'
import { newestMessage, type Scene, sceneOf } from './scene.ts'
import { ApplicationId } from './schemas.ts'
import { enrollInQuest } from './webhooks.ts'
import { changeChannel, changeMember, setRelationship, writeMessage } from './world.ts'

/** Without `event`: one of each kind. */
export const EventInput = once(() =>
  z.strictObject({ application_id: ApplicationId(), user: Named().optional(), event: z.string().min(1).optional() }),
)

const NAME = 'event-quay'
const TEXT = 'Ahoy'
const QUEST = '5'
const EMOJI = '⚓'
const OTHER_EMOJI = '⛵'

type Recipe = (scene: Scene) => void
/** One after the other. */
const steps =
  (...all: readonly Recipe[]): Recipe =>
  (scene) =>
    all.forEach((one) => one(scene))

const newChannel = ({ platform, guild }: Scene) => changeChannel(platform, { guild: guild.id, name: NAME, type: 'text' })?.id ?? ''
const member =
  (who: 'user' | 'friend' | 'stranger', change: { readonly member?: boolean; readonly nick?: string }): Recipe =>
  (scene) =>
    changeMember(scene.platform, { guild: scene.guild.id, user: scene[who].id, member: true, ...change })
/** Of the last guild that the user does not own. */
const ownMembership =
  (isMember: boolean): Recipe =>
  ({ platform, user }) => {
    const guild = platform.store.guilds.all().findLast(({ ownerId }) => ownerId !== user.id)
    if (guild === undefined) throw new PlatformError('unknownGuild')
    changeMember(platform, { guild: guild.id, user: user.id, member: isMember })
  }
const newRole = ({ platform, guild }: Scene): string => changeRole(platform, { guild: guild.id, name: 'Event Pilots' })?.id ?? ''
const banKey = ({ guild, stranger }: Scene): string => `${guild.id}:${stranger.id}`
const ban: Recipe = (scene) => {
  const { platform, guild, stranger, put } = scene
  put(platform.store.guildBans.put(banKey(scene), { guildId: guild.id, userId: stranger.id, reason: TEXT }))
}
const item = ({ platform, guild, applicationId }: Scene) => ({ id: platform.ids.next(), guildId: guild.id, creatorId: applicationId })
const newInvite = ({ platform, guild, channel, friend, put }: Scene): string => {
  const code = `event${platform.ids.next()}`
  const about = { code, guildId: guild.id, channelId: channel.id, inviterId: friend.id, targetUserId: null }
  put(platform.store.invites.put(code, { ...about, maxUses: 0, maxAgeSeconds: 0, createdAt: platform.clock.now() }))
  return code
}

function newScheduledEvent(scene: Scene): StoredScheduledEvent {
  const { platform, put } = scene
  const hour = 3_600_000
  const event: StoredScheduledEvent = {
    ...item(scene),
    name: 'Regatta',
    description: null,
    image: null,
    startTime: new Date(platform.clock.now() + hour).toISOString(),
    endTime: new Date(platform.clock.now() + 2 * hour).toISOString(),
    status: 1,
    placeType: 3,
    channelId: null,
    location: 'Outer reef',
    recurrence: null,
    exceptions: [],
    interestedIds: [],
  }
  put(platform.store.scheduledEvents.put(event.id, event))
  return event
}
const changeScheduled =
  (...changes: readonly Partial<StoredScheduledEvent>[]): Recipe =>
  (scene) => {
    const { scheduledEvents } = scene.platform.store
    const event = newScheduledEvent(scene)
    let last = event
    for (const change of changes) {
      last = { ...last, ...change }
      scene.put(scheduledEvents.put(event.id, last))
    }
  }

const write: Recipe = ({ platform, channel, friend }) =>
  void writeMessage(platform, { channel: channel.id, user: friend.id, content: TEXT })
const react = (scene: Scene, userIds: readonly string[], emoji = EMOJI): void => {
  const { id } = newestMessage(scene)
  const { reactions } = scene.platform.store
  scene.put(userIds.length === 0 ? reactions.delete(`${id}:${emoji}`) : reactions.put(`${id}:${emoji}`, { messageId: id, emoji, userIds }))
}
/** An event that no data of the sandbox causes: it keeps no votes and no typing users. */
const inChannel =
  (t: string, intent: 'GUILD_MESSAGE_POLLS' | 'GUILD_MESSAGE_TYPING', dataOf: (scene: Scene) => object): Recipe =>
  (scene) => {
    const { platform, gateway, guild, channel } = scene
    const event = { t, d: { guild_id: guild.id, channel_id: channel.id, ...dataOf(scene) } }
    gateway.publish((viewer) =>
      isVisible(viewer, guild) && hasIntents(viewer, intent) && canSee(platform, viewer, guild, channel) ? [event] : [],
    )
  }
const vote = (scene: Scene) => ({ user_id: scene.friend.id, message_id: newestMessage(scene).id, answer_id: 1 })

const newLobby = ({ user, friend, bot }: Scene): string =>
  lobbyBackendHandlers.CREATE_LOBBY({ members: [{ id: user.id }, { id: friend.id }], metadata: { mode: TEXT } }, bot).id
const lobbyMessage = (scene: Scene): string =>
  lobbyMessageHandlers.SEND_LOBBY_MESSAGE({ lobby_id: newLobby(scene), content: TEXT }, scene.byFriend).id
const directMessage = ({ platform, user, friend, applicationId }: Scene): StoredUserMessage =>
  sendMessage(platform, { authorId: friend.id, recipientId: user.id, applicationId, content: TEXT })

const newEntitlement = ({ platform, applicationId, user, bot }: Scene) => {
  const sku_id = skusOf(platform.seed, applicationId).find(({ type }) => type === SKU_TYPES.consumable)?.id ?? ''
  const { id } = entitlementHandlers.CREATE_TEST_ENTITLEMENT(
    { application_id: applicationId, sku_id, owner_id: user.id, owner_type: 2 },
    bot,
  )
  return { application_id: applicationId, entitlement_id: id }
}
const subscription =
  (step: 'start' | 'cancel' | 'refund'): Recipe =>
  ({ platform, applicationId, user }) => {
    const own = subscriptionsOf(platform, applicationId).find(({ userId, status }) => userId === user.id && status !== 1)
    const act = (one: 'start' | 'cancel' | 'refund' | 'end') =>
      stepSubscription(platform, { applicationId, userId: user.id, step: one, renewalSkuIds: undefined })
    // A user has one subscription at most.
    if (step === 'start' && own !== undefined) act('end')
    if (step !== 'start' && own === undefined) act('start')
    act(step)
  }

const quest: Recipe = ({ platform, applicationId, user }) =>
  enrollInQuest(platform, { application_id: applicationId, user: user.id, quest_id: QUEST })
const showFriend: Recipe = ({ platform, applicationId, friend }) =>
  showPresence(platform, {
    user: friend.id,
    application_id: applicationId,
    activity: { details: TEXT, party: { id: 'event-party', size: [1, 4] }, secrets: { join: `join ${platform.ids.next()}` } },
  })
const joins =
  (action: 'ask' | 'invite' | 'accept', from: 'user' | 'friend'): Recipe =>
  (scene) => {
    const target = scene[from === 'user' ? 'friend' : 'user']
    join(scene.platform, { user: scene[from].id, target: target.id, application_id: scene.applicationId, action })
  }

/** By event, in an order in which each can follow the others. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  ACTIVITY_INVITE: steps(showFriend, joins('invite', 'friend')),
  ACTIVITY_JOIN: steps(showFriend, joins('ask', 'user'), joins('accept', 'friend')),
  ACTIVITY_JOIN_REQUEST: joins('ask', 'friend'),
  APPLICATION_AUTHORIZED: ({ platform, applicationId, friend }) =>
    void openWithoutCode(platform, { applicationId, userId: friend.id, scopes: ['identify'] }),
  CHANNEL_CREATE: (scene) => void newChannel(scene),
  CHANNEL_UPDATE: (scene) => void changeChannel(scene.platform, { channel: newChannel(scene), name: 'event-pier', type: 'text' }),
  CHANNEL_DELETE: (scene) => void changeChannel(scene.platform, { channel: newChannel(scene), deleted: true, type: 'text' }),
  CURRENT_GUILD_MEMBER_UPDATE: ({ platform, guild, user }) =>
    changeMember(platform, { guild: guild.id, user: user.id, member: true, nick: `Event ${platform.ids.next().slice(-6)}` }),
  CURRENT_USER_UPDATE: ({ platform: { store, ids }, user, put }) =>
    put(store.users.put(user.id, { ...user, globalName: `Event ${ids.next().slice(-6)}` })),
  ENTITLEMENT_CREATE: (scene) => void newEntitlement(scene),
  ENTITLEMENT_UPDATE: (scene) => void entitlementHandlers.CONSUME_ENTITLEMENT(newEntitlement(scene), scene.bot),
  ENTITLEMENT_DELETE: (scene) => void entitlementHandlers.DELETE_TEST_ENTITLEMENT(newEntitlement(scene), scene.bot),
  GAME_DIRECT_MESSAGE_CREATE: (scene) => void directMessage(scene),
  GAME_DIRECT_MESSAGE_UPDATE: (scene) => {
    const { userMessages } = scene.platform.store
    const message = directMessage(scene)
    scene.put(userMessages.put(message.id, { ...message, content: `${TEXT}!`, editedAt: scene.platform.clock.now() }))
  },
  GAME_DIRECT_MESSAGE_DELETE: (scene) => scene.put(scene.platform.store.userMessages.delete(directMessage(scene).id)),
  GAME_RELATIONSHIP_UPDATE: ({ platform: { store, clock }, applicationId, user, friend, put }) => {
    const key = { applicationId, userId: user.id, otherId: friend.id }
    const before = store.gameRelationships.get(gameRelationshipKey(key))
    const type = before?.type === RELATIONSHIP_TYPES.friend ? RELATIONSHIP_TYPES.incoming : RELATIONSHIP_TYPES.friend
    put(store.gameRelationships.put(gameRelationshipKey(key), { ...key, type, since: clock.now() }))
  },
  GUILD_BAN_ADD: ban,
  GUILD_BAN_REMOVE: steps(ban, (scene) => scene.put(scene.platform.store.guildBans.delete(banKey(scene)))),
  GUILD_CREATE: steps(ownMembership(false), ownMembership(true)),
  GUILD_DELETE: steps(ownMembership(true), ownMembership(false)),
  GUILD_EMOJIS_UPDATE: (scene) => {
    const emoji = { ...item(scene), name: 'event', animated: false, roleIds: [] }
    scene.put(scene.platform.store.guildEmojis.put(emoji.id, emoji))
  },
  GUILD_MEMBER_ADD: steps(member('stranger', { member: false }), member('stranger', {})),
  GUILD_MEMBER_REMOVE: steps(member('stranger', {}), member('stranger', { member: false })),
  GUILD_MEMBER_UPDATE: steps(member('friend', { nick: 'Event' }), member('friend', { nick: '' })),
  GUILD_ROLE_CREATE: (scene) => void newRole(scene),
  GUILD_ROLE_UPDATE: (scene) => void changeRole(scene.platform, { guild: scene.guild.id, role: newRole(scene), name: 'Event Crew' }),
  GUILD_ROLE_DELETE: (scene) => void changeRole(scene.platform, { guild: scene.guild.id, role: newRole(scene), deleted: true }),
  GUILD_SCHEDULED_EVENT_CREATE: changeScheduled(),
  GUILD_SCHEDULED_EVENT_UPDATE: changeScheduled({ name: 'Great Regatta' }),
  GUILD_SCHEDULED_EVENT_DELETE: (scene) => scene.put(scene.platform.store.scheduledEvents.delete(newScheduledEvent(scene).id)),
  GUILD_SCHEDULED_EVENT_USER_ADD: (scene) => changeScheduled({ interestedIds: [scene.friend.id] })(scene),
  GUILD_SCHEDULED_EVENT_USER_REMOVE: (scene) => changeScheduled({ interestedIds: [scene.friend.id] }, { interestedIds: [] })(scene),
  GUILD_STATUS: ({ platform: { store }, guild, put }) =>
    put(store.guilds.put(guild.id, { ...(store.guilds.get(guild.id) ?? guild), onlineCount: guild.onlineCount + 1 })),
  GUILD_STICKERS_UPDATE: (scene) => {
    const sticker = { ...item(scene), name: 'event', tags: 'flag', description: null, format: 1 }
    scene.put(scene.platform.store.stickers.put(sticker.id, sticker))
  },
  GUILD_UPDATE: ({ platform: { store, ids }, guild, put }) =>
    put(store.guilds.put(guild.id, { ...(store.guilds.get(guild.id) ?? guild), icon: imageHash(ids.next(), null) })),
  INTERACTION_CREATE: ({ platform, gateway, applicationId, user, channel }) =>
    void raiseInteraction(
      platform,
      gateway,
      InteractionInput().parse({ application_id: applicationId, user: user.id, channel_id: channel.id }),
    ),
  INVITE_CREATE: (scene) => void newInvite(scene),
  INVITE_DELETE: (scene) => scene.put(scene.platform.store.invites.delete(newInvite(scene))),
  LOBBY_CREATE: (scene) => void newLobby(scene),
  LOBBY_UPDATE: (scene) => void lobbyBackendHandlers.MODIFY_LOBBY({ lobby_id: newLobby(scene), metadata: { mode: 'race' } }, scene.bot),
  LOBBY_DELETE: (scene) => void lobbyBackendHandlers.DELETE_LOBBY({ lobby_id: newLobby(scene) }, scene.bot),
  LOBBY_MEMBER_ADD: (scene) =>
    void lobbyBackendHandlers.ADD_LOBBY_MEMBER({ lobby_id: newLobby(scene), user_id: scene.stranger.id }, scene.bot),
  LOBBY_MEMBER_UPDATE: (scene) =>
    void lobbyBackendHandlers.ADD_LOBBY_MEMBER(
      { lobby_id: newLobby(scene), user_id: scene.friend.id, metadata: { ready: 'yes' } },
      scene.bot,
    ),
  LOBBY_MEMBER_REMOVE: (scene) =>
    void lobbyBackendHandlers.REMOVE_LOBBY_MEMBER({ lobby_id: newLobby(scene), user_id: scene.friend.id }, scene.bot),
  LOBBY_MESSAGE_CREATE: (scene) => void lobbyMessage(scene),
  LOBBY_MESSAGE_UPDATE: (scene) => changeLobbyMessage(scene.platform, { message_id: lobbyMessage(scene), content: `${TEXT}!` }),
  LOBBY_MESSAGE_DELETE: (scene) => changeLobbyMessage(scene.platform, { message_id: lobbyMessage(scene), deleted: true }),
  MESSAGE_CREATE: write,
  MESSAGE_UPDATE: steps(write, (scene) => {
    const message = newestMessage(scene)
    scene.put(
      scene.platform.store.channelMessages.put(message.id, { ...message, content: `${TEXT}!`, editedAt: scene.platform.clock.now() }),
    )
  }),
  MESSAGE_DELETE: steps(write, (scene) => scene.put(scene.platform.store.channelMessages.delete(newestMessage(scene).id))),
  MESSAGE_POLL_VOTE_ADD: steps(write, inChannel('MESSAGE_POLL_VOTE_ADD', 'GUILD_MESSAGE_POLLS', vote)),
  MESSAGE_POLL_VOTE_REMOVE: steps(write, inChannel('MESSAGE_POLL_VOTE_REMOVE', 'GUILD_MESSAGE_POLLS', vote)),
  MESSAGE_REACTION_ADD: steps(write, (scene) => react(scene, [scene.friend.id])),
  MESSAGE_REACTION_REMOVE: steps(
    write,
    (scene) => react(scene, [scene.friend.id, scene.user.id]),
    (scene) => react(scene, [scene.user.id]),
  ),
  MESSAGE_REACTION_REMOVE_EMOJI: steps(
    write,
    (scene) => react(scene, [scene.friend.id, scene.user.id]),
    (scene) => react(scene, []),
  ),
  MESSAGE_REACTION_REMOVE_ALL: steps(write, (scene) => {
    for (const emoji of [EMOJI, OTHER_EMOJI]) react(scene, [scene.friend.id], emoji)
    const { reactions } = scene.platform.store
    const { id } = newestMessage(scene)
    scene.put(...[EMOJI, OTHER_EMOJI].map((emoji) => reactions.delete(`${id}:${emoji}`)))
  }),
  QUEST_ENROLLMENT_STATUS_UPDATE: quest,
  QUEST_USER_ENROLLMENT: quest,
  RELATIONSHIP_UPDATE: ({ platform, user, stranger }) => {
    const pair = { user: user.id, other: stranger.id }
    setRelationship(platform, { ...pair, type: 'none' })
    setRelationship(platform, { ...pair, type: 'friend' })
  },
  SUBSCRIPTION_CREATE: subscription('start'),
  SUBSCRIPTION_UPDATE: subscription('cancel'),
  SUBSCRIPTION_DELETE: subscription('refund'),
  TYPING_START: inChannel('TYPING_START', 'GUILD_MESSAGE_TYPING', ({ platform, friend }) => ({
    user_id: friend.id,
    timestamp: Math.floor(platform.clock.now() / 1000),
  })),
  VOICE_CHANNEL_STATUS_UPDATE: ({ platform: { store }, voice, put }) =>
    put(store.channels.put(voice.id, { ...voice, voiceStatus: voice.voiceStatus === null ? TEXT : null })),
  VOICE_CHANNEL_START_TIME_UPDATE: ({ platform, guild, voice, friend }) => {
    // The time is that of the first member.
    changeChannel(platform, { channel: voice.id, connected: [], type: 'voice' })
    platform.store.commit(voiceWrites(platform, guild.id, friend.id, voice.id))
  },
}

/** Sends the named event, or one of each kind. Returns their names. Throws invalidForm for a name without an event, and as `sceneOf`. */
export function sendEvents(
  platform: Platform,
  gateway: Pick<Gateway, 'publish'>,
  { application_id: applicationId, user: username, event }: z.output<ReturnType<typeof EventInput>>,
): readonly string[] {
  const names = event === undefined ? Object.keys(RECIPES) : [event]
  for (const name of names) {
    const recipe = Object.hasOwn(RECIPES, name) ? RECIPES[name] : undefined
    if (recipe === undefined)
      throw new PlatformError('invalidForm', {
        message: `The sandbox sends no event ${name}. It sends: ${Object.keys(RECIPES).join(', ')}.`,
      })
    recipe(sceneOf(platform, gateway, { applicationId, username }))
  }
  return names
}
