/** Stored records of relationships. */

/** The wire values: 1 friend, 2 blocked, 3 incoming request, 4 outgoing request. */
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
