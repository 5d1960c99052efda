/** Where tokens rest. */
import type { Secret } from '@sallyport/core/secret'

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

/** What the operator stored for the bot of one application. */
export interface BotToken {
  readonly applicationId: string
  /** As the platform calls the application. */
  readonly name: string
  readonly token: Secret<string>
}

/** One kind of secret, by name. Everything may reject with SERVICE_UNAVAILABLE when the vault cannot be opened. */
export interface Shelf<Value> {
  get(key: string): Promise<Value | undefined>
  /** Resolves when the value would survive a crash. */
  put(key: string, value: Value): Promise<void>
  delete(key: string): Promise<void>
  keys(): Promise<readonly string[]>
}

export type TokenVault = Shelf<TokenSet>
export type BotShelf = Shelf<BotToken>

export interface Vault {
  readonly tokens: TokenVault
  readonly bots: BotShelf
}
