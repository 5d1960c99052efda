/** The users and relationships that one gateway connection has named, for later dispatches that contain only a user id, and for games that ask. */
import { BUDGETS } from '@sallyport/core/budgets'
import { BoundedMap } from '@sallyport/core/bounded-map'
import { type Relationship, type RpcUser } from '@sallyport/protocol'
import { type Fields, fieldsOf, idOf, listOf, numberOf, picked, textOf } from '@sallyport/core/json-read'
import type { ArrayTaker } from '../../../../platform/gateway/large-payload.ts'
import { KeptRelationships } from './kept-relationships.ts'

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
/** The type of a relationship with a user who is blocked. */
const BLOCKED = 2
/** Libraries read the presence of each relationship, also where the platform names none. */
export const NO_PRESENCE = { status: OFFLINE, activity: null } as const

/**
 * The presence in the form of the local protocol, which has one activity: the newest of the application, else the first. A bridge that was killed
 * leaves its own for some minutes before the new one. Undefined without a status.
 */
function presenceFrom(value: unknown, applicationId: string): Relationship['presence'] | undefined {
  const presence = fieldsOf(value)
  const status = textOf(presence['status'])
  if (status === undefined) return undefined
  const activities = listOf(presence['activities']).map(fieldsOf)
  const own = activities.findLast((activity) => activity['application_id'] === applicationId)
  const activity = own ?? activities.find(({ type }) => type !== CUSTOM_STATUS)
  return { status, activity: status === OFFLINE ? null : (activity ?? null) }
}

/** A relationship of READY, as the platform sends it. */
interface Entry {
  readonly id: string
  readonly type: number
  readonly fields: Fields
}

function entryOf(value: unknown): Entry | undefined {
  const fields = fieldsOf(value)
  const id = idOf(fields['id']) ?? idOf(fieldsOf(fields['user'])['id'])
  const type = numberOf(fields['type'])
  return id === undefined || type === undefined ? undefined : { id, type, fields }
}

/** Takes the relationships of READY, of which it keeps as many as the cache does. */
class ReadyRelationships implements ArrayTaker {
  readonly kept = new KeptRelationships<Entry>(BUDGETS.gatewayCachedUsers.value)

  take(element: unknown): void {
    const entry = entryOf(element)
    if (entry !== undefined) this.kept.set(entry.id, entry)
  }

  result(): this {
    return this
  }
}

function takenFrom(value: unknown): ReadyRelationships {
  if (value instanceof ReadyRelationships) return value
  const taken = new ReadyRelationships()
  for (const element of listOf(value)) taken.take(element)
  return taken
}

export class UserCache {
  readonly #byId = new BoundedMap<string, RpcUser>(BUDGETS.gatewayCachedUsers.value)
  readonly #relationships = new KeptRelationships<Relationship>(BUDGETS.gatewayCachedUsers.value)
  readonly #applicationId: string

  constructor(applicationId: string) {
    this.#applicationId = applicationId
  }

  update(t: string, d: unknown): void {
    const fields = fieldsOf(d)
    if (t === 'READY') {
      this.#byId.clear()
      this.#relationships.clear()
      const { kept } = takenFrom(fields['relationships'])
      for (const [, entry] of kept.entries()) this.#storeRelationship(entry)
      this.#relationships.leftOut = kept.leftOut
      for (const presence of listOf(fields['presences'])) this.#storePresence(fieldsOf(presence))
    } else if (t === 'RELATIONSHIP_REMOVE') {
      this.#storeUser(fields['user'])
      const id = idOf(fields['id'])
      if (id !== undefined && !this.#relationships.delete(id)) this.#foundLeftOut()
    } else if (t.startsWith('RELATIONSHIP_')) {
      const entry = entryOf(fields)
      if (t === 'RELATIONSHIP_UPDATE' && entry !== undefined && this.#relationships.get(entry.id) === undefined) this.#foundLeftOut()
      if (entry === undefined) this.#storeUser(fields['user'])
      else this.#storeRelationship(entry)
    } else if (t === 'PRESENCE_UPDATE') this.#storePresence(fields)
  }

  /** Takes the relationships of a large READY while it is parsed, for `update`. */
  takerOf(t: unknown, key: string): ArrayTaker | undefined {
    return t === 'READY' && key === 'relationships' ? new ReadyRelationships() : undefined
  }

  /** A user that was never named has only an id. */
  userOf(id: string): RpcUser {
    return this.known(id) ?? { id, username: '', discriminator: '0', avatar: null }
  }

  /** Undefined for a user that was never named. The user of a relationship stays known as long as the relationship. */
  known(id: string): RpcUser | undefined {
    return this.#byId.get(id) ?? this.#relationships.get(id)?.user
  }

  /** Friends first. */
  relationships(): readonly Relationship[] {
    return this.#relationships.entries().map(([, relationship]) => relationship)
  }

  /** Number of relationships that are not kept. */
  get relationshipsLeftOut(): number {
    return this.#relationships.leftOut
  }

  relationship(id: string): Relationship | undefined {
    return this.#relationships.get(id)
  }

  #storeUser(value: unknown): void {
    const user = userFrom(value)
    if (user !== undefined) this.#byId.set(user.id, user)
  }

  /** The relationship of a dispatch was one of those that are not kept. */
  #foundLeftOut(): void {
    this.#relationships.leftOut = Math.max(0, this.#relationships.leftOut - 1)
  }

  #storeRelationship({ id, type, fields }: Entry): void {
    this.#storeUser(fields['user'])
    const presence = presenceFrom(fields['presence'], this.#applicationId) ?? this.#relationships.get(id)?.presence
    // Of a user who was blocked, the last presence would stay for ever.
    const shown = type === BLOCKED ? undefined : presence
    this.#relationships.set(id, { type, user: this.userOf(id), presence: shown ?? NO_PRESENCE })
  }

  #storePresence(entry: ReturnType<typeof fieldsOf>): void {
    const relationship = this.#relationships.get(idOf(fieldsOf(entry['user'])['id']) ?? '')
    if (relationship === undefined || relationship.type === BLOCKED) return
    const presence = presenceFrom(entry, this.#applicationId)
    if (presence !== undefined) this.#relationships.set(relationship.user.id, { ...relationship, presence })
  }
}
