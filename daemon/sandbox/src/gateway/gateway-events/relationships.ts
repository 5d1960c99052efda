/** Events of relationships and presence. */
import { gameRelationshipView, relationshipView } from '../../api/relationships.ts'
import { userView } from '../../api/user-view.ts'
import type { Platform } from '../../platform.ts'
import { isBlockedBetween } from '../../social/relationships.ts'
import {
  RELATIONSHIP_TYPES as TYPES,
  relationshipKey,
  type StoredGameRelationship,
  type StoredRelationship,
} from '../../store/relationships.ts'
import { memberIdsOf } from '../guild-view.ts'
import { type UserPresence, presenceView } from '../presence-registry.ts'
import { guildsOf, hasIntents } from '../viewer.ts'
import { NO_EVENTS, type ChangeMapper, type EventMapper } from './event-mapper.ts'

/** The presence of a new friend follows the relationship. */
export const mapRelationship: ChangeMapper<StoredRelationship> = ({ before, after }, { platform, presences }) => {
  const one = after ?? before
  if (one === undefined) return undefined
  const t = after === undefined ? 'RELATIONSHIP_REMOVE' : after.type === before?.type ? 'RELATIONSHIP_UPDATE' : 'RELATIONSHIP_ADD'
  const presence = presences.of(one.otherId)
  const isShown = after?.type === TYPES.friend && presence.status !== 'offline'
  const events = [
    { t, d: relationshipView(platform, one) },
    ...(isShown ? [{ t: 'PRESENCE_UPDATE', d: presenceView(one.otherId, presence) }] : NO_EVENTS),
  ]
  return ({ caller, shard }) => (shard.id === 0 && caller.kind === 'user' && caller.id === one.userId ? events : NO_EVENTS)
}

export const mapGameRelationship: ChangeMapper<StoredGameRelationship> = ({ before, after }, { platform }) => {
  const one = after ?? before
  if (one === undefined) return undefined
  const other = platform.store.users.get(one.otherId)
  const d = { ...gameRelationshipView(one), ...(other === undefined ? {} : { user: userView(platform, other) }) }
  const event = { t: after === undefined ? 'GAME_RELATIONSHIP_REMOVE' : 'GAME_RELATIONSHIP_ADD', d }
  return ({ caller, shard }) =>
    shard.id === 0 && caller.kind === 'user' && caller.id === one.userId && caller.applicationId === one.applicationId ? [event] : NO_EVENTS
}

/** A friend receives it once; a member of shared guilds receives it once per guild. */
export function presenceMapper(platform: Platform, personId: string, presence: UserPresence): EventMapper {
  const d = presenceView(personId, presence)
  const { relationships } = platform.store
  return (viewer) => {
    const { caller } = viewer
    if (caller.id === personId || isBlockedBetween(platform, caller.id, personId)) return NO_EVENTS
    const isFriend =
      caller.kind === 'user' && relationships.get(relationshipKey({ userId: caller.id, otherId: personId }))?.type === TYPES.friend
    const shared = hasIntents(viewer, 'GUILD_PRESENCES')
      ? guildsOf(platform, viewer).filter((guild) => memberIdsOf(viewer, guild).includes(personId))
      : []
    return [
      ...(isFriend ? [{ t: 'PRESENCE_UPDATE', d }] : NO_EVENTS),
      ...shared.map((guild) => ({ t: 'PRESENCE_UPDATE', d: { ...d, guild_id: guild.id } })),
    ]
  }
}
