/** Types of grants and of their store. A grant allows one program to use one application as one user. */
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
   * `allowed`: the user allowed exactly this program, so it may use the stored tokens. `token`: the program used its own token, which
   * gives no right to the stored ones; the grant is listed and can be revoked.
   */
  readonly basis: 'allowed' | 'token'
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly grantedAt: number
  /** Milliseconds since the epoch; up to a day out of date (command line: a second). */
  readonly lastUsedAt: number
}

/** Grants on the disk. Every method may throw SERVICE_UNAVAILABLE. */
export interface GrantStore {
  load(platform: string): readonly Grant[]
  /** Adds or replaces the row of this id. Returns once it would survive a crash of the machine. */
  put(grant: Grant): void
  remove(ids: readonly string[]): void
}
