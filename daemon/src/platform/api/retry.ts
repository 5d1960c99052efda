/** Whether and when a call is sent again: only as the row's idempotency allows, a few times, inside the deadline. Pure. */
import type { EndpointRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { HttpFailure } from './http-failure.ts'
import { retryAfterMs } from './rate-limit.ts'
import type { HttpReply } from './upstream.ts'

export type Attempt = { readonly kind: 'reply'; readonly reply: HttpReply } | { readonly kind: 'failure'; readonly failure: unknown }

/** All sendings of one call together. */
export const MAX_ATTEMPTS = 4
const FIRST_BACKOFF_MS = 200

const TRANSIENT_STATUSES = new Set([502, 503, 504])

const REPEATABLE: Record<EndpointRow['idempotency'], (args: Readonly<Record<string, unknown>>) => boolean> = {
  safe: () => true,
  natural: () => true,
  // With enforce_nonce the platform answers a repeat with the first result.
  keyed: (args) => args.nonce !== undefined && args.enforce_nonce === true,
  none: () => false,
}

/** Whether doing the call twice does no more than doing it once. */
export const isRepeatable = (row: EndpointRow, args: Readonly<Record<string, unknown>>): boolean => REPEATABLE[row.idempotency](args)

/**
 * ms to wait before the next sending; undefined when there is none.
 * `sendings` counts those that were made; `chance` is a number from 0 to 1 that spreads the callers.
 */
export function retryDelayMs(attempt: Attempt, repeatable: boolean, sendings: number, chance: number, now: number): number | undefined {
  if (sendings >= MAX_ATTEMPTS) return undefined
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (sendings - 1) * (0.5 + chance / 2)
  if (attempt.kind === 'failure') return isWorthRepeating(attempt.failure, repeatable) ? backoffMs : undefined
  // Refused before anything was done; the bucket knows how long to wait.
  if (attempt.reply.status === 429) return 0
  if (!repeatable || !TRANSIENT_STATUSES.has(attempt.reply.status)) return undefined
  return Math.max(backoffMs, retryAfterMs(attempt.reply, now) ?? 0)
}

function isWorthRepeating(failure: unknown, repeatable: boolean): boolean {
  if (!(failure instanceof HttpFailure)) return repeatable
  if (failure.kind === 'too-large' || failure.kind === 'aborted') return false
  // The body broke off for a reason of our own, such as a file that is gone: it would do so again.
  if (failure.cause instanceof BridgeError) return false
  return repeatable || !failure.sent
}
