/** What the sandbox platform keeps of the things applications and guilds are administered with. */

/** Something a user did that the application answers. Its token is kept as a hash only. */
export interface StoredInteraction {
  readonly id: string
  readonly applicationId: string
  readonly tokenHash: string
  readonly type: number
  readonly userId: string
  readonly guildId: string | null
  readonly channelId: string
  /** Owner by installation context, as on the wire. */
  readonly owners: Readonly<Record<string, string>>
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The first answer must come within this time, in ms. */
  readonly answerWithinMs: number
  /** Number of the callback that answered it; null until then. */
  readonly answeredBy: number | null
  /** The message that the answer became, or the one that the component stands in. */
  readonly originalId: string | null
  /** Whether the message was only promised so far. */
  readonly isDeferred: boolean
  readonly followupIds: readonly string[]
}

/** Of a message that answers an interaction: who caused it. */
export interface StoredCause {
  readonly interactionId: string
  readonly type: number
  readonly userId: string
  readonly owners: Readonly<Record<string, string>>
}

/** A command of an application, in the words of the wire. */
export interface StoredCommand {
  readonly id: string
  readonly applicationId: string
  readonly guildId: string | null
  readonly version: string
  readonly type: number
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A rule of the auto-moderation of a guild, in the words of the wire. */
export interface StoredModerationRule {
  readonly id: string
  readonly guildId: string
  readonly creatorId: string
  readonly triggerType: number
  readonly keywords: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
}

export interface StoredAuditEntry {
  readonly id: string
  readonly guildId: string
  readonly actionType: number
  readonly userId: string
  readonly targetId: string | null
  readonly changes: readonly { readonly key: string; readonly new_value?: unknown; readonly old_value?: unknown }[]
  readonly options: Readonly<Record<string, string>>
  readonly reason: string | null
}

/** Presence without a connection. Its token is kept as a hash only; a join secret is what others ask for, so it is sealed. */
export interface StoredHeadlessSession {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly tokenHash: string
  readonly activity: Readonly<Record<string, unknown>>
  readonly sealedJoinSecret: string | null
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}
