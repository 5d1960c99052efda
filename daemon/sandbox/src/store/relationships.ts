/** Stored records of relationships. */

/** The wire values: 1 friend, 2 blocked, 3 incoming request, 4 outgoing request. */
export const RELATIONSHIP_TYPES = { friend: 1, blocked: 2, incoming: 3, outgoing: 4 } as const
export type RelationshipType = (typeof RELATIONSHIP_TYPES)[keyof typeof RELATIONSHIP_TYPES]

/** One side of a relationship. */
export interface StoredRelationship {
  readonly userId: string
  readonly otherId: string
  readonly type: RelationshipType
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** One side of a relationship in one application. A block is never of one application only. */
export interface StoredGameRelationship extends StoredRelationship {
  readonly applicationId: string
}

type Side = Pick<StoredRelationship, 'userId' | 'otherId'>

export const relationshipKey = ({ userId, otherId }: Side): string => `${userId}:${otherId}`

export const gameRelationshipKey = ({ applicationId, userId, otherId }: Side & Pick<StoredGameRelationship, 'applicationId'>): string =>
  `${applicationId}:${userId}:${otherId}`
