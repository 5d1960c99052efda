/**
 * A game that requests `rpc` expects the desktop client to answer for guilds and channels. Where none runs, the bridge answers from the platform,
 * which requires scopes of its own. AUTHORIZE requests them besides, and the prompt names them.
 */
import { BridgeError } from '@sallyport/core/errors'
import { neededWithoutClient } from '@sallyport/protocol'
import type { AuthorizationRequest } from '../../auth/auth.ts'
import type { Session } from '../../sessions/session.ts'
import { type AuthorizedCode, authorizeWithConsent, type AuthorizeWithConsentDeps } from './authorize-with-consent.ts'
import type { DesktopClientDeps } from './desktop-client.ts'

/** The platform gives it to every application. */
const OPEN_SCOPE = 'guilds'

/** The platform does not give what the bridge added; what the game itself asked for it may give. */
const REFUSAL = /^OAuth2 Error: (?:invalid_scope|interaction_required|consent_required)\b/

const withAdded = (request: AuthorizationRequest, added: readonly string[]): AuthorizationRequest =>
  added.length === 0 ? request : { ...request, scopes: [...request.scopes, ...added], addedScopes: added }

export async function authorizeInPlaceOfClient(
  request: AuthorizationRequest,
  session: Session,
  signal: AbortSignal,
  deps: AuthorizeWithConsentDeps & DesktopClientDeps,
): Promise<AuthorizedCode> {
  const added = neededWithoutClient(request.scopes)
  if (added.length === 0 || (await deps.desktopClient.runs(session.applicationId)))
    return authorizeWithConsent(request, session, signal, deps)
  try {
    return await authorizeWithConsent(withAdded(request, added), session, signal, deps)
  } catch (failure) {
    if (!(failure instanceof BridgeError) || !REFUSAL.test(failure.message)) throw failure
    // Without a page the platform gives what the user gave before.
    const rest = request.platformPage === 'never' ? [] : added.filter((scope) => scope === OPEN_SCOPE)
    return authorizeWithConsent(withAdded(request, rest), session, signal, deps)
  }
}
