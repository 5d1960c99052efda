/** AUTHORIZE returns a code only after the user allowed this program by name, in a prompt of the daemon before the platform's page. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { AuthorizationRequest, AuthorizationResult, Authorizer } from '../../auth/auth.ts'
import { ALL_KEPT, type Consent, type ConsentChoice } from '../../auth/consent/consent-prompts.ts'
import type { Grants } from '../../auth/grants/grants.ts'
import { evaluateAuthorization, type PromptNeeded } from '../../auth/consent/decision.ts'
import { deniedFor, isGrant, requestable } from '../../auth/grants/terms.ts'
import { challengeOf, createVerifier } from '../../auth/oauth/pkce.ts'
import { type ProgramCheckDeps, readDigest, verifyProgram } from '../../sessions/program-check.ts'
import type { Session } from '../../sessions/session.ts'
import type { HeldCode } from './held-sign-ins.ts'

export interface AuthorizeWithConsentDeps extends Pick<ProgramCheckDeps, 'contents'> {
  readonly authorizer: Pick<Authorizer, 'reserve'>
  readonly grants: Pick<Grants, 'forPath' | 'has' | 'applicationName' | 'choseBefore'> & ProgramCheckDeps['grants']
  /** Prompts the user to allow a program. */
  readonly consentPrompts: Consent
  readonly clock: Clock
}

/** Whether the platform answers without a page. Its consent is for the application, not for the program. */
const isAnsweredWithoutPage = ({ platformPage, rpcToken }: AuthorizationRequest): boolean =>
  platformPage === 'never' || rpcToken !== undefined

/** A code of the platform. One that gives more than the user allows is for the daemon alone. */
export type AuthorizedCode = AuthorizationResult | HeldCode

/** How an authorization proceeds. */
interface Plan {
  /** What the user must allow in a prompt first; undefined: nothing. */
  readonly missing?: PromptNeeded
  readonly first: AuthorizationRequest
  /** Made when the platform refuses the first. */
  readonly afterRefusal?: AuthorizationRequest
}

/**
 * Does not prompt again for scopes that this program already has, unless the game requests the page. For a program without a grant the
 * daemon prompts, because the platform knows applications but not programs. For more scopes the platform must show its page, or the
 * daemon prompts if the game requests no page.
 */
function planOf(request: AuthorizationRequest, session: Session, { grants, clock }: AuthorizeWithConsentDeps): Plan {
  const { applicationId, scopes, platformPage } = request
  const { program } = session
  const decision = evaluateAuthorization(grants.forPath(program, applicationId).filter(isGrant), program, scopes, clock.now())
  // The platform may require its page, for example without a browser session.
  if (decision.kind === 'allow')
    return platformPage === undefined ? { first: { ...request, platformPage: 'never' }, afterRefusal: request } : { first: request }
  if (session.allowances.covers(undefined, scopes)) return { first: request }
  if (grants.has(program, applicationId) && !isAnsweredWithoutPage(request)) return { first: { ...request, platformPage: 'always' } }
  return { missing: decision, first: request }
}

export async function authorizeWithConsent(
  request: AuthorizationRequest,
  session: Session,
  signal: AbortSignal,
  deps: AuthorizeWithConsentDeps,
): Promise<AuthorizedCode> {
  await verifyProgram(session, deps)
  await readDigest(session, deps.contents)
  if (signal.aborted) throw new BridgeError('TRANSACTION_ABORTED', 'The authorization was cancelled before the user was prompted.')
  const { missing, first, afterRefusal } = planOf(request, session, deps)

  /** Reserve, consent, charge, open. Every path releases what was reserved and charged. */
  const authorize = async (asked: AuthorizationRequest): Promise<AuthorizedCode> => {
    using reserved = deps.authorizer.reserve(asked, signal, session)
    const { deniedScopes } = missing === undefined ? ALL_KEPT : await promptUser(asked, missing, session, reserved.signal, deps)
    const { scopes, isWider } = requestable(asked.scopes, [...deniedScopes, ...deniedFor(deps.grants, session)])
    if (!isWider) return await reserved.charge({ scopes }).open()
    const codeVerifier = createVerifier()
    const result = await reserved.charge({ scopes, codeChallenge: challengeOf(codeVerifier) }).open()
    return { ...result, codeVerifier }
  }

  try {
    return await authorize(first)
  } catch (failure) {
    const isRefusal = failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR'
    if (afterRefusal === undefined || !isRefusal) throw failure
    return authorize(afterRefusal)
  }
}

/** Resolves when the user allows it, for this connection only: a grant needs the account, which only the token reveals. */
async function promptUser(
  { applicationId, scopes, addedScopes }: AuthorizationRequest,
  missing: PromptNeeded,
  session: Session,
  signal: AbortSignal,
  { consentPrompts, grants }: AuthorizeWithConsentDeps,
): Promise<ConsentChoice> {
  const { program, connection } = session
  const choice = await consentPrompts.ask(
    {
      program,
      pid: connection.peer.pid,
      connection: connection.id,
      applicationId,
      applicationName: grants.applicationName(applicationId),
      userId: undefined,
      username: undefined,
      scopes: missing.scopes,
      addedScopes,
      reason: missing.reason,
      formerLoader: missing.formerLoader,
    },
    signal,
  )
  session.allowances.add(undefined, scopes)
  grants.choseBefore(program, applicationId, choice)
  return choice
}
