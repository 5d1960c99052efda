/** What the sandbox platform keeps. Tokens, codes and lobby secrets are kept as hashes only, so the file gives none away. */

export interface StoredUser {
  readonly id: string
  readonly username: string
  readonly globalName: string
  readonly email: string
  readonly locale: string
  readonly guildTag: string | null
  readonly connections: readonly StoredConnection[]
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
  readonly overwrites: readonly StoredOverwrite[]
  /** Voice channels: whether bots stand connected to it, and who else. */
  readonly botsConnected: boolean
  readonly connectedUsers: readonly string[]
  readonly voiceStatus: string | null
}

/** One sign-in: a user's (or, for client credentials, the owner's) permission given to one application at one time. */
export interface StoredAuthorization {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly createdAt: number
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
  /** SHA-256 of the secret. */
  readonly secretHash: string
  readonly createdAt: number
  readonly idleTimeoutSeconds: number
  /** Brought up to date in steps of some seconds, to spare writes. */
  readonly lastUsedAt: number
}

export interface StoredMessage {
  readonly id: string
  readonly lobbyId: string
  readonly applicationId: string
  readonly authorId: string
  readonly content: string
  readonly metadata: Readonly<Record<string, string>> | null
  readonly flags: number
}

/** Values there is one of each: keys that the sandbox made for itself. */
export interface StoredSecret {
  readonly value: string
}
