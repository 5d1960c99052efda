/** Whether a user plays a game now. */
import type { SessionRegistry } from '../sessions/registry.ts'
import type { AccountKey } from '@sallyport/core/account-key'

/** `unknown`: the game runs, but its user is not known. */
export type PlayState = 'active' | 'unknown' | 'inactive'

/** `userOf`: the user of a session, as far as its process reveals it. */
export const playStateOf =
  (registry: Pick<SessionRegistry, 'of' | 'signedInAs'>, userOf: (sessionId: number) => string | undefined) =>
  (account: AccountKey): PlayState => {
    if (registry.signedInAs(account).length > 0) return 'active'
    return registry.of(account.applicationId).some(({ connection }) => userOf(connection.id) === undefined) ? 'unknown' : 'inactive'
  }
