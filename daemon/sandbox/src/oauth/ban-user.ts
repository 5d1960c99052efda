/** Bans and unbans accounts, with their sign-ins and external identities. */
import type { Platform } from '../platform.ts'
import { restrictedWrites } from './external-identities.ts'
import { revokeWrites } from './sign-ins.ts'

/**
 * Bans the user, for `seconds` or without end. Every sign-in ends at once. Each linked external identity
 * gets a new provisional account, whose merges are refused during the ban. Returns the number of ended sign-ins.
 */
export function banUser(platform: Platform, userId: string, seconds: number | undefined): number {
  const { store, clock } = platform
  const ended = store.authorizations.all().filter((one) => one.userId === userId)
  const codes = store.codes.all().filter((one) => one.userId === userId)
  const identities = store.externalIdentities.all().filter((one) => one.userId === userId)
  const applications = new Set([...ended, ...codes, ...identities].map(({ applicationId }) => applicationId))
  store.commit([
    store.bans.put(userId, { userId, until: seconds === undefined ? null : clock.now() + seconds * 1000 }),
    ...[...applications].flatMap((applicationId) => revokeWrites(platform, applicationId, userId)),
    // Deletes the links first, so that the identities belong to the new accounts.
    ...restrictedWrites(platform, userId),
  ])
  return ended.length
}

/** Ends the ban. Nothing is restored, but merges and sign-ins work again. */
export function unbanUser({ store }: Pick<Platform, 'store'>, userId: string): void {
  if (store.bans.get(userId) !== undefined) store.commit([store.bans.delete(userId)])
}
