/** The row of what the user chose for every game of a platform. It is stored like the choice for one game, and is no grant of a program. */
import type { Grant } from './grant.ts'

/** The id of the row, which is unlike that of a grant. */
export const everyGameId = (platform: string): string => `all-${platform}`

export const everyGame = (platform: string, places: readonly string[], now: number): Grant => ({
  id: everyGameId(platform),
  platform,
  applicationId: '',
  applicationName: undefined,
  userId: '',
  username: undefined,
  program: { kind: 'unknown', uid: undefined, executable: undefined, file: undefined },
  basis: 'none',
  scopes: [],
  deniedScopes: [],
  presence: 'shown',
  lasts: 'kept',
  places,
  grantedAt: now,
  lastUsedAt: now,
})
