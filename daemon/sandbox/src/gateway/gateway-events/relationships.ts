/** Events of relationships and presence. */
import { userView } from '../../api/user-view.ts'
import { isoTime } from '../../api/wire-time.ts'
import type { Platform } from '../../platform.ts'
import { relationshipKey, type StoredRelationship } from '../../store/relationships.ts'
import { memberIdsOf } from '../guild-view.ts'
import { type UserPresence, presenceView } from '../presence-registry.ts'
import { guildsOf, hasIntents } from '../viewer.ts'
import { NO_EVENTS, type ChangeMapper, type EventMapper } from './event-mapper.ts'

export const FRIEND = 1

export function relationshipView({ store }: Platform, { otherId, type, since }: StoredRelationship) {
  const other = store.users.get(otherId)
  return { id: otherId, type, nickname: null, since: isoTime(since), ...(other === undefined ? {} : { user: userView(other) }) }
}

export const mapRelationship: ChangeMapper<StoredRelationship> = ({ before, after }, { platform }) => {
  const one = after ?? before
  if (one === undefined) return undefined
  const t = after === undefined ? 'RELATIONSHIP_REMOVE' : before === undefined ? 'RELATIONSHIP_ADD' : 'RELATIONSHIP_UPDATE'
  const event = { t, d: relationshipView(platform, one) }
  return ({ caller, shard }) => (shard.id === 0 && caller.kind === 'user' && caller.id === one.userId ? [event] : NO_EVENTS)
}

/** A friend receives it once; a member of shared guilds receives it once per guild. */
export function presenceMapper(platform: Platform, personId: string, presence: UserPresence): EventMapper {
  const d = presenceView(personId, presence)
  const { relationships } = platform.store
  return (viewer) => {
    const { caller } = viewer
    if (caller.id === personId) return NO_EVENTS
    const isFriend = caller.kind === 'user' && relationships.get(relationshipKey({ userId: caller.id, otherId: personId }))?.type === FRIEND
    const shared = hasIntents(viewer, 'GUILD_PRESENCES')
      ? guildsOf(platform, viewer).filter((guild) => memberIdsOf(viewer, guild).includes(personId))
      : []
    return [
      ...(isFriend ? [{ t: 'PRESENCE_UPDATE', d }] : NO_EVENTS),
      ...shared.map((guild) => ({ t: 'PRESENCE_UPDATE', d: { ...d, guild_id: guild.id } })),
    ]
  }
}
