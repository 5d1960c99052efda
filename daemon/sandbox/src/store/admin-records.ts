/** Stored records of interactions, commands, moderation rules, audit logs and headless sessions. */

/** An interaction of a user. The store keeps only a hash of its token. */
export interface StoredInteraction {
  readonly id: string
  readonly applicationId: string
  readonly tokenHash: string
  readonly type: number
  readonly userId: string
  readonly guildId: string | null
  readonly channelId: string
  /** Owner by installation context, in the wire form. */
  readonly owners: Readonly<Record<string, string>>
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Maximum bytes of each file of a response; absent: that of any message. */
  readonly attachmentSizeLimit?: number
  /** Deadline of the first response, in ms. */
  readonly answerWithinMs: number
  /** Type of the callback that responded; null until then. */
  readonly answeredBy: number | null
  /** The message of the response, or the message of the component. */
  readonly originalId: string | null
  /** Whether the response is deferred. */
  readonly isDeferred: boolean
  readonly followupIds: readonly string[]
}

/** The interaction that a message responds to. */
export interface StoredCause {
  readonly interactionId: string
  readonly type: number
  readonly userId: string
  readonly owners: Readonly<Record<string, string>>
}

/** A command of an application; the body in the wire form. */
export interface StoredCommand {
  readonly id: string
  readonly applicationId: string
  readonly guildId: string | null
  readonly version: string
  readonly type: number
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** An auto-moderation rule of a guild; the body in the wire form. */
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

/** Presence without a connection. The store keeps a hash of its token and seals the join secret, which others can request. */
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
