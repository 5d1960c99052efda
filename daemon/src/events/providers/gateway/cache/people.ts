/** People that one gateway connection has named, so that whoever is told of by id alone later can be named again. */
import { LIMITS, type RpcUser } from '@sallyport/protocol'
import { fieldsOf, idOf, listOf, textOf } from '../../../../platform/gateway/reading.ts'

/** A user as the local protocol shows it, without premium_type, which is not for everybody; undefined when nobody is named. */
export function personFrom(value: unknown): RpcUser | undefined {
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

export class People {
  readonly #byId = new Map<string, RpcUser>()

  take(t: string, d: unknown): void {
    const fields = fieldsOf(d)
    if (t === 'READY') {
      this.#byId.clear()
      for (const entry of listOf(fields['relationships'])) this.#note(fieldsOf(entry)['user'])
    } else if (t.startsWith('RELATIONSHIP_')) this.#note(fields['user'])
  }

  /** Of one who was never named only the id is known. */
  person(id: string): RpcUser {
    return this.#byId.get(id) ?? { id, username: '', discriminator: '0', avatar: null }
  }

  #note(value: unknown): void {
    const person = personFrom(value)
    if (person === undefined) return
    const [oldest] = this.#byId.keys()
    if (this.#byId.size >= LIMITS.gatewayPeople.value && oldest !== undefined && !this.#byId.has(person.id)) this.#byId.delete(oldest)
    this.#byId.set(person.id, person)
  }
}
