/** Which refused subscriptions the client retries without a change on its side. */
import { CallError } from './errors.ts'

interface RefusedSubscription {
  readonly error: Error | undefined
  readonly wasActive: boolean
}

/** Only a sign-in resolves these, and after a sign-in the client retries every refused subscription. */
const NEEDS_SIGN_IN = new Set(['INVALID_PERMISSIONS', 'INVALID_TOKEN'])

/**
 * Whether the error may be transient: the server marked it retryable or did not respond, or the subscription was active before. A restarted
 * server may not know everything yet, e.g. the guilds while the platform is unreachable.
 */
export const isTransient = ({ error, wasActive }: RefusedSubscription): boolean =>
  !(error instanceof CallError) || error.retryable || (wasActive && !NEEDS_SIGN_IN.has(error.errorName))
