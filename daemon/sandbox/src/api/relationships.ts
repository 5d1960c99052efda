/** Friends, requests and blocks of the user, on the platform and in the application. */
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { compareIds } from '../snowflake.ts'
import type { StoredUser } from '../store/records.ts'
import { block, everywhere, inApplication, remove, request } from '../social/relationships.ts'
import { RELATIONSHIP_TYPES as TYPES, type StoredGameRelationship, type StoredRelationship } from '../store/relationships.ts'
import { applicationUserKey } from '../store/store.ts'
import { asUser, type Handler, type Handlers } from './handlers.ts'
import { userView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

export function relationshipView({ store }: Pick<Platform, 'store'>, { otherId, type, since }: StoredRelationship) {
  const other = store.users.get(otherId)
  return {
    id: otherId,
    type,
    nickname: null,
    user_ignored: false,
    since: isoTime(since),
    ...(other === undefined ? {} : { user: userView({ store }, other) }),
  }
}

/** The platform documents no values of `dm_access_type`; the sandbox has one. */
export const gameRelationshipView = ({ applicationId, otherId, type, since }: StoredGameRelationship) => ({
  id: otherId,
  application_id: applicationId,
  type,
  since: isoTime(since),
  dm_access_type: 0,
  user_id: otherId,
})

/** The oldest first, also after a restart. */
export const relationshipsOf = ({ store }: Pick<Platform, 'store'>, userId: string): readonly StoredRelationship[] =>
  store.relationships.group(userId).toSorted((a, b) => a.since - b.since || compareIds(a.otherId, b.otherId))

/** An OAuth token reads friends only. */
const listRelationships: Handler<'LIST_RELATIONSHIPS'> = (_, { platform, caller }) =>
  relationshipsOf(platform, asUser(caller).id)
    .filter(({ type }) => type === TYPES.friend)
    .map((one) => relationshipView(platform, one))

const sendFriendRequest: Handler<'SEND_FRIEND_REQUEST'> = ({ username }, { platform, caller }) => {
  request(platform, everywhere(platform), asUser(caller).id, named(platform, username).id)
  return null
}

const createRelationship: Handler<'CREATE_RELATIONSHIP'> = ({ user_id, type = TYPES.friend }, { platform, caller }) => {
  const { id } = asUser(caller)
  const other = fullUser(platform, user_id)
  if (type === TYPES.blocked && other.id === id) throw new PlatformError('requestToSelf')
  if (type === TYPES.blocked) block(platform, id, other.id)
  else request(platform, everywhere(platform), id, other.id)
  return null
}

const removeRelationship: Handler<'REMOVE_RELATIONSHIP'> = ({ user_id }, { platform, caller }) => {
  remove(platform, everywhere(platform), asUser(caller).id, fullUser(platform, user_id).id)
  return null
}

const getGameRelationships: Handler<'GET_GAME_RELATIONSHIPS'> = (_, { platform, caller }) => {
  const { applicationId, id } = asUser(caller)
  return platform.store.gameRelationships.group(applicationUserKey(applicationId, id)).map(gameRelationshipView)
}

const sendGameFriendRequest: Handler<'SEND_GAME_FRIEND_REQUEST'> = ({ username }, { platform, caller }) => {
  const { applicationId, id } = asUser(caller)
  const other = authorized(platform, applicationId, named(platform, username))
  request(platform, inApplication(platform, applicationId), id, other.id)
  return null
}

const createGameRelationship: Handler<'CREATE_GAME_RELATIONSHIP'> = ({ user_id }, { platform, caller }) => {
  const { applicationId, id } = asUser(caller)
  const other = authorized(platform, applicationId, fullUser(platform, user_id))
  request(platform, inApplication(platform, applicationId), id, other.id)
  return null
}

const removeGameRelationship: Handler<'REMOVE_GAME_RELATIONSHIP'> = ({ user_id }, { platform, caller }) => {
  const { applicationId, id } = asUser(caller)
  remove(platform, inApplication(platform, applicationId), id, fullUser(platform, user_id).id)
  return null
}

function named({ store }: Platform, username: string): StoredUser {
  const user = store.users.all().find((one) => one.username === username.toLowerCase())
  if (user === undefined) throw new PlatformError('noSuchUsername')
  return user
}

function fullUser({ store }: Platform, id: string): StoredUser {
  const user = store.users.get(id)
  if (user === undefined) throw new PlatformError('unknownUser')
  return user
}

/** A game friend has authorized the application. */
function authorized({ store }: Platform, applicationId: string, user: StoredUser): StoredUser {
  if (store.authorizations.group(applicationUserKey(applicationId, user.id)).length === 0) throw new PlatformError('unknownUser')
  return user
}

export const relationshipHandlers = {
  CREATE_GAME_RELATIONSHIP: createGameRelationship,
  CREATE_RELATIONSHIP: createRelationship,
  GET_GAME_RELATIONSHIPS: getGameRelationships,
  LIST_RELATIONSHIPS: listRelationships,
  REMOVE_GAME_RELATIONSHIP: removeGameRelationship,
  REMOVE_RELATIONSHIP: removeRelationship,
  SEND_FRIEND_REQUEST: sendFriendRequest,
  SEND_GAME_FRIEND_REQUEST: sendGameFriendRequest,
} satisfies Partial<Handlers>
