/** Types of grants and of their store. A grant allows one program to use one application as one user. */
import type { Program } from '../../identity/program.ts'

/**
 * `allowed`: the user allowed exactly this program, so it may use the stored tokens. `token`: the program used its own token, which gives no right
 * to the stored ones; the grant is listed and can be revoked. `blocked`: no grant, but the user's refusal of the program at this path, with each
 * file and for each application. `none`: no grant, but the user's choice about what the program shows; it has no user. These two do not end.
 */
export type GrantBasis = 'allowed' | 'token' | 'blocked' | 'none'

/** Whether what the program sets for the application is shown. `hidden-now`: not until the program has left (see temporary-grants.ts). */
export type GrantPresence = 'shown' | 'hidden' | 'hidden-now'

/** `session`: until the program has left (see temporary-grants.ts). */
export type GrantTime = 'kept' | 'session'

export interface Grant {
  /** Short enough to be typed. */
  readonly id: string
  readonly platform: string
  readonly applicationId: string
  readonly applicationName: string | undefined
  readonly userId: string
  readonly username: string | undefined
  readonly program: Program
  readonly basis: GrantBasis
  readonly scopes: readonly string[]
  /** Scopes that the user took from the program, also parts of umbrella scopes. What they cover is not prompted for again. */
  readonly deniedScopes: readonly string[]
  readonly presence: GrantPresence
  readonly lasts: GrantTime
  /** Where the user chose that its activities are shown (see presence/places.ts); undefined: as for every game. */
  readonly places?: readonly string[] | undefined
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
