/** What the sandbox platform keeps of who is what to whom. */

/** As on the wire: 1 friend, 2 blocked, 3 asked by the other, 4 asked by this user. */
export type RelationshipType = 1 | 2 | 3 | 4

/** One side of a relationship. */
export interface StoredRelationship {
  readonly userId: string
  readonly otherId: string
  readonly type: RelationshipType
  /** Milliseconds since the epoch. */
  readonly since: number
}

export const relationshipKey = ({ userId, otherId }: Pick<StoredRelationship, 'userId' | 'otherId'>): string => `${userId}:${otherId}`
