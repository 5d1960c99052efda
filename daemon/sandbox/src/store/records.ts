/** Stored records of the sandbox. Tokens, codes and lobby secrets are hashed; secrets to return later are sealed. */
import type { ActivityMapping, MessageSnapshot, OnlineStatus, PrivilegedIntentName, ProviderReply } from '@sallyport/protocol'
import type { StoredCause } from './admin-records.ts'
import type { StoredAttachment } from './attachments.ts'

export interface StoredUser {
  readonly id: string
  readonly username: string
  readonly globalName: string
  readonly email: string
  readonly locale: string
  readonly guildTag: string | null
  /** 0 or absent: none; 1 to 3: the premium types. */
  readonly premiumType?: number
  readonly connections: readonly StoredConnection[]
  /** The status that the user chose; absent: online. */
  readonly onlineStatus?: OnlineStatus
  /** The application of a provisional account. */
  readonly provisionalFor?: string
  /** The banned account behind a provisional account. Merges are refused during the ban. */
  readonly restrictedBy?: string
}

/** A banned user. */
export interface StoredBan {
  readonly userId: string
  /** Milliseconds since the epoch; null: no end. */
  readonly until: number | null
}

interface StoredConnection {
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
  /** Token requests need the client secret. Absent: a public client, for which it is optional. */
  readonly isConfidential?: boolean
  /** Hidden channels are sent to it without their content. */
  readonly obfuscatesPrivateChannels?: boolean
  /** URL mappings of its embedded activity, tried in this order. */
  readonly urlMappings?: readonly ActivityMapping[]
  /** The platform verified it. Verification gives no intent. */
  readonly isVerified?: boolean
  /** Privileged intents that the platform approved, and when: in ms since the epoch. */
  readonly approvedIntents?: { readonly names: readonly PrivilegedIntentName[]; readonly at: number }
  /** The platform approved it: the limits before approval do not hold. */
  readonly isApproved?: boolean
  /** Scopes that the platform approved for it. */
  readonly approvedScopes?: readonly string[]
  /** Users who may grant scopes before the platform approves them. */
  readonly testerIds?: readonly string[]
  /** Its redirects; absent: those of loopback, and its default scheme. */
  readonly redirectUris?: readonly string[]
  /** Users whom it can reach; absent: those who authorized it. */
  readonly userCount?: number
  /** The platform approved it for identify.premium. */
  readonly mayReadPremium?: boolean
  /** It accepted the terms of the social SDK. */
  readonly acceptedTerms?: boolean
  /** The platform approved it as the parent of its publisher's applications. */
  readonly mayLinkPublisher?: boolean
  /** The parent application of the publisher. */
  readonly parentId?: string
}

/** What keeps a member from all but reading. */
export interface StoredRestriction {
  /** End of the member's timeout, in ms since the epoch. */
  readonly timeoutUntil?: number
  /** The member's profile broke a rule whose action blocks interactions. */
  readonly isBlocked?: boolean
}

/** A membership in a guild. */
export interface StoredMember extends StoredRestriction {
  readonly nick?: string | null
  readonly isMuted?: boolean
  readonly isDeafened?: boolean
}

export interface StoredGuild {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly features: readonly string[]
  readonly icon: string | null
  readonly banner: string | null
  /** By user id. */
  readonly members: Readonly<Record<string, StoredMember>>
  /** Permission bits of the @everyone role, as decimal text; absent: those of a new guild. */
  readonly everyonePermissions?: string
  /** Permission bits that every bot has beside its roles, as decimal text: 0 but in data of earlier versions. Null when bots are not members. */
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
  /** Voice channels: whether bots are connected, and the connected users. */
  readonly botsConnected: boolean
  readonly connectedUsers: readonly string[]
  readonly voiceStatus: string | null
  /** What voice channels have besides; absent: the defaults of the platform. */
  readonly bitrate?: number
  readonly userLimit?: number
  readonly rtcRegion?: string | null
  readonly videoQualityMode?: number
  readonly isForAdults?: boolean
  /** Voice channels: when the first member joined, in ms since the epoch; absent or null: empty or unknown. */
  readonly voiceStartedAt?: number | null
}

/** One sign-in: the authorization of an application by a user, or by its owner for client credentials. */
export interface StoredAuthorization {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  /** The parent's sign-in, for a child application. Both end together. */
  readonly parentId?: string
}

/** A user's identity at another provider, for one application. */
export interface StoredExternalIdentity {
  readonly id: string
  readonly applicationId: string
  readonly type: string
  /** Id of the user at the provider. */
  readonly name: string
  /** Its provisional account, or the linked account. */
  readonly userId: string
  readonly linked: boolean
}

