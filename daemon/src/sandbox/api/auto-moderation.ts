/** The one rule of auto-moderation in every guild and lobby of the sandbox: a word that no message may hold. */
import { BLOCKED_WORD } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'

/** Throws blockedByModeration. */
export function checkModerated(content: string | null | undefined): void {
  if (content?.toLowerCase().includes(BLOCKED_WORD) === true) throw new PlatformError('blockedByModeration')
}
