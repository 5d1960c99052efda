/** The state of the sandbox: read from memory, written through to an optional file. A commit applies all its writes or none. */
import type { StoredAuditEntry, StoredCommand, StoredHeadlessSession, StoredInteraction, StoredModerationRule } from './admin-records.ts'
import type {
  StoredApplicationSettings,
  StoredBotMember,
  StoredEmoji,
  StoredEntitlement,
  StoredRole,
  StoredSound,
  StoredSubscription,
} from './guild-application-records.ts'
import type {
  StoredCommandPermissions,
  StoredGuildBan,
  StoredGuildEmoji,
  StoredReaction,
  StoredRoleConnection,
  StoredRoleConnectionRecords,
  StoredScheduledEvent,
  StoredSticker,
} from './guild-item-records.ts'
import type { StoredApplicationAttachment, StoredFile } from './attachments.ts'
import { Collection, type Write } from './collection.ts'
import type {
  StoredApplication,
  StoredAuthorization,
  StoredBan,
  StoredChannel,
  StoredChannelMessage,
  StoredCode,
  StoredConsent,
  StoredDeviceCode,
  StoredExternalIdentity,
  StoredGuild,
  StoredInvite,
  StoredLobby,
  StoredMessage,
  StoredOidcProvider,
  StoredRpcToken,
  StoredSearchIndex,
  StoredSecret,
  StoredToken,
  StoredUser,
} from './records.ts'
import type { StoredGameRelationship, StoredRelationship } from './relationships.ts'
import { userPairKey, type StoredUserMessage } from './user-messages.ts'

/** The change of one document. */
export interface Change {
  readonly kind: string
  readonly id: string
  readonly before: object | undefined
  readonly after: object | undefined
}

interface AnyCollection {
  readonly kind: string
  writes(): readonly Write[]
  get(id: string): object | undefined
  apply(id: string, value: object | undefined): void
}

/** The persistent storage of the documents. */
export interface StoreBackend {
  load(): Iterable<{ readonly kind: string; readonly id: string; readonly body: string }>
  /** Saves all writes in one transaction. Throws when it cannot. `content`: all documents before them, for a new file. */
  save(writes: readonly Write[], content: () => readonly Write[]): void
  close(): void
}

/** The group of a user's records with an application. */
export const applicationUserKey = (applicationId: string, userId: string): string => `${applicationId}:${userId}`