export interface StoredToken {
  /** SHA-256 of the token. */
  readonly hash: string
  readonly kind: 'access' | 'refresh'
  readonly authorizationId: string
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch; null for refresh tokens, which end by use or revocation. */
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
  /** The sign-in of its exchange. A second exchange ends that sign-in. */
  readonly usedFor: string | null
}

/** Scopes that a user allowed an application. With them `prompt=none` needs no page. */
export interface StoredConsent {
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly grantedAt: number
}

/** A sign-in on another device. */
export interface StoredDeviceCode {
  readonly hash: string
  /** Hash of the user code without its dash. */
  readonly userCodeHash: string
  readonly applicationId: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
  readonly intervalMs: number
  /** The earliest time of the next poll. Milliseconds since the epoch. */
  readonly askAfter: number
  /** Null until the user answers. */
  readonly answer: { readonly userId: string } | 'denied' | null
}

/** The OpenID Connect provider of an application, with configured replies. The sandbox sends no requests to it. */
export interface StoredOidcProvider {
  readonly issuer: string
  /** The audience of its ID tokens. */
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
  /** SHA-256 of the secret; null for a lobby of a backend, which has no secret. */
  readonly secretHash: string | null
  readonly createdAt: number
  readonly idleTimeoutSeconds: number
  /** Updated in steps of some seconds, to save writes. */
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
  /** The message of the linked channel that this one repeats. */
  readonly copyOf?: string
}

/** A part of a poll: its question or an answer. */
interface StoredPollPart {
  readonly text?: string | null | undefined
  readonly emoji?: { readonly id?: string | null | undefined; readonly name?: string | null | undefined } | null | undefined
}

/** A poll as its sender gave it, and what happened since. */
export interface StoredPoll {
  readonly question: StoredPollPart
  readonly answers: readonly { readonly poll_media: StoredPollPart }[]
  readonly allow_multiselect?: boolean | null | undefined
  readonly layout_type?: number | null | undefined
  /** In hours. */
  readonly duration?: number | null | undefined
  /** When its sender ended it, in ms since the epoch. */
  readonly endedAt?: number
  /** The users who voted, by answer id. */
  readonly votes?: Readonly<Record<string, readonly string[]>>
}

/** A message of a guild's channel. */
export interface StoredChannelMessage {
  readonly id: string
  readonly channelId: string
  readonly authorId: string
  /** The application of a bot's message; null for a user's message. */
  readonly applicationId: string | null
  readonly content: string
  readonly embeds: readonly object[]
  readonly components: readonly object[]
  readonly stickerIds: readonly string[]
  readonly poll: StoredPoll | null
  /** Absent: none. */
  readonly attachments?: readonly StoredAttachment[]
  readonly flags: number
  readonly nonce: string | number | null
  readonly tts: boolean
  readonly mentionedIds: readonly string[]
  /** The message that this one replies to (0) or forwards (1). */
  readonly reference: { readonly type: 0 | 1; readonly messageId: string; readonly channelId: string; readonly guildId: string } | null
  /** The interaction of a response. */
  readonly cause?: StoredCause
  /** A copy of the forwarded message. */
  readonly snapshot: MessageSnapshot['message'] | null
  /** Milliseconds since the epoch. */
  readonly editedAt: number | null
  readonly pinnedAt: number | null
  /** Absent: a message of its author, or a reply. */
  readonly type?: number
  /** The message of a lobby that this one repeats. */
  readonly copyOf?: string
}

/** Whether a guild's messages can be searched. */
export interface StoredSearchIndex {
  readonly guildId: string
  /** Milliseconds since the epoch. */
  readonly readyAt: number
}

/** An invite to a guild via one of its channels. */
export interface StoredInvite {
  readonly code: string
  readonly guildId: string
  readonly channelId: string
  /** A user, or the bot of an application. */
  readonly inviterId: string
  /** The only user who may accept it; null for any user. */
  readonly targetUserId: string | null
  /** 0: unlimited. */
  readonly maxUses: number
  /** 0: no end. */
  readonly maxAgeSeconds: number
  /** Absent: 0. */
  readonly uses?: number
  readonly temporary?: boolean
  readonly roleIds?: readonly string[]
  /** The stream of a user (1) or an application as an activity (2). */
  readonly target?: { readonly type: 1 | 2; readonly id: string }
  /** Its target users, and when they were set. */
  readonly keptFor?: { readonly userIds: readonly string[]; readonly since: number }
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Single secrets, such as keys that the sandbox generated. */
export interface StoredSecret {
  readonly sealed: string
}
