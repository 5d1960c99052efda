/** What the sandbox platform keeps. Tokens, codes and lobby secrets are kept as hashes only, what must be given back is sealed: the file gives none away. */
import type { MessageSnapshot, ProviderReply } from '@sallyport/protocol'
import type { StoredCause } from './administration.ts'
import type { StoredAttachment } from './attachments.ts'

export interface StoredUser {
  readonly id: string
  readonly username: string
  readonly globalName: string
  readonly email: string
  readonly locale: string
  readonly guildTag: string | null
  /** 0 (also when absent) none, 1 to 3 the kinds of premium. */
  readonly premiumType?: number
  readonly connections: readonly StoredConnection[]
  /** Of a provisional account: the application it exists for. */
  readonly provisionalFor?: string
  /** Of a provisional account made after a ban: the account that was banned. Its merges are refused while the ban holds. */
  readonly restrictedBy?: string
}

/** A user whom the platform keeps out. */
export interface StoredBan {
  readonly userId: string
  /** Milliseconds since the epoch; null: for ever. */
  readonly until: number | null
}

export interface StoredConnection {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly verified: boolean
  readonly friendSync: boolean
  readonly showActivity: boolean
  readonly visibility: 0 | 1
}

export interface StoredApplication {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly firstSeenAt: number
  /** Its secret must be shown where tokens are made for it. Absent: a public client, which may show it. */
  readonly isConfidential?: boolean
  /** Channels it may not see are shown to it without what they say. */
  readonly obfuscatesPrivateChannels?: boolean
}

export interface StoredGuild {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly features: readonly string[]
  readonly icon: string | null
  readonly banner: string | null
  /** Permission bits by user id, as decimal text. */
  readonly members: Readonly<Record<string, string>>
  /** Permission bits of the bot of every application; null when bots are not members. */
  readonly botPermissions: string | null
  readonly onlineCount: number
}

export interface StoredOverwrite {
  readonly id: string
  /** 0 a role (the guild's id is everyone), 1 a member. */
  readonly type: 0 | 1
  readonly allow: string
  readonly deny: string
}

export interface StoredChannel {
  readonly id: string
  readonly guildId: string
  readonly type: number
  readonly name: string
  readonly position: number
  readonly parentId: string | null
  readonly topic: string | null
  /** Seconds between two messages of one member; absent: none. */
  readonly slowmodeSeconds?: number
  readonly overwrites: readonly StoredOverwrite[]
  /** Voice channels: whether bots stand connected to it, and who else. */
  readonly botsConnected: boolean
  readonly connectedUsers: readonly string[]
  readonly voiceStatus: string | null
  /** Voice channels: since when somebody is in it, in ms since the epoch; absent or null: nobody, or nobody knows. */
  readonly voiceStartedAt?: number | null
}

/** One sign-in: a user's (or, for client credentials, the owner's) permission given to one application at one time. */
export interface StoredAuthorization {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  /** Of a child application's sign-in: the parent's, with which it ends. */
  readonly parentId?: string
}

/** Who somebody is to another provider, for one application. */
export interface StoredExternalIdentity {
  readonly id: string
  readonly applicationId: string
  readonly type: string
  /** Id of the user at the provider. */
  readonly name: string
  /** The provisional account it made, or the account it is linked to. */
  readonly userId: string
  readonly linked: boolean
}

export interface StoredToken {
  /** SHA-256 of the token. */
  readonly hash: string
  readonly kind: 'access' | 'refresh'
  readonly authorizationId: string
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch; null for refresh tokens, which end when used or revoked. */
  readonly expiresAt: number | null
}

export interface StoredCode {
  readonly hash: string
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  readonly expiresAt: number
  /** The sign-in it was exchanged for; a second exchange ends that one. */
  readonly usedFor: string | null
}

/** What a user agreed to for an application, remembered so that `prompt=none` need not ask again. */
export interface StoredConsent {
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly grantedAt: number
}

