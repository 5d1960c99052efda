/** Sign-ins in the store: codes, tokens, refresh and revocation. */
import { ACCESS_TOKEN_SECONDS, AUTHORIZATIONS_PER_USER, CODE_LIFETIME_MS } from '../constants.ts'
import { OAuthError } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredAuthorization, StoredCode, StoredToken } from '../store/records.ts'
import { applicationUserKey } from '../store/store.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { isBanned } from './bans.ts'
import { hashOf, newToken } from './tokens.ts'

/** The tokens of a token response. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly scopes: readonly string[]
  readonly authorization: StoredAuthorization
}

/** Stores the user's consent and creates its code. */
export function issueCode(platform: Platform, request: AuthorizeRequest, userId: string): string {
  const { store, clock } = platform
  const code = newToken()
  const hash = hashOf(code)
  const now = clock.now()
  const { applicationId, redirectUri, scopes } = request
  const key = applicationUserKey(applicationId, userId)
  const agreed = new Set([...(store.consents.get(key)?.scopes ?? []), ...scopes])
  const outdated = store.codes.all().filter(({ expiresAt }) => expiresAt <= now)
  store.commit([
    ...rememberApplication(platform, applicationId),
    ...outdated.map((one) => store.codes.delete(one.hash)),
    store.consents.put(key, { applicationId, userId, scopes: [...agreed], grantedAt: now }),
    store.codes.put(hash, {
      hash,
      applicationId,
      userId,
      scopes,
      redirectUri,
      codeChallenge: request.codeChallenge ?? null,
      nonce: request.nonce ?? null,
      expiresAt: now + CODE_LIFETIME_MS,
      usedFor: null,
    }),
  ])
  return code
}

/** A code that can be exchanged. A used code ends its sign-in, because two clients had the code. */
export function validCode({ store, clock }: Platform, code: string, applicationId: string): StoredCode {
  const found = store.codes.get(hashOf(code))
  if (found === undefined || found.applicationId !== applicationId || found.expiresAt <= clock.now()) throw invalidGrant('code')
  if (found.usedFor !== null) {
    store.commit(endWrites({ store }, found.usedFor))
    throw invalidGrant('code')
  }
  return found
}

/** The same description for all causes, as on the platform. */
const invalidGrant = (parameter: 'code' | 'refresh_token'): OAuthError =>
  new OAuthError('invalid_grant', `Invalid "${parameter}" in request`)

/** Exchanges the code for a sign-in and applies `also` in the same commit. Codes of banned users are not valid. */
export function exchange(platform: Platform, code: StoredCode, also: readonly Write[]): IssuedTokens {
  const { applicationId, userId, scopes } = code
  if (isBanned(platform, userId)) throw invalidGrant('code')
  return open(platform, { applicationId, userId, scopes }, (authorizationId) => [
    ...also,
    platform.store.codes.put(code.hash, { ...code, usedFor: authorizationId }),
  ])
}

export type SignIn = Pick<StoredAuthorization, 'applicationId' | 'userId' | 'scopes' | 'parentId'> & {
  /** The expiry of the access token, in ms since the epoch; absent: the full lifetime. */
  readonly accessUntil?: number
}

/** Opens a sign-in without a code. It has no refresh token unless `refreshable` is set. */
export function openWithoutCode(platform: Platform, signIn: SignIn, also: readonly Write[] = [], refreshable = false): IssuedTokens {
  return open(platform, signIn, () => also, refreshable)
}

function open(
  platform: Platform,
  { applicationId, userId, scopes, parentId, accessUntil }: SignIn,
  also: (authorizationId: string) => readonly Write[],
  refreshable = true,
): IssuedTokens {
  const { store, ids, clock } = platform
  const authorization = {
    id: ids.next(),
    applicationId,
    userId,
    scopes,
    createdAt: clock.now(),
    ...(parentId === undefined ? {} : { parentId }),
  }
  const earlier = store.authorizations.group(applicationUserKey(applicationId, userId))
  const surplus = earlier.slice(0, Math.max(0, earlier.length + 1 - AUTHORIZATIONS_PER_USER))
  const access = freshToken(platform, authorization.id, 'access', scopes, accessUntil)
  const successor = refreshable ? freshToken(platform, authorization.id, 'refresh', scopes) : undefined
  store.commit([
    ...rememberApplication(platform, applicationId),
    ...surplus.flatMap(({ id }) => endWrites(platform, id)),
    ...also(authorization.id),
    store.authorizations.put(authorization.id, authorization),
    access.write,
    ...(successor === undefined ? [] : [successor.write]),
  ])
  return { accessToken: access.token, refreshToken: successor?.token, scopes, authorization }
}

