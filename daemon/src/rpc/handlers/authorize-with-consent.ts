/** AUTHORIZE returns a code only after the user allowed this program by name, in a prompt of the daemon before the platform's page. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { AuthorizationRequest, AuthorizationResult, Authorizer } from '../../auth/auth.ts'
import type { Consent } from '../../auth/consent/consent-prompts.ts'
import type { Grants } from '../../auth/grants/grants.ts'
import { type Decision, evaluateAuthorization } from '../../auth/consent/decision.ts'
import { type ProgramCheckDeps, readDigest, verifyProgram } from '../../sessions/program-check.ts'
import type { Session } from '../../sessions/session.ts'

export interface AuthorizeWithConsentDeps extends Pick<ProgramCheckDeps, 'contents'> {
  readonly authorizer: Pick<Authorizer, 'authorize'>
  readonly grants: Pick<Grants, 'forPath' | 'has' | 'applicationName'> & ProgramCheckDeps['grants']
  /** Prompts the user to allow a program. */
  readonly consentPrompts: Consent
  readonly clock: Clock
}

/** Whether the platform answers without a page. Its consent is for the application, not for the program. */
const isAnsweredWithoutPage = ({ platformPage, rpcToken }: AuthorizationRequest): boolean =>
  platformPage === 'never' || rpcToken !== undefined

/**
 * Does not prompt again for scopes that this program already has, unless the game requests the page. For a program without a grant the
 * daemon prompts, because the platform knows applications but not programs. For more scopes the platform must show its page, or the
 * daemon prompts if the game requests no page.
 */
export async function authorizeWithConsent(
  request: AuthorizationRequest,
  session: Session,
  signal: AbortSignal,
  deps: AuthorizeWithConsentDeps,
): Promise<AuthorizationResult> {
  const { authorizer, grants, contents, clock } = deps
  const { applicationId, scopes, platformPage } = request
  await verifyProgram(session, deps)
  await readDigest(session, contents)
  if (signal.aborted) throw new BridgeError('TRANSACTION_ABORTED', 'The authorization was cancelled before the user was prompted.')
  const { program } = session
  const decision = evaluateAuthorization(grants.forPath(program, applicationId), program, scopes, clock.now())
  if (decision.kind === 'allow')
    return platformPage === undefined ? tryWithoutPage(request, session, signal, deps) : authorizer.authorize(request, signal, session)
  if (session.allowances.covers(undefined, scopes)) return authorizer.authorize(request, signal, session)
  if (grants.has(program, applicationId) && !isAnsweredWithoutPage(request)) {
    return authorizer.authorize({ ...request, platformPage: 'always' }, signal, session)
  }
  return authorizer.authorize(request, signal, session, (cancelSignal) => promptUser(request, decision, session, cancelSignal, deps))
}

/** Resolves when the user allows it, for this connection only: a grant needs the account, which only the token reveals. */
async function promptUser(
  { applicationId, scopes }: AuthorizationRequest,
  decision: Decision & { readonly kind: 'prompt' },
  session: Session,
  cancelSignal: AbortSignal,
  { consentPrompts, grants }: AuthorizeWithConsentDeps,
): Promise<void> {
  const { program, connection } = session
  await consentPrompts.ask(
    {
      program,
      pid: connection.peer.pid,
      connection: connection.id,
      applicationId,
      applicationName: grants.applicationName(applicationId),
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
  session: Session,
  signal: AbortSignal,
  { authorizer }: AuthorizeWithConsentDeps,
): Promise<AuthorizationResult> {
  try {
    return await authorizer.authorize({ ...request, platformPage: 'never' }, signal, session)
  } catch (failure) {
    const isRefusal = failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR'
    if (!isRefusal) throw failure
    return authorizer.authorize(request, signal, session)
  }
}
