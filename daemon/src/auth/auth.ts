/** Types of signing in: authorization requests, the platform's results, and stored tokens. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Program } from '../identity/program.ts'
import type { TokenSet } from './vault/vault.ts'

/** An authorization that a game requests from the user. */
export interface AuthorizationRequest {
  readonly applicationId: string
  readonly scopes: readonly string[]
  /** Those of `scopes` that the bridge requests besides those of the game, because no desktop client runs. */
  readonly addedScopes?: readonly string[]
  /** base64url SHA-256 of the verifier; absent for games that exchange the code as confidential clients. */
  readonly codeChallenge?: string
  /** Generated when absent. */
  readonly state?: string
  readonly nonce?: string
  /**
   * Whether the platform shows its page. `always`: also to a user who has allowed all of it before. `never`: it refuses if it needs the
   * page. Absent: it decides.
   */
  readonly platformPage?: 'always' | 'never'
  readonly integrationType?: 0 | 1
  /** Preselected on the page, for the application's bot. */
  readonly permissions?: string
  readonly guildId?: string
  readonly channelId?: string
  readonly disableGuildSelect?: boolean
  /** Name proposed for a guest account. */
  readonly username?: string
  /** Replaces the consent; the application's own server got it from the platform. */
  readonly rpcToken?: Secret<string>
  /** The redirect uses a custom URL scheme: this one, or the platform's for the application when empty. Absent: it uses a local port. */
  readonly customScheme?: string
}

export interface AuthorizationResult {
  readonly code: Secret<string>
  /** To be repeated at the exchange. */
  readonly redirectUri: string
}

/** The result of a redirect to a custom scheme. */
export interface DeliveredCallback {
  readonly applicationId: string
  /** The platform's error; undefined when the redirect carried a code. */
  readonly error: string | undefined
}

/** The session that requests an authorization and may abort it. */
export interface Requester {
  readonly program: Program
  readonly pid: number | undefined
  /** Key under which accounting counts the program. */
  readonly programKey: string
}

/** The right of a program to ask one user for one application. It ends when it is disposed of, and so does the charge of its page. */
export interface ReservedAuthorization extends Disposable {
  /** Aborts with the call, and when the requester aborts. */
  readonly signal: AbortSignal
  /** Charges a page to the program, for the request or a changed one. Throws RATE_LIMITED (too many pages) or TRANSACTION_ABORTED (the program has another page open). */
  charge(changed?: Pick<AuthorizationRequest, 'scopes' | 'codeChallenge'>): ChargedPage
}

interface ChargedPage {
  /**
   * Opens the page and resolves when the user has allowed it. Rejects with OAUTH2_ERROR (denied, invalid scope …), TRANSACTION_ABORTED
   * (aborted, timeout), INVALID_PAYLOAD or SERVICE_UNAVAILABLE (no browser).
   */
  open(): Promise<AuthorizationResult>
}

/** An authorization takes three steps: reserve, charge, open. The caller prompts the user after the first, if it must. */
export interface Authorizer {
  /**
   * Keeps other authorizations of this program for this application out. Only `requester` may abort it. Throws INVALID_PAYLOAD, or
   * TRANSACTION_ABORTED while there is another one.
   */
  reserve(request: AuthorizationRequest, signal: AbortSignal, requester: Requester): ReservedAuthorization
  /** Aborts the reserved and open authorizations of this requester. */
  abort(requester: Requester): void
  /** Resolves the authorization that a redirect to a custom scheme belongs to. Throws INVALID_PAYLOAD, INVALID_CONNECTION_CALLBACK_STATE or RATE_LIMITED when none does. */
  deliver(url: Secret<string>, programKey: string): DeliveredCallback
}

/** Opens the platform's authorization page for the user. */
export interface PageOpener {
  /**
   * `page`: a local address that redirects there. It contains no secret, so it may be displayed. Resolves with false if no browser could be
   * started, and the user must open the address.
   */
  open(page: URL, signal: AbortSignal, requester: PageRequester): Promise<boolean>
}

/** The program and application that a page is opened for, shown to the user. */
export interface PageRequester {
  readonly program: Program
  readonly pid: number | undefined
  readonly applicationId: string
}

/** A successful response of the token endpoint. */
export interface TokenGrant {
  readonly accessToken: Secret<string>
  readonly refreshToken?: Secret<string>
  readonly idToken?: Secret<string>
  readonly scopes: readonly string[]
  /** Seconds. */
  readonly expiresIn: number
}

