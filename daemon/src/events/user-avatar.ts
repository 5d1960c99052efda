/** Where the avatar of a user is. */
import type { RpcUser } from '@sallyport/protocol'

interface Form {
  readonly format: string
  readonly size: number
}

/** Pictures of users without an own one. */
const DEFAULT_AVATARS = 6n
/** The id without the part that counts up. */
const TIME_BITS = 22n

/** `imageOrigin`: where the platform serves images, e.g. `https://cdn.example.com`. Default avatars have one form. */
export const avatarUrl = ({ id, avatar }: Pick<RpcUser, 'id' | 'avatar'>, { format, size }: Form, imageOrigin: string): string =>
  avatar === null
    ? `${imageOrigin}/embed/avatars/${(BigInt(id) >> TIME_BITS) % DEFAULT_AVATARS}.png`
    : `${imageOrigin}/avatars/${id}/${encodeURIComponent(avatar)}.${format}?size=${size}`
