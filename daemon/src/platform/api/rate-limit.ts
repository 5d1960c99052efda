/** What a reply says about rate limits. Pure; limits are never assumed, only read. */
import { boundedWaitMs } from '@sallyport/core/bounded-wait'
import { readPlatformError } from './platform-error.ts'
import type { HttpReply } from './upstream.ts'

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
  /** When the window ends by the time of day (ms); by the platform's own when it says so: the same number on every reply of one window. */
  readonly endsAtMs: number
}

export interface RateRefusal {
  readonly retryAfterMs: number
  readonly scope: 'user' | 'shared' | 'global'
}

/** When a 429 gives no time at all. */
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
  // Reset-After needs no agreement of clocks, so it is believed before Reset.
  const askedMs = after !== undefined ? after * 1000 : endsAt !== undefined ? endsAt * 1000 - now : undefined
  if (askedMs === undefined) return undefined
  const resetAfterMs = boundedWaitMs(askedMs)
  return { limit: Math.max(1, limit), remaining, resetAfterMs, endsAtMs: endsAt === undefined ? now + resetAfterMs : endsAt * 1000 }
}

function readRefusal(reply: HttpReply, now: number, window: WindowReading | undefined): RateRefusal {
  const said = readPlatformError(reply.body)
  const scope = header(reply, 'x-ratelimit-scope')
  const isGlobal = scope === 'global' || header(reply, 'x-ratelimit-global') !== undefined || said?.isGlobal === true
  return {
    // The body's number has decimals; the header is rounded.
    retryAfterMs: said?.retryAfterMs ?? retryAfterMs(reply, now) ?? window?.resetAfterMs ?? DEFAULT_RETRY_MS,
    scope: isGlobal ? 'global' : scope === 'shared' ? 'shared' : 'user',
  }
}

/** The `Retry-After` header in ms, within bounds: seconds, or an HTTP date. */
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
