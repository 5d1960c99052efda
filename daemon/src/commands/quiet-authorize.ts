/** AUTHORIZE gives a code only when somebody was asked about this very program: on the platform's page, or here where that page is not shown. */
import type { AuthorizationAnswer, AuthorizationRequest } from '../auth/auth.ts'
import { BridgeError } from '../core/errors.ts'
import type { CallContext } from '../dispatch/context.ts'
import { makeSure, readContent } from '../dispatch/sure-program.ts'
import { judgeUnasked } from '../grants/rules.ts'

/** The platform answers these by itself; the consent that it knows of was to the application, whichever program asks. */
const isAnsweredUnasked = ({ prompt, rpcToken }: AuthorizationRequest): boolean => prompt === 'none' || rpcToken !== undefined

/**
 * What the user already allowed this very program is not asked again, unless the game wants the page. Anything else is: by the platform,
 * which must then show its page, or by a question of our own when the game wants none.
 */
export async function authorizeQuietly(
  request: AuthorizationRequest,
  context: CallContext,
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  const { caller, services } = context
  const { authorizer, grants, consent, clock } = services
  const { applicationId, scopes, prompt } = request
  await makeSure(caller, services)
  await readContent(caller, services.contents)
  const { program, channel } = caller
  const verdict = judgeUnasked(grants.atPlace(program, applicationId), program, scopes, clock.now())
  if (verdict.kind === 'silent')
    return prompt === undefined ? withoutPage(request, context, signal) : authorizer.authorize(request, signal, caller)
  if (!isAnsweredUnasked(request)) return authorizer.authorize({ ...request, prompt: 'consent' }, signal, caller)
  const named = grants.live().find((grant) => grant.applicationId === applicationId && grant.applicationName !== undefined)
  return authorizer.authorize(request, signal, caller, (stop) =>
    consent.ask(
      {
        program,
        pid: channel.peer.pid,
        applicationId,
        applicationName: named?.applicationName,
        userId: undefined,
        username: undefined,
        scopes: verdict.scopes,
        why: verdict.why,
      },
      stop,
    ),
  )
}

/** Where the platform cannot answer without a page (no session, say), the page is shown after all. */
async function withoutPage(
  request: AuthorizationRequest,
  { caller, services }: CallContext,
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  try {
    return await services.authorizer.authorize({ ...request, prompt: 'none' }, signal, caller)
  } catch (failure) {
    const isRefusal = failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR'
    if (!isRefusal) throw failure
    return services.authorizer.authorize(request, signal, caller)
  }
}
