/** AUTHENTICATE: with a token that the game brings, or with what the daemon keeps. */
import { BridgeError } from '@sallyport/core/errors'
import type { Handler } from '../context.ts'
import { bindGiven } from './authorization.ts'
import { signInSilently } from './silent-sign-in.ts'

export const authenticate: Handler<'AUTHENTICATE'> = ({ access_token: given, user_id: userId }, context) => {
  if (given != null) return context.wait((call) => bindGiven(given, context, call))
  if (context.caller.channel.peer.trust !== 'origin') return signInSilently(context, userId ?? undefined)
  // What is kept here is for programs: the kernel says which one asks, and nobody says so of a page.
  throw new BridgeError('INVALID_TOKEN', 'A page in a browser signs in with a token of its own; give it as access_token.')
}
