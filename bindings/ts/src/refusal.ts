/** Which refused subscriptions are worth asking for again although nothing was changed on our side. */
import { CallError } from './errors.ts'

/** What is known of a refusal. */
interface Refused {
  readonly refusal: Error | undefined
  readonly wasInForce: boolean
}

/** Only signing in helps against these, and after that everything refused is asked for again. */
const NEEDS_SIGN_IN = new Set(['INVALID_PERMISSIONS', 'INVALID_TOKEN'])

/**
 * Whether the reason may pass by itself: the server said so, or did not answer; or it had said yes before, since a server that just came back
 * may not know everything yet, e.g. which guilds there are while the platform is away.
 */
export const mayPass = ({ refusal, wasInForce }: Refused): boolean =>
  !(refusal instanceof CallError) || refusal.retryable || (wasInForce && !NEEDS_SIGN_IN.has(refusal.name))
