/** GET and POST /oauth2/authorize: shows the consent page, or redirects at once when consent exists. */
import { type RouteHandler, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import { problemPage } from '../pages/layout.ts'
import { consentPage } from '../pages/consent.ts'
import { OAuthError, type OAuthErrorName } from '../platform-error.ts'
import { applicationOf, defaultUser, findUser, fullAccounts, type Platform } from '../platform.ts'
import type { StoredUser } from '../store/records.ts'
import { applicationUserKey } from '../store/store.ts'
import { type AuthorizeRequest, parseAuthorize } from './authorize-request.ts'
import { proofFields, provenQuery } from './consent-proof.ts'
import { type IdTokens, includesIdToken } from './id-token.ts'
import { checkScopes, redirectsOf } from './portal-settings.ts'
import { formActionSource, isRegistered, withParameters } from './redirect-uri.ts'
import { installDetails } from './install-details.ts'
import { issueCode } from './sign-ins.ts'
import { redeemRpcToken } from './token-endpoint.ts'

export interface AuthorizeOptions {
  /** Allows every request at once, as the default user or the one in the request. */
  readonly autoConsent: boolean
  readonly customSchemePrefix: string
}

const CANNOT = 'The request is not valid'

/** Continues with a valid request. */
type Next = (request: AuthorizeRequest, query: URLSearchParams) => SandboxReply

function withRequest(platform: Platform, query: URLSearchParams, { customSchemePrefix }: AuthorizeOptions, next: Next): SandboxReply {
  const parsed = parseAuthorize(query, customSchemePrefix, (id) => redirectsOf(platform, id))
  if (parsed.kind === 'problem') return problemPage(400, CANNOT, parsed.message)
  const { applicationId, redirectUri } = parsed.kind === 'request' ? parsed.request : parsed
  if (!mayRedirect(platform, applicationId, redirectUri, customSchemePrefix))
    return problemPage(400, CANNOT, 'Invalid OAuth2 redirect_uri. The application has not registered it.')
  if (parsed.kind === 'redirect') return refusal(parsed, parsed.error, parsed.description)
  try {
    return next(parsed.request, query)
  } catch (failure) {
    if (failure instanceof OAuthError) return refusal(parsed.request, failure.error, failure.message)
    throw failure
  }
}

/** Secrets of a game may be in the path, so a finding has only the scheme and the host. */
function mayRedirect(platform: Platform, applicationId: string, redirectUri: string, customSchemePrefix: string): boolean {
  if (isRegistered(redirectUri, { applicationId, customSchemePrefix, registered: redirectsOf(platform, applicationId) })) return true
  const { protocol, host } = new URL(redirectUri)
  return !platform.strictness.holds('redirect-registration', applicationId, host === '' ? protocol : `${protocol}//${host}`)
}

const refusal = (
  to: { readonly redirectUri: string; readonly state?: string | undefined },
  error: OAuthErrorName,
  description: string,
): SandboxReply => reply.redirect(withParameters(to.redirectUri, { error, error_description: description, state: to.state }))

const allowed = (platform: Platform, request: AuthorizeRequest, user: StoredUser): SandboxReply =>
  reply.redirect(withParameters(request.redirectUri, { code: issueCode(platform, request, user.id), state: request.state }))

export const showAuthorize =
  (platform: Platform, idTokens: IdTokens, options: AuthorizeOptions): RouteHandler =>
  ({ request: { query } }) =>
    withRequest(platform, query, options, (request) => {
      const user = hintedUser(platform, request)
      checkScopes(platform, request.applicationId, request.scopes, user.id)
      if (includesIdToken(request.scopes)) idTokens.prepare()
      if (request.rpcToken !== undefined) {
        redeemRpcToken(platform, request.rpcToken, request.applicationId)
        return allowed(platform, request, user)
      }
      if (options.autoConsent) return allowed(platform, request, user)
      if (request.prompt === 'none') return allowed(platform, request, consentingUser(platform, request))
      return page(platform, request, query, user)
    })

export const decideAuthorize =
  (platform: Platform, options: AuthorizeOptions, port: () => number): RouteHandler =>
  ({ request: { headers }, request }) => {
    checkOrigin(headers, port())
    const form = formBody(request)
    const query = provenQuery(platform, form)
    if (query === undefined) return problemPage(400, CANNOT, 'This page has expired or is not valid. Start again from the game.')
    return withRequest(platform, new URLSearchParams(query), options, (checked) => {
      if (form.get('decision') !== 'allow')
        return refusal(checked, 'access_denied', 'The resource owner or authorization server denied the request')
      const user = platform.store.users.get(form.get('user_id') ?? '')
      if (user === undefined) return problemPage(400, CANNOT, 'Select one of the users.')
      checkScopes(platform, checked.applicationId, checked.scopes, user.id)
      return allowed(platform, checked, user)
    })
  }

function page(platform: Platform, request: AuthorizeRequest, query: URLSearchParams, user: StoredUser): SandboxReply {
  const { applicationId, scopes, redirectUri } = request
  return consentPage({
    applicationName: applicationOf(platform, applicationId).name,
    applicationId,
    scopes,
    details: installDetails(platform, request),
    users: fullAccounts(platform),
    chosenUserId: user.id,
    hidden: { ...proofFields(platform, query.toString()) },
    action: '/oauth2/authorize',
    target: formActionSource(redirectUri),
  })
}

/** The user in the request, or the default user. */
function hintedUser(platform: Platform, { loginHint }: AuthorizeRequest): StoredUser {
  if (loginHint === undefined) return defaultUser(platform)
  const user = findUser(platform, loginHint)
  if (user === undefined) throw new OAuthError('invalid_request', 'login_hint is not a user of the sandbox.')
  return user
}

/** The user in the request, or the latest one, who already allowed these scopes. */
function consentingUser(platform: Platform, request: AuthorizeRequest): StoredUser {
  const { applicationId, loginHint, scopes } = request
  const { consents, users } = platform.store
  const hinted = loginHint === undefined ? undefined : consents.get(applicationUserKey(applicationId, hintedUser(platform, request).id))
  const candidates = loginHint === undefined ? consents.group(applicationId) : hinted === undefined ? [] : [hinted]
  const fitting = candidates
    .filter((one) => scopes.every((scope) => one.scopes.includes(scope)))
    .toSorted((a, b) => b.grantedAt - a.grantedAt)
  const user = users.get(fitting[0]?.userId ?? '')
  if (user === undefined) throw new OAuthError('consent_required', 'There is no consent for this request; use prompt=consent.')
  return user
}
