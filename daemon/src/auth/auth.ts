/** The types of signing in: what a game asks for, what the platform gives, and who may use it again. */
import type { Secret } from '../core/secret.ts'
import type { TokenSet } from './vault/vault.ts'

/** What a game asks the user for. */
export interface AuthorizationRequest {
  readonly applicationId: string
  readonly scopes: readonly string[]
  /** base64url SHA-256 of the verifier; absent for games that exchange the code as confidential clients. */
  readonly codeChallenge?: string
  /** Generated when absent. */
  readonly state?: string
  readonly nonce?: string
  readonly prompt?: 'consent' | 'none'
  readonly integrationType?: 0 | 1
}

export interface AuthorizationAnswer {
  readonly code: Secret<string>
  /** To be repeated at the exchange. */
  readonly redirectUri: string
}

/** Asks the user. Rejects with OAUTH2_ERROR (denied, invalid scope …), TRANSACTION_ABORTED (signal) or SERVICE_UNAVAILABLE (no browser). */
export interface Authorizer {
  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationAnswer>
}

/** Shows the authorization page to the user. */
export interface ConsentSurface {
  open(authorizeUrl: URL, signal: AbortSignal): Promise<void>
}

/** What the token endpoint gave. */
export interface TokenGrant {
  readonly accessToken: Secret<string>
  readonly refreshToken?: Secret<string>
  readonly idToken?: Secret<string>
  readonly scopes: readonly string[]
  /** Seconds. */
  readonly expiresIn: number
}

/** Who somebody is to another provider than the platform. */
export interface ExternalIdentity {
  /** As the platform names the kind of token. */
  readonly type: string
  readonly token: Secret<string>
}

/** The token endpoint as a port. Rejects with OAUTH2_ERROR carrying the RFC 6749 error, or SERVICE_UNAVAILABLE. */
export interface TokenEndpoint {
  exchange(
    request: {
      readonly applicationId: string
      readonly code: Secret<string>
      readonly codeVerifier: Secret<string>
      readonly redirectUri: string
      /** Its provisional account is merged into the account that allowed the sign-in. */
      readonly merge?: ExternalIdentity
    },
    signal: AbortSignal,
  ): Promise<TokenGrant>
  refresh(request: { readonly applicationId: string; readonly refreshToken: Secret<string> }, signal: AbortSignal): Promise<TokenGrant>
  revoke(request: { readonly applicationId: string; readonly token: Secret<string> }, signal: AbortSignal): Promise<void>
}

/** Who may use stored tokens: the same system user running the same program for the same application. */
export interface Holder {
  readonly applicationId: string
  readonly uid: number | undefined
  readonly executable: string | undefined
}

/** Stored tokens and their refresh. */
export interface TokenKeeper {
  store(holder: Holder, tokens: TokenSet): Promise<void>
  /**
   * The tokens of this holder, refreshed when they are about to expire; one refresh at a time per holder.
   * Undefined when there are none. Rejects with INVALID_TOKEN when the platform no longer accepts the grant (the tokens are then deleted).
   */
  current(holder: Holder, signal: AbortSignal): Promise<TokenSet | undefined>
  /** Deletes the tokens of every holder of this user and application; gives back what was deleted. */
  forget(applicationId: string, userId: string): Promise<readonly TokenSet[]>
  /** Everything stored, without secrets being revealed. */
  list(): Promise<readonly { readonly holder: Holder; readonly tokens: TokenSet }[]>
}
