/** AUTHENTICATE without a token: signs in with what the daemon keeps, when this program was granted it or the user now grants it. */
import { LIMITS } from '@sallyport/protocol'
import type { StoredTokens } from '../../auth/auth.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext } from '../context.ts'
import { makeSure, readContent } from '../../sessions/sure-program.ts'
import type { Matter } from '../../auth/grants/questions.ts'
import { judge, type Verdict } from '../../auth/grants/rules.ts'
import { isKnown } from '../../identity/program.ts'
import { bind } from './authorization.ts'
import { CONSENT_GRACE_MS } from './authorize.ts'

const nothingStored = (): BridgeError =>
  new BridgeError(
    'INVALID_TOKEN',
    'This program has no stored grant for this application; sign in with AUTHORIZE and GET_TOKEN, or pass access_token.',
  )

interface Candidate extends StoredTokens {
  readonly verdict: Verdict
  /** When anybody was last granted this account, in ms since the epoch. */
  readonly grantedAt: number
}

/** What needs no question comes first, then what was granted last. */
const byPreference = (a: Candidate, b: Candidate): number =>
  a.verdict.kind === b.verdict.kind ? b.grantedAt - a.grantedAt : a.verdict.kind === 'silent' ? -1 : 1

/** The account that this program would sign in to, of this user if one is named, and what stands between. */
async function choose({ caller, services }: CallContext, userId: string | undefined): Promise<Candidate | undefined> {
  const { applicationId, program } = caller
  const { grants, keeper, clock } = services
  const stored = await keeper.storedFor(applicationId, program.uid)
  const meant = stored.filter(({ account }) => userId === undefined || account.userId === userId)
  const candidates = meant.map(({ account, tokens }): Candidate => {
    const own = grants.at({ program, applicationId, userId: account.userId })
    const newest = grants.ofAccount(applicationId, account.userId)[0]
    return {
      account,
      tokens,
      verdict: caller.allowances.covers(account.userId, tokens.scopes)
        ? { kind: 'silent', scopes: tokens.scopes }
        : judge(own, program, tokens.scopes, clock.now()),
      grantedAt: own?.grantedAt ?? newest?.grantedAt ?? 0,
    }
  })
  return candidates.toSorted(byPreference)[0]
}

/** Resolves when the user allowed it, which is then written down. */
async function ask({ account, tokens }: Candidate, verdict: Verdict & { readonly kind: 'ask' }, context: CallContext): Promise<void> {
  const { caller, services } = context
  await readContent(caller, services.contents)
  const { applicationId, program, channel } = caller
  const { userId } = account
  const known = services.grants.ofAccount(applicationId, userId)
  const matter: Matter = {
    program,
    pid: channel.peer.pid,
    connection: channel.id,
    applicationId,
    applicationName: services.grants.applicationName(applicationId),
    userId,
    username: known.find((grant) => grant.username !== undefined)?.username,
    scopes: verdict.scopes,
    why: verdict.why,
  }
  await context.wait(({ signal }) => services.consent.ask(matter, signal), LIMITS.authorizationMs.value + CONSENT_GRACE_MS)
  // With what was allowed before: the question named only what is new.
  services.grants.allow({ program, applicationId, userId }, tokens.scopes, {})
  if (!isKnown(program)) caller.allowances.add(userId, tokens.scopes)
}

export async function signInSilently(context: CallContext, userId: string | undefined) {
  const { caller, services } = context
  await makeSure(caller, services, true)
  const chosen = await context.wait(() => choose(context, userId))
  if (chosen === undefined) throw nothingStored()
  const { account, verdict } = chosen
  if (verdict.kind === 'ask') await ask(chosen, verdict, context)
  return context.wait(async (call) => {
    const tokens = await services.keeper.current(account, call.signal)
    // Read after the question, which may have taken minutes.
    const granted = services.grants.at({ program: caller.program, ...account })?.scopes ?? caller.allowances.of(account.userId)
    if (tokens === undefined || granted === undefined) throw nothingStored()
    return bind(tokens.accessToken, { isManaged: true, granted }, context, call)
  })
}
