/** The users that one gateway connection has named, for later dispatches that contain only a user id. */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { LIMITS, type RpcUser } from '@sallyport/protocol'
import { fieldsOf, idOf, listOf, textOf } from '@sallyport/core/json-read'

/** A user in the form of the local protocol, without `premium_type`, which is private; undefined when the value is not a user. */
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
  }
}

export class UserCache {
  readonly #byId = new BoundedMap<string, RpcUser>(LIMITS.gatewayCachedUsers.value)

  update(t: string, d: unknown): void {
    const fields = fieldsOf(d)
    if (t === 'READY') {
      this.#byId.clear()
      for (const entry of listOf(fields['relationships'])) this.#store(fieldsOf(entry)['user'])
    } else if (t.startsWith('RELATIONSHIP_')) this.#store(fields['user'])
  }

  /** A user that was never named has only an id. */
  userOf(id: string): RpcUser {
    return this.#byId.get(id) ?? { id, username: '', discriminator: '0', avatar: null }
  }

  #store(value: unknown): void {
    const user = userFrom(value)
    if (user !== undefined) this.#byId.set(user.id, user)
  }
}
