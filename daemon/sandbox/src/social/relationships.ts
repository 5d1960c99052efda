/** How relationships of two users change: requests, answers, removals and blocks. Both sides change in one commit. */
import { LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import {
  gameRelationshipKey,
  RELATIONSHIP_TYPES as TYPES,
  relationshipKey,
  type RelationshipType,
  type StoredRelationship,
} from '../store/relationships.ts'
import { applicationUserKey } from '../store/store.ts'

/** The relationships of the platform, or those in one application. */
interface Circle {
  of(userId: string, otherId: string): RelationshipType | undefined
  friendCount(userId: string): number
  /** Undefined removes it. No write when it stays the same. */
  set(userId: string, otherId: string, type: RelationshipType | undefined): readonly Write[]
}

const friendsAmong = (all: readonly StoredRelationship[]): number => all.filter(({ type }) => type === TYPES.friend).length

export const everywhere = ({ store, clock }: Platform): Circle => ({
  of: (userId, otherId) => store.relationships.get(relationshipKey({ userId, otherId }))?.type,
  friendCount: (userId) => friendsAmong(store.relationships.group(userId)),
  set(userId, otherId, type) {
    const key = relationshipKey({ userId, otherId })
    if (store.relationships.get(key)?.type === type) return []
    if (type === undefined) return [store.relationships.delete(key)]
    return [store.relationships.put(key, { userId, otherId, type, since: clock.now() })]
  },
})

export const inApplication = ({ store, clock }: Platform, applicationId: string): Circle => ({
  of: (userId, otherId) => store.gameRelationships.get(gameRelationshipKey({ applicationId, userId, otherId }))?.type,
  friendCount: (userId) => friendsAmong(store.gameRelationships.group(applicationUserKey(applicationId, userId))),
  set(userId, otherId, type) {
    const key = gameRelationshipKey({ applicationId, userId, otherId })
    if (store.gameRelationships.get(key)?.type === type) return []
    if (type === undefined) return [store.gameRelationships.delete(key)]
    return [store.gameRelationships.put(key, { applicationId, userId, otherId, type, since: clock.now() })]
  },
})

const isBlocking = (platform: Pick<Platform, 'store'>, userId: string, otherId: string): boolean =>
  platform.store.relationships.get(relationshipKey({ userId, otherId }))?.type === TYPES.blocked

/** Whether one of the two users blocks the other. */
export const isBlockedBetween = (platform: Pick<Platform, 'store'>, one: string, other: string): boolean =>
  isBlocking(platform, one, other) || isBlocking(platform, other, one)

/** The user asks the other, or accepts what the other asked. Throws a PlatformError; a repeat changes nothing. */
export function request(platform: Platform, circle: Circle, userId: string, otherId: string): void {
  if (userId === otherId) throw new PlatformError('requestToSelf')
  if (isBlockedBetween(platform, userId, otherId)) throw new PlatformError('requestBlocked')
  const before = circle.of(userId, otherId)
  if (before === TYPES.friend) throw new PlatformError('alreadyFriends')
  if ([userId, otherId].some((id) => circle.friendCount(id) >= LIMITS.friends.value)) throw new PlatformError('tooManyFriends')
  const [own, others] = before === TYPES.incoming ? [TYPES.friend, TYPES.friend] : [TYPES.outgoing, TYPES.incoming]
  platform.store.commit([...circle.set(userId, otherId, own), ...circle.set(otherId, userId, others)])
}

/** Ends a friendship, refuses or withdraws a request, or ends the user's block. A block of the other user stays. */
export function remove(platform: Platform, circle: Circle, userId: string, otherId: string): void {
  const isBlocked = circle.of(otherId, userId) === TYPES.blocked
  platform.store.commit([...circle.set(userId, otherId, undefined), ...(isBlocked ? [] : circle.set(otherId, userId, undefined))])
}

/** Blocks the other user, and ends what the two had, in all applications too. Throws tooManyBlocked. */
export function block(platform: Platform, userId: string, otherId: string): void {
  const { store } = platform
  const circle = everywhere(platform)
  const blocked = store.relationships.group(userId).filter(({ type }) => type === TYPES.blocked).length
  if (!isBlocking(platform, userId, otherId) && blocked >= LIMITS.blockedUsers.value) throw new PlatformError('tooManyBlocked')
  const inGames = store.gameRelationships
    .all()
    .filter((one) => (one.userId === userId && one.otherId === otherId) || (one.userId === otherId && one.otherId === userId))
  store.commit([
    ...circle.set(userId, otherId, TYPES.blocked),
    ...(isBlocking(platform, otherId, userId) ? [] : circle.set(otherId, userId, undefined)),
    ...inGames.map((one) => store.gameRelationships.delete(gameRelationshipKey(one))),
  ])
}
