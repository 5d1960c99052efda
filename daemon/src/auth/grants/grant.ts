/** The types of grants: which program may use which application as which user, and where that is kept. */
import type { Program } from '../../identity/program.ts'

export interface Grant {
  /** Short enough to be typed. */
  readonly id: string
  readonly platform: string
  readonly applicationId: string
  readonly applicationName: string | undefined
  readonly userId: string
  readonly username: string | undefined
  readonly program: Program
  /**
   * `allowed`: the user allowed this very program, so it may use what the daemon keeps. `token`: it brought a token of its own,
   * which proves no more than that; it is listed and can be revoked.
   */
  readonly basis: 'allowed' | 'token'
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly grantedAt: number
  /** Milliseconds since the epoch; at most a day behind, of the command line a second. */
  readonly lastUsedAt: number
}

/** Grants on the disk. Everything may throw SERVICE_UNAVAILABLE. */
export interface GrantStore {
  load(platform: string): readonly Grant[]
  /** Adds or replaces the row of its id. Returns when it would survive the death of the machine. */
  put(grant: Grant): void
  remove(ids: readonly string[]): void
}
