/** Where tokens rest. */
import type { Secret } from '../../core/secret.ts'

/** The tokens of one user for one application. */
export interface TokenSet {
  readonly applicationId: string
  readonly userId: string
  readonly accessToken: Secret<string>
  /** Absent for grants that have none. */
  readonly refreshToken?: Secret<string>
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface TokenVault {
  get(key: string): Promise<TokenSet | undefined>
  /** Resolves when the value would survive a crash. */
  put(key: string, tokens: TokenSet): Promise<void>
  delete(key: string): Promise<void>
  keys(): Promise<readonly string[]>
}