/** Exchanges a refresh token. The previous access token stays valid until the next refresh, for calls in progress. */
export function refresh(
  platform: Platform,
  refreshToken: string,
  applicationId: string,
  narrowed: readonly string[] | undefined,
): IssuedTokens {
  const { store } = platform
  const old = store.tokens.get(hashOf(refreshToken))
  const authorization = old?.kind === 'refresh' ? store.authorizations.get(old.authorizationId) : undefined
  if (old === undefined || authorization === undefined || authorization.applicationId !== applicationId) throw invalidGrant('refresh_token')
  const scopes = narrowed ?? authorization.scopes
  if (!scopes.every((scope) => authorization.scopes.includes(scope)))
    throw new OAuthError('invalid_scope', 'A refresh cannot request more scopes than were granted.')
  const outdated = store.tokens
    .group(authorization.id)
    .filter(({ kind }) => kind === 'access')
    .slice(0, -1)
  const access = freshToken(platform, authorization.id, 'access', scopes)
  const next = freshToken(platform, authorization.id, 'refresh', authorization.scopes)
  store.commit([store.tokens.delete(old.hash), ...outdated.map(({ hash }) => store.tokens.delete(hash)), access.write, next.write])
  return { accessToken: access.token, refreshToken: next.token, scopes, authorization }
}

function freshToken(
  { store, clock }: Platform,
  authorizationId: string,
  kind: StoredToken['kind'],
  scopes: readonly string[],
  accessUntil = clock.now() + ACCESS_TOKEN_SECONDS * 1000,
): { readonly token: string; readonly write: Write } {
  const token = newToken()
  const hash = hashOf(token)
  const expiresAt = kind === 'access' ? accessUntil : null
  return { token, write: store.tokens.put(hash, { hash, kind, authorizationId, scopes, expiresAt }) }
}

/** The sign-in of a valid access token. */
export function bearerOf(
  { store, clock }: Platform,
  accessToken: string,
): { readonly token: StoredToken; readonly authorization: StoredAuthorization } | undefined {
  const token = store.tokens.get(hashOf(accessToken))
  if (token?.kind !== 'access' || token.expiresAt === null || token.expiresAt <= clock.now()) return undefined
  const authorization = store.authorizations.get(token.authorizationId)
  return authorization === undefined ? undefined : { token, authorization }
}

/** The sign-in of any token, expired or not. */
export function authorizationOfToken({ store }: Pick<Platform, 'store'>, token: string): StoredAuthorization | undefined {
  const found = store.tokens.get(hashOf(token))
  return found === undefined ? undefined : store.authorizations.get(found.authorizationId)
}

/** Whether the user has a valid access token of the application. */
export const isSignedIn = ({ store, clock }: Pick<Platform, 'store' | 'clock'>, applicationId: string, userId: string): boolean =>
  store.authorizations
    .group(applicationUserKey(applicationId, userId))
    .some(({ id }) =>
      store.tokens.group(id).some(({ kind, expiresAt }) => kind === 'access' && expiresAt !== null && expiresAt > clock.now()),
    )

/**
 * Ends every sign-in of the user with the application, with the stored consent, unused codes and the link to an external
 * identity. Returns the number of ended sign-ins.
 */
export function revokeAll({ store }: Pick<Platform, 'store'>, applicationId: string, userId: string): number {
  const count = store.authorizations.group(applicationUserKey(applicationId, userId)).length
  store.commit(revokeWrites({ store }, applicationId, userId))
  return count
}

/** The writes of `revokeAll`, for larger commits. */
export function revokeWrites({ store }: Pick<Platform, 'store'>, applicationId: string, userId: string): Write[] {
  const key = applicationUserKey(applicationId, userId)
  const codes = store.codes.all().filter((code) => code.applicationId === applicationId && code.userId === userId)
  return [
    ...store.authorizations.group(key).flatMap(({ id }) => endWrites({ store }, id)),
    ...codes.map(({ hash }) => store.codes.delete(hash)),
    ...(store.consents.get(key) === undefined ? [] : [store.consents.delete(key)]),
    ...store.externalIdentities
      .group(key)
      .filter(({ linked }) => linked)
      .map(({ id }) => store.externalIdentities.delete(id)),
  ]
}

/** The writes that end one sign-in and the sign-ins of its child applications. */
export const endWrites = ({ store }: Pick<Platform, 'store'>, authorizationId: string): Write[] => [
  store.authorizations.delete(authorizationId),
  ...store.tokens.group(authorizationId).map(({ hash }) => store.tokens.delete(hash)),
  ...store.authorizations
    .all()
    .filter(({ parentId }) => parentId === authorizationId)
    .flatMap(({ id }) => endWrites({ store }, id)),
]
