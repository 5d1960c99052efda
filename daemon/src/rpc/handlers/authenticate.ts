/** AUTHENTICATE: with a token from the game, or with a stored token. */
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext, HandlerMap } from '../context.ts'
import type { AuthorizeDeps } from './authorize.ts'
import { heldToken, heldUserOf } from './held-sign-ins.ts'
import { type SignInWithConsentDeps, signInWithConsent } from './sign-in-with-consent.ts'

/** Programs send the token that they stored, also when they have none, and AUTHORIZE after this error. */
const emptyToken = (): BridgeError =>
  new BridgeError('INVALID_TOKEN', 'The access_token is empty; sign in with AUTHORIZE and GET_TOKEN, or leave access_token out.')

/** A program that is identified as when it got the held token needs no prompt. */
export async function signInAsHeld(context: CallContext, userId: string, deps: SignInWithConsentDeps) {
  const bound = await signInWithConsent(context, userId, deps)
  return { ...bound, access_token: heldToken(userId) }
}

export const authenticateHandlers = (deps: SignInWithConsentDeps & Pick<AuthorizeDeps, 'prepareHttp'>) =>
  ({
    AUTHENTICATE: ({ access_token: given, user_id: userId }, context) => {
      const { session } = context
      deps.prepareHttp()
      if (given === null || given === '') throw emptyToken()
      const heldUser = given === undefined ? undefined : heldUserOf(given)
      if (heldUser !== undefined && session.connection.peer.trust !== 'origin') return signInAsHeld(context, heldUser, deps)
      if (given !== undefined) return context.withDeadline((call) => deps.signIn.withToken(given, session, call))
      if (session.connection.peer.trust !== 'origin') return signInWithConsent(context, userId ?? undefined, deps)
      // Stored tokens are for programs, which the kernel identifies. A page has no such identity.
      throw new BridgeError('INVALID_TOKEN', 'A page in a browser signs in with a token of its own; give it as access_token.')
    },
  }) satisfies Partial<HandlerMap>
