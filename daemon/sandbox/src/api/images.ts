/** Uploaded images: the sandbox stores only their hash, which is all that the API returns. */
import { createHash } from 'node:crypto'

/** The image hash after a change: absent keeps it, null deletes it. */
export function imageHash(uploaded: string | null | undefined, before: string | null): string | null {
  if (uploaded === undefined) return before
  return uploaded === null ? null : createHash('md5').update(uploaded).digest('hex')
}

export const isAnimated = (dataUri: string): boolean => dataUri.startsWith('data:image/gif;')
