/** What the sandbox platform keeps of direct messages. */

export interface StoredMessageActivity {
  /** 1 invites, 5 asks. */
  readonly type: 1 | 5
  readonly partyId: string | null
  /** The session that shows the activity. */
  readonly sessionId: string | null
}

export interface StoredUserMessage {
  readonly id: string
  readonly authorId: string
  readonly recipientId: string
  /** Application it was written through. */
  readonly applicationId: string
  readonly content: string
  readonly metadata: Readonly<Record<string, string>> | null
  /** Milliseconds since the epoch. */
  readonly editedAt: number | null
  /** Of an invite to an activity, or a request to be invited. */
  readonly activity?: StoredMessageActivity
  /** What the moderation of the game says about it. */
  readonly moderationMetadata?: Readonly<Record<string, string>>
}

/** The group of all direct messages between two users, whoever wrote them. */
export const pairOf = (one: string, other: string): string => [one, other].toSorted().join(':')
