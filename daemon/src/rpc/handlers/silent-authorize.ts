/** AUTHORIZE returns a code only after the user allowed this program by name, in a prompt of the daemon before the platform's page. */
import type { AuthorizationResult, AuthorizationRequest } from '../../auth/auth.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext } from '../context.ts'
import { verifyProgram, readDigest } from '../../sessions/program-check.ts'
import { evaluateSilentAuthorize, type Decision } from '../../auth/grants/rules.ts'

/** Whether the platform answers without a page. Its consent is for the application, not for the program. */
const isAnsweredWithoutPage = ({ prompt, rpcToken }: AuthorizationRequest): boolean => prompt === 'none' || rpcToken !== undefined

/**
 * Does not prompt again for scopes that this program already has, unless the game requests the page. For a program without a grant the
 * daemon prompts, because the platform knows applications but not programs. For more scopes the platform must show its page, or the
 * daemon prompts if the game requests no page.
 */
export async function authorizeSilently(
  request: AuthorizationRequest,
  context: CallContext,
  signal: AbortSignal,
): Promise<AuthorizationResult> {
  const { session, services } = context
  const { authorizer, grants, clock } = services
  const { applicationId, scopes, prompt } = request
  await verifyProgram(session, services)
  await readDigest(session, services.contents)
  if (signal.aborted) throw new BridgeError('TRANSACTION_ABORTED', 'The authorization was cancelled before the user was prompted.')
  const { program } = session
  const decision = evaluateSilentAuthorize(grants.forPath(program, applicationId), program, scopes, clock.now())
  if (decision.kind === 'allow')
    return prompt === undefined ? tryWithoutPage(request, context, signal) : authorizer.authorize(request, signal, session)
  if (session.allowances.covers(undefined, scopes)) return authorizer.authorize(request, signal, session)
  if (grants.has(program, applicationId) && !isAnsweredWithoutPage(request)) {
    return authorizer.authorize({ ...request, prompt: 'consent' }, signal, session)
  }
  return authorizer.authorize(request, signal, session, (cancelSignal) => promptUser(request, decision, context, cancelSignal))
}

/** Resolves when the user allows it, for this connection only: a grant needs the account, which only the token reveals. */
async function promptUser(
  { applicationId, scopes }: AuthorizationRequest,
  decision: Decision & { readonly kind: 'prompt' },
  { session, services }: CallContext,
  cancelSignal: AbortSignal,
): Promise<void> {
  const { program, connection } = session
  await services.consentPrompts.ask(
    {
      program,
      pid: connection.peer.pid,
      connection: connection.id,
      applicationId,
      applicationName: services.grants.applicationName(applicationId),
      userId: undefined,
      username: undefined,
      scopes: decision.scopes,
      reason: decision.reason,
    },
    cancelSignal,
  )
  session.allowances.add(undefined, scopes)
}

/** Tries without a page first, and opens the page if the platform requires it, for example without a browser session. */
async function tryWithoutPage(
  request: AuthorizationRequest,
  { session, services }: CallContext,
  signal: AbortSignal,
): Promise<AuthorizationResult> {
  try {
    return await services.authorizer.authorize({ ...request, prompt: 'none' }, signal, session)
  } catch (failure) {
    const isRefusal = failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR'
    if (!isRefusal) throw failure
    return services.authorizer.authorize(request, signal, session)
  }
}
