/** Parses rate-limit headers and bodies of replies. Pure; limits are never assumed. */
import { boundedWaitMs } from '@sallyport/core/bounded-wait'
import { readPlatformError } from './platform-error.ts'
import type { HttpReply } from './forwarder-port.ts'

export interface RateReading {
  /** The platform's name for the bucket, without the major parameter. */
  readonly bucket?: string | undefined
  readonly window?: WindowReading | undefined
  /** Only on 429. */
  readonly refusal?: RateRefusal | undefined
}

export interface WindowReading {
  readonly limit: number
  readonly remaining: number
  readonly resetAfterMs: number
  /** End of the window in ms since the epoch. By the platform's clock if it sends one; then all replies of a window have the same value. */
  readonly endsAtMs: number
}

export interface RateRefusal {
  readonly retryAfterMs: number
  readonly scope: 'user' | 'shared' | 'global'
}

/** For a 429 without a time. */
const DEFAULT_RETRY_MS = 1000

export function readRateLimit(reply: HttpReply, now: number): RateReading {
  const bucket = header(reply, 'x-ratelimit-bucket')
  const window = readWindow(reply, now)
  const refusal = reply.status === 429 ? readRefusal(reply, now, window) : undefined
  return { bucket, window, refusal }
}

function readWindow(reply: HttpReply, now: number): WindowReading | undefined {
  const limit = numeric(reply, 'x-ratelimit-limit')
  const remaining = numeric(reply, 'x-ratelimit-remaining')
  if (limit === undefined || remaining === undefined) return undefined
  const endsAt = numeric(reply, 'x-ratelimit-reset')
  const after = numeric(reply, 'x-ratelimit-reset-after')
  // Reset-After needs no synchronized clocks, so it takes precedence over Reset.
  const headerMs = after !== undefined ? after * 1000 : endsAt !== undefined ? endsAt * 1000 - now : undefined
  if (headerMs === undefined) return undefined
  const resetAfterMs = boundedWaitMs(headerMs)
  return { limit: Math.max(1, limit), remaining, resetAfterMs, endsAtMs: endsAt === undefined ? now + resetAfterMs : endsAt * 1000 }
}

function readRefusal(reply: HttpReply, now: number, window: WindowReading | undefined): RateRefusal {
  const body = readPlatformError(reply.body)
  const scope = header(reply, 'x-ratelimit-scope')
  const isGlobal = scope === 'global' || header(reply, 'x-ratelimit-global') !== undefined || body?.isGlobal === true
  return {
    // The value in the body has decimals; the header is rounded.
    retryAfterMs: body?.retryAfterMs ?? retryAfterMs(reply, now) ?? window?.resetAfterMs ?? DEFAULT_RETRY_MS,
    scope: isGlobal ? 'global' : scope === 'shared' ? 'shared' : 'user',
  }
}

/** The `Retry-After` header (seconds or an HTTP date) in ms, bounded. */
export function retryAfterMs(reply: HttpReply, now: number): number | undefined {
  const seconds = numeric(reply, 'retry-after')
  if (seconds !== undefined) return boundedWaitMs(seconds * 1000)
  const date = Date.parse(header(reply, 'retry-after') ?? '')
  return Number.isNaN(date) ? undefined : boundedWaitMs(date - now)
}

function header(reply: HttpReply, name: string): string | undefined {
  const value = reply.headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

function numeric(reply: HttpReply, name: string): number | undefined {
  const text = header(reply, name)
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}