export class Store {
  readonly users = new Collection<StoredUser>('user')
  readonly bans = new Collection<StoredBan>('ban')
  readonly applications = new Collection<StoredApplication>('application')
  readonly guilds = new Collection<StoredGuild>('guild')
  readonly channels = new Collection<StoredChannel>('channel', (channel) => channel.guildId)
  readonly channelMessages = new Collection<StoredChannelMessage>('channel-message', (message) => message.channelId)
  readonly applicationAttachments = new Collection<StoredApplicationAttachment>('application-attachment', (one) => one.applicationId)
  readonly files = new Collection<StoredFile>('file')
  readonly searchIndexes = new Collection<StoredSearchIndex>('search-index')
  readonly authorizations = new Collection<StoredAuthorization>('authorization', (one) => applicationUserKey(one.applicationId, one.userId))
  readonly tokens = new Collection<StoredToken>('token', (token) => token.authorizationId)
  readonly codes = new Collection<StoredCode>('code')
  readonly consents = new Collection<StoredConsent>('consent', (consent) => consent.applicationId)
  readonly deviceCodes = new Collection<StoredDeviceCode>('device-code', (device) => device.userCodeHash)
  readonly oidcProviders = new Collection<StoredOidcProvider>('oidc-provider')
  readonly rpcTokens = new Collection<StoredRpcToken>('rpc-token')
  readonly invites = new Collection<StoredInvite>('invite', (invite) => invite.channelId)
  readonly externalIdentities = new Collection<StoredExternalIdentity>('external-identity', (one) =>
    applicationUserKey(one.applicationId, one.userId),
  )
  readonly lobbies = new Collection<StoredLobby>('lobby', (lobby) => lobby.applicationId)
  readonly userMessages = new Collection<StoredUserMessage>('user-message', (message) => userPairKey(message.authorId, message.recipientId))
  readonly messages = new Collection<StoredMessage>('message', (message) => message.lobbyId)
  readonly roles = new Collection<StoredRole>('role', (role) => role.guildId)
  readonly botMembers = new Collection<StoredBotMember>('bot-member')
  readonly sounds = new Collection<StoredSound>('sound', (sound) => sound.guildId)
  readonly emojis = new Collection<StoredEmoji>('emoji', (emoji) => emoji.applicationId)
  readonly guildBans = new Collection<StoredGuildBan>('guild-ban', (ban) => ban.guildId)
  readonly reactions = new Collection<StoredReaction>('reaction', (reaction) => reaction.messageId)
  readonly guildEmojis = new Collection<StoredGuildEmoji>('guild-emoji', (emoji) => emoji.guildId)
  readonly stickers = new Collection<StoredSticker>('sticker', (sticker) => sticker.guildId)
  readonly scheduledEvents = new Collection<StoredScheduledEvent>('scheduled-event', (event) => event.guildId)
  readonly roleConnectionRecords = new Collection<StoredRoleConnectionRecords>('role-connection-records')
  readonly roleConnections = new Collection<StoredRoleConnection>('role-connection')
  readonly commandPermissions = new Collection<StoredCommandPermissions>(
    'command-permissions',
    ({ applicationId, guildId }) => `${applicationId}:${guildId}`,
  )
  readonly entitlements = new Collection<StoredEntitlement>('entitlement', (entitlement) => entitlement.applicationId)
  readonly subscriptions = new Collection<StoredSubscription>('subscription', (subscription) => subscription.applicationId)
  readonly relationships = new Collection<StoredRelationship>('relationship', (relationship) => relationship.userId)
  readonly gameRelationships = new Collection<StoredGameRelationship>('game-relationship', ({ applicationId, userId }) =>
    applicationUserKey(applicationId, userId),
  )
  readonly applicationSettings = new Collection<StoredApplicationSettings>('application-settings')
  readonly interactions = new Collection<StoredInteraction>('interaction', (interaction) => interaction.tokenHash)
  readonly commands = new Collection<StoredCommand>('command', ({ applicationId, guildId }) => `${applicationId}:${guildId ?? ''}`)
  readonly moderationRules = new Collection<StoredModerationRule>('moderation-rule', (rule) => rule.guildId)
  readonly auditEntries = new Collection<StoredAuditEntry>('audit-entry', (entry) => entry.guildId)
  readonly headlessSessions = new Collection<StoredHeadlessSession>('headless-session', (one) =>
    applicationUserKey(one.applicationId, one.userId),
  )
  readonly secrets = new Collection<StoredSecret>('secret')
  readonly #backend: StoreBackend | undefined
  readonly #byKind: ReadonlyMap<string, AnyCollection>
  readonly #watchers: ((changes: readonly Change[]) => void)[] = []

  constructor(backing: StoreBackend | undefined) {
    this.#backend = backing
    const collections = [
      this.users,
      this.bans,
      this.applications,
      this.guilds,
      this.channels,
      this.authorizations,
      this.tokens,
      this.codes,
      this.consents,
      this.deviceCodes,
      this.oidcProviders,
      this.rpcTokens,
      this.externalIdentities,
      this.channelMessages,
      this.applicationAttachments,
      this.files,
      this.searchIndexes,
      this.invites,
      this.lobbies,
      this.messages,
      this.userMessages,
      this.roles,
      this.botMembers,
      this.sounds,
      this.emojis,
      this.guildBans,
      this.reactions,
      this.guildEmojis,
      this.stickers,
      this.scheduledEvents,
      this.roleConnectionRecords,
      this.roleConnections,
      this.commandPermissions,
      this.entitlements,
      this.subscriptions,
      this.relationships,
      this.gameRelationships,
      this.applicationSettings,
      this.interactions,
      this.commands,
      this.moderationRules,
      this.auditEntries,
      this.headlessSessions,
      this.secrets,
    ]
    // A document has the type of its kind.
    this.#byKind = new Map(collections.map((one) => [one.kind, one as AnyCollection]))
    for (const { kind, id, body } of backing?.load() ?? []) this.#byKind.get(kind)?.apply(id, JSON.parse(body) as object)
  }

  /** Nothing is stored yet. */
  get empty(): boolean {
    return this.users.size === 0
  }

  /** Adds a listener that receives all changes of a commit after it is done. */
  watch(watcher: (changes: readonly Change[]) => void): void {
    this.#watchers.push(watcher)
  }

  /** Applies the writes: first in the file, then in memory, so that a failed write changes nothing. */
  commit(writes: readonly Write[]): void {
    if (writes.length === 0) return
    this.#backend?.save(writes, () => this.#content())
    const changes = writes.map(({ kind, id, value }) => ({ kind, id, before: this.#byKind.get(kind)?.get(id), after: value }))
    for (const { kind, id, value } of writes) this.#byKind.get(kind)?.apply(id, value)
    for (const watcher of this.#watchers) watcher(changes)
  }

  #content(): readonly Write[] {
    return [...this.#byKind.values()].flatMap((collection) => collection.writes())
  }

  close(): void {
    this.#backend?.close()
  }
}
