/** The ban of an account and its end: what becomes of sign-ins and external identities. */
import type { Platform } from '../platform.ts'
import { restrictedWrites } from './external-identities.ts'
import { revokeWrites } from './sign-ins.ts'

/**
 * Keeps the user out, for `seconds` or for ever: every sign-in with every application ends at once, and each external identity that was
 * linked gets a new provisional account, whose merges are refused while the ban holds. Gives the number of sign-ins ended.
 */
export function ban(platform: Platform, userId: string, seconds: number | undefined): number {
  const { store, clock } = platform
  const ended = store.authorizations.all().filter((one) => one.userId === userId)
  const codes = store.codes.all().filter((one) => one.userId === userId)
  const identities = store.externalIdentities.all().filter((one) => one.userId === userId)
  const applications = new Set([...ended, ...codes, ...identities].map(({ applicationId }) => applicationId))
  store.commit([
    store.bans.put(userId, { userId, until: seconds === undefined ? null : clock.now() + seconds * 1000 }),
    ...[...applications].flatMap((applicationId) => revokeWrites(platform, applicationId, userId)),
    // After the links are dropped, so that the identities are the new accounts'.
    ...restrictedWrites(platform, userId),
  ])
  return ended.length
}

/** Ends the ban: nothing comes back by itself, but merges and sign-ins work again. */
export function lift({ store }: Pick<Platform, 'store'>, userId: string): void {
  if (store.bans.get(userId) !== undefined) store.commit([store.bans.drop(userId)])
}
