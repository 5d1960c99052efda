/** Mappings for the user and their relationships. */
import { NO_PRESENCE, userFrom } from '../cache/user-cache.ts'
import { fieldsOf, idOf, numberOf, picked } from '@sallyport/core/json-read'
import type { DispatchContext, MappedEvent, DispatchMapping } from './dispatch-mapping.ts'

/** The platform sends these without any intent. */
const NONE = 0
/** The type of a removed relationship. */
const ENDED = 0

function ownUser({ d, identity }: DispatchContext): MappedEvent | undefined {
  const user = userFrom(d)
  return identity.kind === 'user' && user?.id === identity.userId ? { data: user } : undefined
}

function relationship({ d, users }: DispatchContext): MappedEvent | undefined {
  const user = userFrom(d['user']) ?? cachedUser(d['id'], users)
  const type = numberOf(d['type'])
  if (user === undefined || type === undefined) return undefined
  return { data: { type, user, presence: users.relationship(user.id)?.presence ?? NO_PRESENCE } }
}

/** The presence of a user with a relationship. Copies for members of a guild are left out. */
function relationshipPresence({ d, users }: DispatchContext): MappedEvent | undefined {
  if (d['guild_id'] != null) return undefined
  const known = users.relationship(idOf(fieldsOf(d['user'])['id']) ?? '')
  return known?.presence == null ? undefined : { data: known }
}

function relationshipEnded({ d, users }: DispatchContext): MappedEvent | undefined {
  const user = userFrom(d['user']) ?? cachedUser(d['id'], users)
  return user === undefined ? undefined : { data: { type: ENDED, user, presence: NO_PRESENCE } }
}

/** The cached user with this id, which is also the id of the relationship. */
function cachedUser(value: unknown, users: DispatchContext['users']) {
  const id = idOf(value)
  return id === undefined ? undefined : users.userOf(id)
}

/** As the gateway sends it, with the type of this change. */
const gameRelationship =
  (type: number | undefined) =>
  ({ d, identity }: DispatchContext): MappedEvent | undefined => {
    const user = userFrom(d['user'])
    const userId = idOf(d['user_id']) ?? user?.id ?? idOf(d['id'])
    const shown = type ?? numberOf(d['type'])
    if (identity.kind !== 'user' || userId === undefined || shown === undefined) return undefined
    const known = { ...picked(d, ['id', 'application_id', 'since', 'dm_access_type']), type: shown, user_id: userId }
    return { data: { ...known, ...(user === undefined ? {} : { user }) } }
  }

export const USER_MAPPINGS: readonly DispatchMapping[] = [
  { event: 'CURRENT_USER_UPDATE', intents: NONE, from: { USER_UPDATE: ownUser } },
  {
    event: 'RELATIONSHIP_UPDATE',
    intents: NONE,
    from: {
      PRESENCE_UPDATE: relationshipPresence,
      RELATIONSHIP_ADD: relationship,
      RELATIONSHIP_UPDATE: relationship,
      RELATIONSHIP_REMOVE: relationshipEnded,
    },
  },
  {
    event: 'GAME_RELATIONSHIP_UPDATE',
    intents: NONE,
    from: {
      GAME_RELATIONSHIP_ADD: gameRelationship(undefined),
      GAME_RELATIONSHIP_UPDATE: gameRelationship(undefined),
      GAME_RELATIONSHIP_REMOVE: gameRelationship(ENDED),
    },
  },
]
