/** Whom the platform keeps out now. */
import type { Platform } from '../platform.ts'

/** Whether a ban of the user holds; one with an end holds until then. */
export function isBanned({ store, clock }: Pick<Platform, 'store' | 'clock'>, userId: string): boolean {
  const ban = store.bans.get(userId)
  return ban !== undefined && (ban.until === null || clock.now() < ban.until)
}
