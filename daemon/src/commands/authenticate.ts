/** AUTHENTICATE: with a token that the game brings, or with what the daemon keeps. */
import type { Handler } from '../dispatch/context.ts'
import { bindGiven } from './authorization.ts'
import { signInSilently } from './silent-sign-in.ts'

export const authenticate: Handler<'AUTHENTICATE'> = ({ access_token: given }, context) =>
  given == null ? signInSilently(context) : context.wait((call) => bindGiven(given, context, call))
