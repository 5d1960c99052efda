/** Sign-ins over the store: codes, the tokens they become, refresh, and the end of it all. */
import { ACCESS_TOKEN_SECONDS, AUTHORIZATIONS_PER_USER, CODE_LIFETIME_MS } from '../constants.ts'
import { OAuthError } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredAuthorization, StoredCode, StoredToken } from '../store/records.ts'
import { userOfApplication } from '../store/store.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { isBanned } from './bans.ts'
import { hashOf, newToken } from './tokens.ts'

/** What the token endpoint gives out. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly scopes: readonly string[]
  readonly authorization: StoredAuthorization
}

/** Notes the user's consent and makes the code that stands for it. */
export function issueCode(platform: Platform, request: AuthorizeRequest, userId: string): string {
  const { store, clock } = platform
  const code = newToken()
  const hash = hashOf(code)
  const now = clock.now()
  const { applicationId, redirectUri, scopes } = request
  const key = userOfApplication(applicationId, userId)
  const agreed = new Set([...(store.consents.get(key)?.scopes ?? []), ...scopes])
  const outdated = store.codes.all().filter(({ expiresAt }) => expiresAt <= now)
  store.commit([
    ...rememberApplication(platform, applicationId),
    ...outdated.map((one) => store.codes.drop(one.hash)),
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

/** A code that may still be exchanged. A used one ends the sign-in it was used for: one of the two who had it stole it. */
export function liveCode({ store, clock }: Platform, code: string, applicationId: string): StoredCode {
  const found = store.codes.get(hashOf(code))
  if (found === undefined || found.applicationId !== applicationId || found.expiresAt <= clock.now()) throw invalidGrant('code')
  if (found.usedFor !== null) {
    store.commit(endWrites({ store }, found.usedFor))
    throw invalidGrant('code')
  }
  return found
}

/** The same words whatever the cause, as the platform has it. */
const invalidGrant = (parameter: 'code' | 'refresh_token'): OAuthError =>
  new OAuthError('invalid_grant', `Invalid "${parameter}" in request`)

/** Exchanges the code: uses it up, opens the sign-in and carries out `also` in one change. The code of a banned user is good for nothing. */
export function exchange(platform: Platform, code: StoredCode, also: readonly Write[]): IssuedTokens {
  const { applicationId, userId, scopes } = code
  if (isBanned(platform, userId)) throw invalidGrant('code')
  return open(platform, { applicationId, userId, scopes }, (authorizationId) => [
    ...also,
    platform.store.codes.put(code.hash, { ...code, usedFor: authorizationId }),
  ])
}

export type SignIn = Pick<StoredAuthorization, 'applicationId' | 'userId' | 'scopes' | 'parentId'> & {
  /** Until when the access token lives, in ms since the epoch; a full lifetime when absent. */
  readonly accessUntil?: number
}

/** Opens a sign-in that no code stands for and that cannot be refreshed, unless told that it can. */
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
  const earlier = store.authorizations.group(userOfApplication(applicationId, userId))
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

/** New tokens for a refresh token, which then ends; the access token before stays until the next refresh, for calls under way. */
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
    throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.')
  const outdated = store.tokens
    .group(authorization.id)
    .filter(({ kind }) => kind === 'access')
    .slice(0, -1)
  const access = freshToken(platform, authorization.id, 'access', scopes)
  const next = freshToken(platform, authorization.id, 'refresh', authorization.scopes)
  store.commit([store.tokens.drop(old.hash), ...outdated.map(({ hash }) => store.tokens.drop(hash)), access.write, next.write])
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

/** The sign-in behind an access token that is still good. */
export function bearerOf(
  { store, clock }: Platform,
  accessToken: string,
): { readonly token: StoredToken; readonly authorization: StoredAuthorization } | undefined {
  const token = store.tokens.get(hashOf(accessToken))
  if (token?.kind !== 'access' || token.expiresAt === null || token.expiresAt <= clock.now()) return undefined
  const authorization = store.authorizations.get(token.authorizationId)
  return authorization === undefined ? undefined : { token, authorization }
}

/** The sign-in that any kind of token belongs to, expired or not. */
export function authorizationOfToken({ store }: Pick<Platform, 'store'>, token: string): StoredAuthorization | undefined {
  const found = store.tokens.get(hashOf(token))
  return found === undefined ? undefined : store.authorizations.get(found.authorizationId)
}

/** Whether the user holds a live access token of the application. */
export const isSignedIn = ({ store, clock }: Pick<Platform, 'store' | 'clock'>, applicationId: string, userId: string): boolean =>
  store.authorizations
    .group(userOfApplication(applicationId, userId))
    .some(({ id }) =>
      store.tokens.group(id).some(({ kind, expiresAt }) => kind === 'access' && expiresAt !== null && expiresAt > clock.now()),
    )

/**
 * Ends every sign-in of the user with the application, the remembered consent, codes not yet exchanged and the link to an external
 * identity included. Gives the number of sign-ins ended.
 */
export function revokeAll({ store }: Pick<Platform, 'store'>, applicationId: string, userId: string): number {
  const count = store.authorizations.group(userOfApplication(applicationId, userId)).length
  store.commit(revokeWrites({ store }, applicationId, userId))
  return count
}

/** The same as writes, for changes of which it is a part. */
export function revokeWrites({ store }: Pick<Platform, 'store'>, applicationId: string, userId: string): Write[] {
  const key = userOfApplication(applicationId, userId)
  const codes = store.codes.all().filter((code) => code.applicationId === applicationId && code.userId === userId)
  return [
    ...store.authorizations.group(key).flatMap(({ id }) => endWrites({ store }, id)),
    ...codes.map(({ hash }) => store.codes.drop(hash)),
    ...(store.consents.get(key) === undefined ? [] : [store.consents.drop(key)]),
    ...store.externalIdentities
      .group(key)
      .filter(({ linked }) => linked)
      .map(({ id }) => store.externalIdentities.drop(id)),
  ]
}

/** The end of one sign-in, and of those that child applications have by it. */
export const endWrites = ({ store }: Pick<Platform, 'store'>, authorizationId: string): Write[] => [
  store.authorizations.drop(authorizationId),
  ...store.tokens.group(authorizationId).map(({ hash }) => store.tokens.drop(hash)),
  ...store.authorizations
    .all()
    .filter(({ parentId }) => parentId === authorizationId)
    .flatMap(({ id }) => endWrites({ store }, id)),
]
