/** What the sandbox platform keeps of direct messages. */

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
  /** What the moderation of the game says about it. */
  readonly moderationMetadata?: Readonly<Record<string, string>>
}

/** The group of all direct messages between two users, whoever wrote them. */
export const pairOf = (one: string, other: string): string => [one, other].toSorted().join(':')
