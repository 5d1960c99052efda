/**
 * AUTHENTICATE without a token and without a stored one, from a client without a contract. Such clients know no GET_TOKEN: they expect the
 * server to ask the user. The daemon authorizes, exchanges the code and signs in.
 */
import { DEFAULT_PRESENCE_SCOPES } from '@sallyport/protocol'
import type { UnauthenticatedRequests } from '../../accounting/unauthenticated-requests.ts'
import type { TokenEndpoint } from '../../auth/auth.ts'
import { challengeOf, createVerifier } from '../../auth/oauth/pkce.ts'
import type { CallContext } from '../context.ts'
import { PROMPT_AND_PAGE_MS } from './authorize.ts'
import type { SignIn } from './sign-in.ts'
import { authorizeWithConsent, type AuthorizeWithConsentDeps } from './authorize-with-consent.ts'
import type { TokenIntake } from './token-intake.ts'

export interface AuthorizeAndSignInDeps extends AuthorizeWithConsentDeps {
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchange'>
  readonly unauthenticatedRequests: UnauthenticatedRequests
  readonly tokenIntake: TokenIntake
  readonly signIn: SignIn
}

export async function authorizeAndSignIn(context: CallContext, deps: AuthorizeAndSignInDeps) {
  const { session } = context
  const { applicationId, program } = session
  const { tokenEndpoint, unauthenticatedRequests, tokenIntake, signIn } = deps
  const codeVerifier = createVerifier()
  const request = { applicationId, scopes: DEFAULT_PRESENCE_SCOPES, codeChallenge: challengeOf(codeVerifier) }
  const answer = await context.withDeadline(({ signal }) => authorizeWithConsent(request, session, signal, deps), PROMPT_AND_PAGE_MS)
  return context.withDeadline(async (call) => {
    const received = { applicationId, codeVerifier, ...answer }
    const exchange = () => unauthenticatedRequests.run(program, () => tokenEndpoint.exchange(received, call.signal))
    // Only the daemon may have these tokens; the caller signs in with what is stored.
    if ('codeVerifier' in answer) return { heldUser: (await tokenIntake.exchangeAndHold({}, session, call, exchange)).userId }
    const tokens = await tokenIntake.exchangeAndStore({}, session, call, exchange)
    return signIn.withToken(tokens.access_token, session, call)
  })
}
