/** EXCHANGE_CHILD_TOKEN, UPDATE_TOKEN: tokens that come neither from a code nor from a refresh. */
import { ENDPOINTS, type TokenResponse } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import type { TokenStore } from '../../auth/auth.ts'
import type { Session } from '../../sessions/session.ts'
import type { HandlerMap } from '../context.ts'
import { asApplication, type AsApplicationDeps } from './as-application.ts'
import type { SignIn } from './sign-in.ts'

export interface AccountTokenDeps extends AsApplicationDeps {
  readonly accounts: Pick<Accounts, 'childTokenIssued' | 'stateOf'>
  readonly tokenStore: Pick<TokenStore, 'list'>
  readonly signIn: SignIn
}

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
        const body = { parent_access_token: parent_token, child_application_id }
        const answer = (await asApplication(ENDPOINTS.REQUEST_CHILD_TOKEN, body, session, call, deps)) as TokenResponse
        const { access_token, token_type, expires_in, scope } = answer
        accounts.childTokenIssued(new Secret(access_token), await parentApplicationOf(parent_token, session, tokenStore))
        return { access_token, token_type, expires_in, scope }
      }),

    UPDATE_TOKEN: ({ access_token }, context) =>
      context.withDeadline(async (call) => {
        const { session } = context
        const signedIn = await signIn.withToken(access_token, session, call)
        return { ...signedIn, account_state: await accounts.stateOf(session.account(signedIn.user.id)) }
      }),
  } satisfies Partial<HandlerMap>
}
