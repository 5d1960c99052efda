/** EXCHANGE_CHILD_TOKEN, UPDATE_TOKEN: tokens that come neither from a code nor from a refresh. */
import { ENDPOINTS, type TokenResponse } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { TokenStore } from '../../auth/auth.ts'
import type { Session } from '../../sessions/session.ts'
import type { HandlerMap } from '../context.ts'
import { asApplication, type AsApplicationDeps } from './as-application.ts'
import { signInAsHeld } from './authenticate.ts'
import { heldUserOf } from './held-sign-ins.ts'
import type { SignInWithConsentDeps } from './sign-in-with-consent.ts'

export interface AccountTokenDeps extends AsApplicationDeps, SignInWithConsentDeps {
  readonly accounts: Pick<Accounts, 'childTokenIssued' | 'stateOf'>
  readonly tokenStore: SignInWithConsentDeps['tokenStore'] & Pick<TokenStore, 'list'>
}

/** The token that the game has is of the daemon, and means nothing to the platform. The real one gives more than the user allows the program. */
const heldParent = (): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    'The user took permissions from this program, so it cannot hand its sign-in to another application. The user changes that with `sallyport grants`.',
    { path: 'parent_token' },
  )

/** The application of a parent token, if the daemon uses that token. */
async function parentApplicationOf(
  token: string,
  session: Session,
  tokenStore: AccountTokenDeps['tokenStore'],
): Promise<string | undefined> {
  if (session.signedIn?.accessToken.reveal() === token) return session.applicationId
  return (await tokenStore.list()).find(({ tokens }) => tokens.accessToken.reveal() === token)?.tokens.applicationId
}

export function accountTokenHandlers(deps: AccountTokenDeps) {
  const { accounts, tokenStore, signIn } = deps
  return {
    EXCHANGE_CHILD_TOKEN: ({ parent_token, child_application_id }, context) =>
      context.withDeadline(async (call) => {
        const { session } = context
        if (heldUserOf(parent_token) !== undefined) throw heldParent()
        const body = { parent_access_token: parent_token, child_application_id }
        const answer = (await asApplication(ENDPOINTS.REQUEST_CHILD_TOKEN, body, session, call, deps)) as TokenResponse
        const { access_token, token_type, expires_in, scope } = answer
        accounts.childTokenIssued(new Secret(access_token), await parentApplicationOf(parent_token, session, tokenStore))
        return { access_token, token_type, expires_in, scope }
      }),

    UPDATE_TOKEN: async ({ access_token }, context) => {
      const { session } = context
      const heldUser = session.connection.peer.trust === 'origin' ? undefined : heldUserOf(access_token)
      const signedIn =
        heldUser === undefined
          ? await context.withDeadline((call) => signIn.withToken(access_token, session, call))
          : await signInAsHeld(context, heldUser, deps)
      return { ...signedIn, account_state: await accounts.stateOf(session.account(signedIn.user.id)) }
    },
  } satisfies Partial<HandlerMap>
}
