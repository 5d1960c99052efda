/** Who is what to whom, and who is there. */
import { userView } from '../../api/user-view.ts'
import { isoTime } from '../../api/wire-time.ts'
import type { Platform } from '../../platform.ts'
import { relationshipKey, type StoredRelationship } from '../../store/relationships.ts'
import { memberIdsOf } from '../guild-view.ts'
import { type Presence, presenceView } from '../presences.ts'
import { guildsOf, wants } from '../viewer.ts'
import { NOTHING, type Occurrence, type Tell } from './told.ts'

export const FRIEND = 1

export function relationshipView({ store }: Platform, { otherId, type, since }: StoredRelationship) {
  const other = store.users.get(otherId)
  return { id: otherId, type, nickname: null, since: isoTime(since), ...(other === undefined ? {} : { user: userView(other) }) }
}

export const ofRelationship: Occurrence<StoredRelationship> = ({ before, after }, { platform }) => {
  const one = after ?? before
  if (one === undefined) return undefined
  const t = after === undefined ? 'RELATIONSHIP_REMOVE' : before === undefined ? 'RELATIONSHIP_ADD' : 'RELATIONSHIP_UPDATE'
  const told = { t, d: relationshipView(platform, one) }
  return ({ party, shard }) => (shard.id === 0 && party.kind === 'user' && party.id === one.userId ? [told] : NOTHING)
}

/** Friends are told wherever they are, members of a guild once for each that they share. */
export function ofPresence(platform: Platform, personId: string, presence: Presence): Tell {
  const d = presenceView(personId, presence)
  const { relationships } = platform.store
  return (viewer) => {
    const { party } = viewer
    if (party.id === personId) return NOTHING
    const isFriend = party.kind === 'user' && relationships.get(relationshipKey({ userId: party.id, otherId: personId }))?.type === FRIEND
    const shared = wants(viewer, 'GUILD_PRESENCES')
      ? guildsOf(platform, viewer).filter((guild) => memberIdsOf(viewer, guild).includes(personId))
      : []
    return [
      ...(isFriend ? [{ t: 'PRESENCE_UPDATE', d }] : NOTHING),
      ...shared.map((guild) => ({ t: 'PRESENCE_UPDATE', d: { ...d, guild_id: guild.id } })),
    ]
  }
}