/** The user's identity with an external provider. */
export interface ExternalIdentity {
  /** As the platform names the kind of token. */
  readonly type: string
  readonly token: Secret<string>
}

/** A sign-in on another device, as the platform opened it. */
export interface DeviceAuthorization {
  readonly deviceCode: Secret<string>
  /** Shown to the user. */
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string | undefined
  /** Seconds. */
  readonly expiresIn: number
  /** Seconds between two polls. */
  readonly interval: number
}

/** The token endpoint as a port. Rejects with OAUTH2_ERROR carrying the RFC 6749 error, or SERVICE_UNAVAILABLE. */
export interface TokenEndpoint {
  exchange(
    request: {
      readonly applicationId: string
      readonly code: Secret<string>
      readonly codeVerifier: Secret<string>
      readonly redirectUri: string
      /** The platform merges its provisional account into the account that allowed the sign-in. */
      readonly merge?: ExternalIdentity
    },
    signal: AbortSignal,
  ): Promise<TokenGrant>
  authorizeDevice(
    request: { readonly applicationId: string; readonly scopes: readonly string[] },
    signal: AbortSignal,
  ): Promise<DeviceAuthorization>
  /** Polls once. Rejects with the errors of RFC 8628 §3.5 until the user has answered. */
  exchangeDevice(
    request: { readonly applicationId: string; readonly deviceCode: Secret<string>; readonly merge?: ExternalIdentity },
    signal: AbortSignal,
  ): Promise<TokenGrant>
  refresh(request: { readonly applicationId: string; readonly refreshToken: Secret<string> }, signal: AbortSignal): Promise<TokenGrant>
  revoke(request: { readonly applicationId: string; readonly token: Secret<string> }, signal: AbortSignal): Promise<void>
}

/** Sign-ins on another device. */
export interface DeviceSignIns {
  /** Starts one for this owner. Rejects like the token endpoint, and with RATE_LIMITED when too many are open. */
  begin(owner: SignInOwner, scopes: readonly string[], signal: AbortSignal): Promise<DeviceAuthorization>
  /**
   * Polls the platform at the allowed interval until the user has answered. `userCode`: which sign-in; the owner's latest when undefined.
   * Rejects with OAUTH2_ERROR (access_denied, expired_token …) or TRANSACTION_ABORTED (signal, or another call waits for it already).
   */
  collect(
    request: { readonly owner: SignInOwner; readonly userCode: string | undefined; readonly merge?: ExternalIdentity },
    signal: AbortSignal,
  ): Promise<TokenGrant>
}

/** The owner of a sign-in: one system user running one program for one application. */
export interface SignInOwner {
  readonly applicationId: string
  readonly program: Program
}

/** The account that tokens belong to: one set of tokens per account, shared by all programs that may use it. */
export interface TokenAccount extends AccountKey {
  /** The system user. */
  readonly uid: number | undefined
}

export interface StoredTokens {
  readonly account: TokenAccount
  readonly tokens: TokenSet
}

/** Stored tokens and their refresh. */
export interface TokenStore {
  store(account: TokenAccount, tokens: TokenSet): Promise<void>
  /**
   * The account's tokens, refreshed when they are about to expire; one refresh at a time per account.
   * Undefined when there are none. Rejects with INVALID_TOKEN when the platform no longer accepts the authorization (the tokens are then deleted).
   */
  current(account: TokenAccount, signal: CancelSignal): Promise<TokenSet | undefined>
  /**
   * Refreshes an access token that the platform rejected although it had time left, for example because the system time was wrong when it was
   * stored. True if another access token is stored now. False if there is nothing to refresh with, or if the rejected one comes from
   * such a refresh within the last minute. Rejects as `current` does.
   */
  renew(account: TokenAccount, rejected: Secret<string>, signal: CancelSignal): Promise<boolean>
  /** The stored tokens of this system user's accounts for an application, without a refresh. */
  storedFor(applicationId: string, uid: number | undefined): Promise<readonly StoredTokens[]>
  /** Deletes the tokens and grants of an account, for every system user. Returns the deleted tokens. */
  deleteAccount(account: AccountKey): Promise<readonly TokenSet[]>
  /** All stored tokens. */
  list(): Promise<readonly StoredTokens[]>
}
