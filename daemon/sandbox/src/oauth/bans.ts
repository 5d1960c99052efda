/** The users who are banned now. */
import type { Platform } from '../platform.ts'

/** Whether the user is banned now. */
export function isBanned({ store, clock }: Pick<Platform, 'store' | 'clock'>, userId: string): boolean {
  const ban = store.bans.get(userId)
  return ban !== undefined && (ban.until === null || clock.now() < ban.until)
}
