/** AUTHENTICATE: with a token from the game, or with a stored token. */
import { BridgeError } from '@sallyport/core/errors'
import type { HandlerMap } from '../context.ts'
import type { AuthorizeDeps } from './authorize.ts'
import { type SignInWithConsentDeps, signInWithConsent } from './sign-in-with-consent.ts'

export const authenticateHandlers = (deps: SignInWithConsentDeps & Pick<AuthorizeDeps, 'prepareHttp'>) =>
  ({
    AUTHENTICATE: ({ access_token: given, user_id: userId }, context) => {
      const { session } = context
      deps.prepareHttp()
      if (given != null) return context.withDeadline((call) => deps.signIn.withToken(given, session, call))
      if (session.connection.peer.trust !== 'origin') return signInWithConsent(context, userId ?? undefined, deps)
      // Stored tokens are for programs, which the kernel identifies. A page has no such identity.
      throw new BridgeError('INVALID_TOKEN', 'A page in a browser signs in with a token of its own; give it as access_token.')
    },
  }) satisfies Partial<HandlerMap>
