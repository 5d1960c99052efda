/** Stored records of direct messages. */

export interface StoredMessageActivity {
  /** 1 invite, 5 join request. */
  readonly type: 1 | 5
  readonly partyId: string | null
  /** The session with the activity. */
  readonly sessionId: string | null
  /** The activity as the author showed it, in the wire form, without secrets. */
  readonly shown?: Readonly<Record<string, unknown>>
}

export interface StoredUserMessage {
  readonly id: string
  readonly authorId: string
  readonly recipientId: string
  /** The application that sent it. */
  readonly applicationId: string
  readonly content: string
  readonly metadata: Readonly<Record<string, string>> | null
  /** Milliseconds since the epoch. */
  readonly editedAt: number | null
  /** The activity of an invite or a join request. */
  readonly activity?: StoredMessageActivity
  /** Moderation metadata from the game. */
  readonly moderationMetadata?: Readonly<Record<string, string>>
}

/** The group of all direct messages between two users, in both directions. */
export const userPairKey = (one: string, other: string): string => [one, other].toSorted().join(':')
