/** The users and relationships that one gateway connection has named, for later dispatches that contain only a user id, and for games that ask. */
import { BUDGETS } from '@sallyport/core/budgets'
import { BoundedMap } from '@sallyport/core/bounded-map'
import { type Relationship, type RpcUser } from '@sallyport/protocol'
import { type Fields, fieldsOf, idOf, listOf, numberOf, picked, textOf } from '@sallyport/core/json-read'

/** Public fields of a profile, passed on as the platform sends them. */
const PROFILE_FIELDS = ['accent_color', 'banner', 'primary_guild']

/** The decoration, unless it has another form than the local protocol. */
const decorationOf = ({ avatar_decoration_data: decoration }: Fields): object =>
  decoration === null || textOf(fieldsOf(decoration)['asset']) !== undefined ? { avatar_decoration_data: decoration } : {}

/** A user in the form of the local protocol, without private fields such as `premium_type`; undefined when the value is not a user. */
export function userFrom(value: unknown): RpcUser | undefined {
  const user = fieldsOf(value)
  const id = idOf(user['id'])
  const username = textOf(user['username'])
  if (id === undefined || username === undefined) return undefined
  return {
    id,
    username,
    discriminator: textOf(user['discriminator']) ?? '0',
    avatar: textOf(user['avatar']) ?? null,
    global_name: textOf(user['global_name']) ?? null,
    bot: user['bot'] === true,
    flags: typeof user['public_flags'] === 'number' && Number.isInteger(user['public_flags']) ? user['public_flags'] : 0,
    ...decorationOf(user),
    ...picked(user, PROFILE_FIELDS),
  }
}

/** The type of an activity that is only a status text. */
const CUSTOM_STATUS = 4
const OFFLINE = 'offline'

/** The presence in the form of the local protocol, which has one activity: that of the application, else the first. Undefined without a status. */
function presenceFrom(value: unknown, applicationId: string): Relationship['presence'] | undefined {
  const presence = fieldsOf(value)
  const status = textOf(presence['status'])
  if (status === undefined) return undefined
  const activities = listOf(presence['activities']).map(fieldsOf)
  const own = activities.find((activity) => activity['application_id'] === applicationId)
  const activity = own ?? activities.find(({ type }) => type !== CUSTOM_STATUS)
  return { status, activity: status === OFFLINE ? null : (activity ?? null) }
}

export class UserCache {
  readonly #byId = new BoundedMap<string, RpcUser>(BUDGETS.gatewayCachedUsers.value)
  /** By the id of the other user. */
  readonly #relationships = new BoundedMap<string, Relationship>(BUDGETS.gatewayCachedUsers.value)
  readonly #applicationId: string

  constructor(applicationId: string) {
    this.#applicationId = applicationId
  }

  update(t: string, d: unknown): void {
    const fields = fieldsOf(d)
    if (t === 'READY') {
      this.#byId.clear()
      this.#relationships.clear()
      for (const entry of listOf(fields['relationships'])) this.#storeRelationship(fieldsOf(entry))
      for (const presence of listOf(fields['presences'])) this.#storePresence(fieldsOf(presence))
    } else if (t === 'RELATIONSHIP_REMOVE') {
      this.#storeUser(fields['user'])
      const id = idOf(fields['id'])
      if (id !== undefined) this.#relationships.delete(id)
    } else if (t.startsWith('RELATIONSHIP_')) this.#storeRelationship(fields)
    else if (t === 'PRESENCE_UPDATE') this.#storePresence(fields)
  }

  /** A user that was never named has only an id. */
  userOf(id: string): RpcUser {
    return this.#byId.get(id) ?? { id, username: '', discriminator: '0', avatar: null }
  }

  /** Undefined for a user that was never named. */
  known(id: string): RpcUser | undefined {
    return this.#byId.get(id)
  }

  relationships(): readonly Relationship[] {
    return [...this.#relationships.values()]
  }

  relationship(id: string): Relationship | undefined {
    return this.#relationships.get(id)
  }

  #storeUser(value: unknown): void {
    const user = userFrom(value)
    if (user !== undefined) this.#byId.set(user.id, user)
  }

  #storeRelationship(entry: ReturnType<typeof fieldsOf>): void {
    this.#storeUser(entry['user'])
    const id = idOf(entry['id']) ?? idOf(fieldsOf(entry['user'])['id'])
    const type = numberOf(entry['type'])
    if (id === undefined || type === undefined) return
    const presence = presenceFrom(entry['presence'], this.#applicationId) ?? this.#relationships.get(id)?.presence
    this.#relationships.set(id, { type, user: this.userOf(id), ...(presence == null ? {} : { presence }) })
  }

  #storePresence(entry: ReturnType<typeof fieldsOf>): void {
    const relationship = this.#relationships.get(idOf(fieldsOf(entry['user'])['id']) ?? '')
    const presence = presenceFrom(entry, this.#applicationId)
    if (relationship !== undefined && presence !== undefined) this.#relationships.set(relationship.user.id, { ...relationship, presence })
  }
}
