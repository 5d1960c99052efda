/** Decides whether and when to retry a call: only if the row's idempotency allows it, a few times, within the deadline. Pure. */
import { jitteredBackoffMs } from '@sallyport/core/backoff'
import type { EndpointRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { HttpFailure } from './http-failure.ts'
import { retryAfterMs } from './rate-limit.ts'
import type { HttpReply } from './forwarder-port.ts'

export type Attempt = { readonly kind: 'reply'; readonly reply: HttpReply } | { readonly kind: 'failure'; readonly failure: unknown }

/** Maximum attempts per call. */
const MAX_ATTEMPTS = 4
const BACKOFF = { firstMs: 200, maxMs: 60_000 }

const TRANSIENT_STATUSES = new Set([502, 503, 504])

const REPEATABLE: Record<EndpointRow['idempotency'], (args: Readonly<Record<string, unknown>>) => boolean> = {
  safe: () => true,
  natural: () => true,
  // With enforce_nonce the platform returns the first result for a repeat.
  keyed: (args) => args.nonce !== undefined && args.enforce_nonce === true,
  none: () => false,
}

/** Whether the call is idempotent. */
export const isRepeatable = (row: EndpointRow, args: Readonly<Record<string, unknown>>): boolean => REPEATABLE[row.idempotency](args)

/**
 * ms until the next attempt; undefined if there is none.
 * `attempts` counts the attempts so far; `jitter` is a number from 0 to 1.
 */
export function retryDelayMs(attempt: Attempt, repeatable: boolean, attempts: number, jitter: number, now: number): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined
  const delayMs = jitteredBackoffMs(attempts, BACKOFF, jitter)
  if (attempt.kind === 'failure') return isWorthRepeating(attempt.failure, repeatable) ? delayMs : undefined
  // Rejected before it took effect; the bucket controls the wait.
  if (attempt.reply.status === 429) return 0
  if (!repeatable || !TRANSIENT_STATUSES.has(attempt.reply.status)) return undefined
  return Math.max(delayMs, retryAfterMs(attempt.reply, now) ?? 0)
}

function isWorthRepeating(failure: unknown, repeatable: boolean): boolean {
  if (!(failure instanceof HttpFailure)) return repeatable
  if (failure.kind === 'too-large' || failure.kind === 'aborted') return false
  // The bridge aborted the body, for example because a file is missing. A retry would fail again.
  if (failure.cause instanceof BridgeError) return false
  return repeatable || !failure.sent
}
