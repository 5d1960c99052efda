/** AUTHENTICATE: with a token from the game, or with a stored token. */
import { BridgeError } from '@sallyport/core/errors'
import type { Handler } from '../context.ts'
import { signInWithToken } from './authorization.ts'
import { signInSilently } from './silent-sign-in.ts'

export const authenticate: Handler<'AUTHENTICATE'> = ({ access_token: given, user_id: userId }, context) => {
  if (given != null) return context.withDeadline((call) => signInWithToken(given, context, call))
  if (context.session.connection.peer.trust !== 'origin') return signInSilently(context, userId ?? undefined)
  // Stored tokens are for programs, which the kernel identifies. A page has no such identity.
  throw new BridgeError('INVALID_TOKEN', 'A page in a browser signs in with a token of its own; give it as access_token.')
}
