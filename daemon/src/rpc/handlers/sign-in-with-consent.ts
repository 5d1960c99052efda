/** AUTHENTICATE without a token: signs in with stored tokens if this program has a grant or the user now grants it. */
import { LIMITS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { StoredTokens, TokenStore } from '../../auth/auth.ts'
import { isRefusedToken } from '../../auth/credentials.ts'
import type { ConsentRequest } from '../../auth/consent/consent-prompts.ts'
import type { Grants } from '../../auth/grants/grants.ts'
import { type Decision, evaluateGrant, type PromptNeeded } from '../../auth/consent/decision.ts'
import { isKnown } from '../../identity/program.ts'
import { programText } from '../../identity/program-text.ts'
import { readDigest, verifyProgram } from '../../sessions/program-check.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallContext } from '../context.ts'
import { type AuthorizeAndSignInDeps, authorizeAndSignIn } from './authorize-and-sign-in.ts'
import { CONSENT_GRACE_MS } from './authorize.ts'
import { heldToken } from './held-sign-ins.ts'

export interface SignInWithConsentDeps extends AuthorizeAndSignInDeps {
  readonly tokenStore: Pick<TokenStore, 'storedFor' | 'current' | 'renew'>
  readonly grants: AuthorizeAndSignInDeps['grants'] & Pick<Grants, 'find' | 'ofAccount' | 'allow'>
}

const NOTHING_STORED = 'This program has no stored grant for this application; sign in with AUTHORIZE and GET_TOKEN, or pass access_token.'

const nothingStored = ({ program }: Session): BridgeError =>
  new BridgeError(
    'INVALID_TOKEN',
    isKnown(program)
      ? NOTHING_STORED
      : `${NOTHING_STORED} The bridge keeps no grant of what it does not recognise: ${programText(program)}.`,
  )

interface Candidate extends StoredTokens {
  readonly decision: Decision
  /** Time of the latest grant for this account, in ms since the epoch. */
  readonly grantedAt: number
}

/** Accounts that need no prompt first, then the latest grant. */
const byPreference = (a: Candidate, b: Candidate): number =>
  a.decision.kind === b.decision.kind ? b.grantedAt - a.grantedAt : a.decision.kind === 'allow' ? -1 : 1

/** The stored account that fits this program best, and whether it needs a prompt. Undefined if there is none. */
function chooseAccount(stored: readonly StoredTokens[], session: Session, { grants, clock }: SignInWithConsentDeps): Candidate | undefined {
  const { applicationId, program } = session
  const candidates = stored.map(({ account, tokens }): Candidate => {
    const own = grants.find({ program, applicationId, userId: account.userId })
    const newest = grants.ofAccount(account)[0]
    return {
      account,
      tokens,
      decision: session.allowances.covers(account.userId, tokens.scopes)
        ? { kind: 'allow', scopes: tokens.scopes }
        : evaluateGrant(own, program, tokens.scopes, clock.now()),
      grantedAt: own?.grantedAt ?? newest?.grantedAt ?? 0,
    }
  })
  return candidates.toSorted(byPreference)[0]
}

/** Resolves when the user allows it, after the grant is recorded. */
async function promptUser(
  { account, tokens }: Candidate,
  missing: PromptNeeded,
  context: CallContext,
  { grants, contents, consentPrompts }: SignInWithConsentDeps,
): Promise<void> {
  const { session } = context
  await readDigest(session, contents)
  const { applicationId, program, connection } = session
  const { userId } = account
  const known = grants.ofAccount(account)
  const request: ConsentRequest = {
    program,
    pid: connection.peer.pid,
    connection: connection.id,
    applicationId,
    applicationName: grants.applicationName(applicationId),
    userId,
    username: known.find((grant) => grant.username !== undefined)?.username,
    scopes: missing.scopes,
    reason: missing.reason,
    formerLoader: missing.formerLoader,
  }
  const choice = await context.withDeadline(
    ({ signal }) => consentPrompts.ask(request, signal),
    LIMITS.authorizationMs.value + CONSENT_GRACE_MS,
  )
  // Includes the scopes allowed before: the prompt named only the new ones.
  grants.allow({ program, applicationId, userId }, tokens.scopes, {}, choice)
  if (!isKnown(program)) session.allowances.add(userId, tokens.scopes)
}

async function signInAnew(context: CallContext, deps: SignInWithConsentDeps) {
  const done = await authorizeAndSignIn(context, deps)
  if (!('heldUser' in done)) return done
  const { heldUser } = done
  return { ...(await signInStored(context, heldUser, deps)), access_token: heldToken(heldUser) }
}

export async function signInWithConsent(context: CallContext, userId: string | undefined, deps: SignInWithConsentDeps) {
  const { session } = context
  const { tokenStore } = deps
  const all = await context.withDeadline(() => tokenStore.storedFor(session.applicationId, session.uid))
  const stored = all.filter(({ account }) => userId === undefined || account.userId === userId)
  // A program is checked only if there is something to give.
  if (stored.length > 0) await verifyProgram(session, deps)
  const chosen = chooseAccount(stored, session, deps)
  if (chosen === undefined) {
    // A client with a contract learns that nothing is stored, and chooses scopes and time of its AUTHORIZE itself.
    if (session.contract === undefined && userId === undefined) return signInAnew(context, deps)
    throw nothingStored(session)
  }
  const { account, decision } = chosen
  if (decision.kind === 'prompt') await promptUser(chosen, decision, context, deps)
  return signInStored(context, account.userId, deps)
}

/** Signs in with the stored tokens of a user whom the program has a grant for. */
async function signInStored(context: CallContext, userId: string, { signIn, tokenStore, grants }: SignInWithConsentDeps) {
  const { session } = context
  const account = session.account(userId)
  return context.withDeadline(async (call) => {
    const tokens = await tokenStore.current(account, call.cancelSignal)
    // Read after the prompt, which may have taken minutes.
    const granted = grants.find({ program: session.program, ...account })?.scopes ?? session.allowances.of(account.userId)
    if (tokens === undefined || granted === undefined) throw nothingStored(session)
    try {
      return await signIn.withStoredToken(tokens.accessToken, granted, session, call)
    } catch (failure) {
      if (!isRefusedToken(failure) || !(await tokenStore.renew(account, tokens.accessToken, call.cancelSignal))) throw failure
    }
    const renewed = await tokenStore.current(account, call.cancelSignal)
    if (renewed === undefined) throw nothingStored(session)
    return signIn.withStoredToken(renewed.accessToken, granted, session, call)
  })
}
