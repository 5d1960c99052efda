/** AUTHORIZE gives a code only when somebody was asked about this very program, with the program named: here, before any page of the platform opens. */
import type { AuthorizationAnswer, AuthorizationRequest } from '../../auth/auth.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext } from '../context.ts'
import { makeSure, readContent } from '../../sessions/sure-program.ts'
import { judgeUnasked, type Verdict } from '../../auth/grants/rules.ts'

/** The platform answers these by itself; the consent that it knows of was to the application, whichever program asks. */
const isAnsweredUnasked = ({ prompt, rpcToken }: AuthorizationRequest): boolean => prompt === 'none' || rpcToken !== undefined

/**
 * What the user already allowed this very program is not asked again, unless the game wants the page. A program without any grant for the
 * application is asked about here: the platform knows applications, not programs. One that has a grant and wants more is asked about by the
 * platform, which must then show its page, or here when the game wants none.
 */
export async function authorizeQuietly(
  request: AuthorizationRequest,
  context: CallContext,
  signal: AbortSignal,
): Promise<AuthorizationAnswer> {
  const { caller, services } = context
  const { authorizer, grants, clock } = services
  const { applicationId, scopes, prompt } = request
  await makeSure(caller, services)
  await readContent(caller, services.contents)
  if (signal.aborted) throw new BridgeError('TRANSACTION_ABORTED', 'The authorization was given up before anybody was asked.')
  const { program } = caller
  const verdict = judgeUnasked(grants.atPlace(program, applicationId), program, scopes, clock.now())
  if (verdict.kind === 'silent')
    return prompt === undefined ? withoutPage(request, context, signal) : authorizer.authorize(request, signal, caller)
  if (caller.allowances.covers(undefined, scopes)) return authorizer.authorize(request, signal, caller)
  if (grants.has(program, applicationId) && !isAnsweredUnasked(request)) {
    return authorizer.authorize({ ...request, prompt: 'consent' }, signal, caller)
  }
  return authorizer.authorize(request, signal, caller, (stop) => askHere(request, verdict, context, stop))
}

/** Resolves when the user allowed it, which then holds for the connection: whose account it is, and so a grant, is known with the token. */
async function askHere(
  { applicationId, scopes }: AuthorizationRequest,
  verdict: Verdict & { readonly kind: 'ask' },
  { caller, services }: CallContext,
  stop: AbortSignal,
): Promise<void> {
  const { program, channel } = caller
  await services.consent.ask(
    {
      program,
      pid: channel.peer.pid,
      connection: channel.id,
      applicationId,
      applicationName: services.grants.applicationName(applicationId),
      userId: undefined,
      username: undefined,
      scopes: verdict.scopes,
      why: verdict.why,
    },
    stop,
  )
  caller.allowances.add(undefined, scopes)
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
