/** Rate limits as the platform applies them: per bucket, major parameter and credential; sent in headers, and as a 429 when exceeded. */
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import { DEFAULT_LIMIT } from './constants.ts'
import { reply, type SandboxReply } from './http/exchange.ts'

/** `shared` counts all callers together; `global` counts one caller over all routes. */
type LimitScope = 'user' | 'shared' | 'global'

interface LimitRule {
  /** Undefined: every method. */
  readonly method?: string | undefined
  /** Route template below the API base; undefined: every route. */
  readonly path?: string | undefined
  readonly scope: LimitScope
  readonly limit: number
  readonly windowMs: number
}

interface RateLimitKey {
  readonly method: string
  /** Route template. */
  readonly path: string
  /** Value of the major parameter, or empty. */
  readonly major: string
  /** The caller that the request counts for; never a token. */
  readonly caller: string
}

export interface Verdict {
  readonly headers: Readonly<Record<string, string>>
  /** The reply instead of the operation's, when the limit is exceeded. */
  readonly refusal?: SandboxReply
}

interface Window {
  used: number
  readonly endsAt: number
}

/** Expired windows are deleted above this number, so that callers cannot fill the memory. */
const SWEEP_AT = 2_000

const bucketName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
const seconds = (ms: number): string => (Math.max(ms, 1) / 1000).toFixed(3)

export class RateLimits {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  readonly #buckets = new Map<string, string>()
  #rules: readonly LimitRule[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The configured rules, newest first. */
  get rules(): readonly LimitRule[] {
    return this.#rules
  }

  /** Sets a rule. It replaces one for the same requests and scope, and resets all counters. */
  set(rule: LimitRule): void {
    const same = (other: LimitRule) => other.method === rule.method && other.path === rule.path && other.scope === rule.scope
    this.#rules = [rule, ...this.#rules.filter((other) => !same(other))]
    this.#windows.clear()
  }

  clear(): void {
    this.#rules = []
    this.#windows.clear()
  }

  /** Counts one request and returns its headers, or the refusal. */
  consume(request: RateLimitKey): Verdict {
    const now = this.#clock.now()
    const matches = (rule: LimitRule) => (rule.method ?? request.method) === request.method && (rule.path ?? request.path) === request.path
    const global = this.#rules.find((rule) => rule.scope === 'global')
    if (global !== undefined) {
      const window = this.#window(`global|${request.caller}`, global, now)
      window.used += 1
      if (window.used > global.limit)
        return { headers: {}, refusal: refusal({ 'x-ratelimit-global': 'true' }, 'global', window.endsAt - now) }
    }
    const rule = this.#rules.find((one) => one.scope !== 'global' && matches(one)) ?? { ...DEFAULT_LIMIT, scope: 'user' as const }
    const caller = rule.scope === 'shared' ? '' : request.caller
    const window = this.#window(`${request.method} ${request.path}|${request.major}|${caller}`, rule, now)
    window.used += 1
    const headers = {
      'x-ratelimit-limit': String(rule.limit),
      'x-ratelimit-remaining': String(Math.max(rule.limit - window.used, 0)),
      'x-ratelimit-reset': (window.endsAt / 1000).toFixed(3),
      'x-ratelimit-reset-after': seconds(window.endsAt - now),
      'x-ratelimit-bucket': this.#bucket(`${request.method} ${request.path}`),
    }
    return window.used > rule.limit ? { headers, refusal: refusal(headers, rule.scope, window.endsAt - now) } : { headers }
  }

  #window(key: string, rule: { readonly windowMs: number }, now: number): Window {
    const current = this.#windows.get(key)
    if (current !== undefined && current.endsAt > now) return current
    if (this.#windows.size >= SWEEP_AT) for (const [name, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(name)
    const fresh = { used: 0, endsAt: now + rule.windowMs }
    this.#windows.set(key, fresh)
    return fresh
  }

  /** Bucket names by route. */
  #bucket(route: string): string {
    const known = this.#buckets.get(route)
    if (known !== undefined) return known
    const name = bucketName(route)
    this.#buckets.set(route, name)
    return name
  }
}

function refusal(headers: Readonly<Record<string, string>>, scope: LimitScope, waitMs: number): SandboxReply {
  return reply.json(
    429,
    { message: 'You are being rate limited.', code: 0, retry_after: Number(seconds(waitMs)), global: scope === 'global' },
    { ...headers, 'x-ratelimit-scope': scope, 'retry-after': String(Math.ceil(Math.max(waitMs, 1) / 1000)) },
  )
}
