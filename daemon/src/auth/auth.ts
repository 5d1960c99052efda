/** The types of signing in: what a game asks for, what the platform gives, and who may use it again. */
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Program } from '../identity/program.ts'
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
  /** What the page has chosen beforehand for the bot of the application. */
  readonly permissions?: string
  readonly guildId?: string
  readonly channelId?: string
  readonly disableGuildSelect?: boolean
  /** Name proposed for a guest account. */
  readonly username?: string
  /** Stands for the consent; a server of the application got it from the platform. */
  readonly rpcToken?: Secret<string>
  /** The answer comes by a scheme of the game's own: this one, or the platform's for the application when empty. Absent: by a port of this machine. */
  readonly customScheme?: string
}

export interface AuthorizationAnswer {
  readonly code: Secret<string>
  /** To be repeated at the exchange. */
  readonly redirectUri: string
}

/** What a redirect to a custom scheme brought, and to whom. */
export interface DeliveredCallback {
  readonly applicationId: string
  /** Why the platform refused; undefined when it gave a code. */
  readonly error: string | undefined
}

/** Who asks for an authorization, and may give it up. */
export interface Asker {
  readonly program: Program
  readonly pid: number | undefined
  /** Names what is counted for the program. */
  readonly place: string
}

export interface Authorizer {
  /**
   * Asks the user. `asker` is whoever may abort it. Rejects with OAUTH2_ERROR (denied, invalid scope …), TRANSACTION_ABORTED (signal,
   * abort, nobody answered, another page of the program is open), RATE_LIMITED (too many pages), INVALID_PAYLOAD or SERVICE_UNAVAILABLE (no browser).
   * `first` comes before the page, and can be aborted as the page can.
   */
  authorize(
    request: AuthorizationRequest,
    signal: AbortSignal,
    asker: Asker,
    first?: (signal: AbortSignal) => Promise<void>,
  ): Promise<AuthorizationAnswer>
  /** Gives up what this asker has open. */
  abort(asker: Asker): void
  /** Hands over a redirect to a custom scheme that a program of this place brings. Throws INVALID_PAYLOAD, INVALID_CONNECTION_CALLBACK_STATE or RATE_LIMITED when nobody waits for it. */
  deliver(url: Secret<string>, place: string): DeliveredCallback
}

/** Shows the authorization page to the user. */
export interface ConsentSurface {
  /** `page`: an address of this machine that leads there and holds no secret of it, so that it may be shown. */
  open(page: URL, signal: AbortSignal, who: PageAsker): Promise<void>
}

/** For whom a page is opened, to be named to the user. */
export interface PageAsker {
  readonly program: Program
  readonly pid: number | undefined
  readonly applicationId: string
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

/** A sign-in on another device, as the platform opened it. */
export interface DeviceAuthorization {
  readonly deviceCode: Secret<string>
  /** Shown to the user. */
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string | undefined
  /** Seconds. */
  readonly expiresIn: number
  /** Seconds between two questions. */
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
      /** Its provisional account is merged into the account that allowed the sign-in. */
      readonly merge?: ExternalIdentity
    },
    signal: AbortSignal,
  ): Promise<TokenGrant>
  authorizeDevice(
    request: { readonly applicationId: string; readonly scopes: readonly string[] },
    signal: AbortSignal,
  ): Promise<DeviceAuthorization>
  /** Asks once. Rejects with the errors of RFC 8628 §3.5 until the user has answered. */
  exchangeDevice(
    request: { readonly applicationId: string; readonly deviceCode: Secret<string>; readonly merge?: ExternalIdentity },
    signal: AbortSignal,
  ): Promise<TokenGrant>
  refresh(request: { readonly applicationId: string; readonly refreshToken: Secret<string> }, signal: AbortSignal): Promise<TokenGrant>
  revoke(request: { readonly applicationId: string; readonly token: Secret<string> }, signal: AbortSignal): Promise<void>
}

/** Sign-ins on another device. */
export interface DeviceSignIns {
  /** Opens one for this holder. Rejects as the token endpoint does, and with RATE_LIMITED when too many are open. */
  begin(holder: Holder, scopes: readonly string[], signal: AbortSignal): Promise<DeviceAuthorization>
  /**
   * Asks the platform, as often as it allows, until the user has answered. `userCode`: which one; the holder's latest when undefined.
   * Rejects with OAUTH2_ERROR (access_denied, expired_token …) or TRANSACTION_ABORTED (signal, or somebody waits for it already).
   */
  collect(
    request: { readonly holder: Holder; readonly userCode: string | undefined; readonly merge?: ExternalIdentity },
    signal: AbortSignal,
  ): Promise<TokenGrant>
}

/** Who began something: the same system user running the same program for the same application. */
export interface Holder {
  readonly applicationId: string
  readonly program: Program
}

/** Whose tokens they are: one token state per account, whichever programs may use it. */
export interface TokenAccount {
  readonly applicationId: string
  /** The system user. */
  readonly uid: number | undefined
  readonly userId: string
}

export interface StoredTokens {
  readonly account: TokenAccount
  readonly tokens: TokenSet
}

/** Stored tokens and their refresh. */
export interface TokenKeeper {
  store(account: TokenAccount, tokens: TokenSet): Promise<void>
  /**
   * The tokens of this account, refreshed when they are about to expire; one refresh at a time per account.
   * Undefined when there are none. Rejects with INVALID_TOKEN when the platform no longer accepts the authorization (the tokens are then deleted).
   */
  current(account: TokenAccount, signal: CancelSignal): Promise<TokenSet | undefined>
  /** What is stored of the accounts of this system user for an application, as it is: reading it asks the platform nothing. */
  storedFor(applicationId: string, uid: number | undefined): Promise<readonly StoredTokens[]>
  /** Deletes the tokens of this user for this application, and what programs were granted; gives back what was deleted. */
  forget(applicationId: string, userId: string): Promise<readonly TokenSet[]>
  /** Everything stored, without secrets being revealed. */
  list(): Promise<readonly StoredTokens[]>
}