/** A sign-in on another device. */
export interface StoredDeviceCode {
  readonly hash: string
  /** Hash of the code as people type it, without its dash. */
  readonly userCodeHash: string
  readonly applicationId: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
  readonly intervalMs: number
  /** Earlier questions are too early. Milliseconds since the epoch. */
  readonly askAfter: number
  /** Null until somebody answers. */
  readonly answer: { readonly userId: string } | 'denied' | null
}

/** The OpenID Connect provider of an application, with what its addresses answer: the sandbox asks nobody. */
export interface StoredOidcProvider {
  readonly issuer: string
  /** Whom its ID tokens are for. */
  readonly audience: string
  readonly keys: ProviderReply
}

export interface StoredRpcToken {
  readonly hash: string
  readonly applicationId: string
  readonly expiresAt: number
}

export interface StoredLobbyMember {
  readonly id: string
  readonly metadata: Readonly<Record<string, string>> | null
  readonly flags: number
  readonly additionalName: string | null
}

export interface StoredLobby {
  readonly id: string
  readonly applicationId: string
  readonly metadata: Readonly<Record<string, string>> | null
  readonly members: readonly StoredLobbyMember[]
  readonly flags: number
  /** SHA-256 of the secret; null when a backend made the lobby, so that no secret leads to it. */
  readonly secretHash: string | null
  readonly createdAt: number
  readonly idleTimeoutSeconds: number
  /** Brought up to date in steps of some seconds, to spare writes. */
  readonly lastUsedAt: number
  readonly linkedChannelId?: string
  readonly overrideEventWebhooksUrl?: string
}

export interface StoredMessage {
  readonly id: string
  readonly lobbyId: string
  readonly applicationId: string
  readonly authorId: string
  readonly content: string
  readonly metadata: Readonly<Record<string, string>> | null
  readonly flags: number
  readonly moderationMetadata?: Readonly<Record<string, string>>
  /** Milliseconds since the epoch; absent: never. */
  readonly editedAt?: number
}

/** A message of a guild's channel. */
export interface StoredChannelMessage {
  readonly id: string
  readonly channelId: string
  readonly authorId: string
  /** Of a bot's message: its application; null when a user wrote it. */
  readonly applicationId: string | null
  readonly content: string
  readonly embeds: readonly object[]
  readonly components: readonly object[]
  readonly stickerIds: readonly string[]
  readonly poll: object | null
  /** Absent: none. */
  readonly attachments?: readonly StoredAttachment[]
  readonly flags: number
  readonly nonce: string | number | null
  readonly tts: boolean
  readonly mentionedIds: readonly string[]
  /** The message this one answers (0) or forwards (1). */
  readonly reference: { readonly type: 0 | 1; readonly messageId: string; readonly channelId: string; readonly guildId: string } | null
  /** Of an answer to an interaction: what it answers. */
  readonly cause?: StoredCause
  /** What was forwarded, as it was then. */
  readonly snapshot: MessageSnapshot['message'] | null
  /** Milliseconds since the epoch. */
  readonly editedAt: number | null
  readonly pinnedAt: number | null
}

/** Whether a guild's messages can be searched. */
export interface StoredSearchIndex {
  readonly guildId: string
  /** Milliseconds since the epoch. */
  readonly readyAt: number
}

/** An invite to a guild by way of one of its channels. */
export interface StoredInvite {
  readonly code: string
  readonly guildId: string
  readonly channelId: string
  /** A user, or the bot of an application. */
  readonly inviterId: string
  /** The only user it is for; null when others may take it too. */
  readonly targetUserId: string | null
  /** 0: without end. */
  readonly maxUses: number
  /** 0: for ever. */
  readonly maxAgeSeconds: number
  /** Absent: 0. */
  readonly uses?: number
  readonly temporary?: boolean
  readonly roleIds?: readonly string[]
  /** The stream of a user (1) or an application as an activity (2). */
  readonly target?: { readonly type: 1 | 2; readonly id: string }
  /** The users it is kept for, and since when. */
  readonly keptFor?: { readonly userIds: readonly string[]; readonly since: number }
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Values there is one of each: keys that the sandbox made for itself. */
export interface StoredSecret {
  readonly sealed: string
}
