/** Types of the vault, which stores tokens. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { Secret } from '@sallyport/core/secret'

/** The tokens of one user for one application. */
export interface TokenSet extends AccountKey {
  readonly accessToken: Secret<string>
  /** Absent for grants that have none. */
  readonly refreshToken?: Secret<string>
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The token that the operator stored for one application's bot. */
export interface BotToken {
  readonly applicationId: string
  /** The application's name on the platform. */
  readonly name: string
  readonly token: Secret<string>
}

/** Secrets of one kind, by key. Every method may reject with SERVICE_UNAVAILABLE when the vault cannot be opened. */
export interface SecretCollection<Value> {
  get(key: string): Promise<Value | undefined>
  /** Resolves once the value would survive a crash. */
  put(key: string, value: Value): Promise<void>
  delete(key: string): Promise<void>
  keys(): Promise<readonly string[]>
}

export type TokenCollection = SecretCollection<TokenSet>
export type BotTokenCollection = SecretCollection<BotToken>

/** A key made from that of the vault, for one purpose. */
export interface DerivedKey {
  /** Id of the key of the vault, which is not secret. */
  readonly vaultKeyId: string
  readonly key: Secret<Buffer>
}

export interface SecretCollections {
  readonly tokens: TokenCollection
  readonly bots: BotTokenCollection
}

export interface Vault extends SecretCollections {
  /** Creates the vault if there is none, so that the key is there after a restart. May reject with SERVICE_UNAVAILABLE. */
  derivedKey(purpose: string): Promise<DerivedKey>
}
