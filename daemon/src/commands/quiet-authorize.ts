/** AUTHORIZE for what the user already allowed this very program: the platform is asked not to ask again. */
import type { AuthorizationAnswer, AuthorizationRequest } from '../auth/auth.ts'
import { BridgeError } from '../core/errors.ts'
import type { CallContext } from '../dispatch/context.ts'

/** What a game chose for the prompt stands. Where the platform cannot answer without a page (no session, say), the page is shown after all. */
export async function authorizeQuietly(
  request: AuthorizationRequest,
  { caller, services }: CallContext,
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  const { authorizer, grants } = services
  const isQuiet = request.prompt === undefined && grants.covers(caller.program, request.applicationId, request.scopes)
  if (!isQuiet) return authorizer.authorize(request, signal, caller)
  try {
    return await authorizer.authorize({ ...request, prompt: 'none' }, signal, caller)
  } catch (failure) {
    const isRefusal = failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR'
    if (!isRefusal) throw failure
    return authorizer.authorize(request, signal, caller)
  }
}
