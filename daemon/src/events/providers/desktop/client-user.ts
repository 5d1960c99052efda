/** The user that a client names, in the form of the local protocol. Missing or invalid fields get defaults. */
import type { RpcUser } from '@sallyport/protocol'
import { fieldsOf } from '@sallyport/core/json-read'

const ID = /^\d{1,20}$/
const NAME_CHARACTERS = 128

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, NAME_CHARACTERS) : null)
const wholeOr0 = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0)

/** Undefined when the value is not a user. */
export function clientUser(value: unknown): RpcUser | undefined {
  const { id, username, discriminator, avatar, global_name, bot, flags, premium_type } = fieldsOf(value)
  if (typeof id !== 'string' || !ID.test(id) || typeof username !== 'string') return undefined
  return {
    id,
    username: username.slice(0, NAME_CHARACTERS),
    discriminator: textOrNull(discriminator) ?? '0',
    avatar: textOrNull(avatar),
    global_name: textOrNull(global_name),
    bot: bot === true,
    flags: wholeOr0(flags),
    premium_type: wholeOr0(premium_type),
  }
}
