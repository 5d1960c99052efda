/** Uploaded images: the sandbox keeps their hash, which is all that the platform ever shows of them. */
import { createHash } from 'node:crypto'

/** What a change makes of an image: absent keeps it, null takes it away. */
export function imageHash(uploaded: string | null | undefined, before: string | null): string | null {
  if (uploaded === undefined) return before
  return uploaded === null ? null : createHash('md5').update(uploaded).digest('hex')
}

export const isAnimated = (dataUri: string): boolean => dataUri.startsWith('data:image/gif;')
