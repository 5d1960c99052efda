/** Rate limits as the platform applies them: per bucket, major parameter and credential; sent in headers, and as a 429 when exceeded. */
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import { DEFAULT_LIMIT } from './constants.ts'
import { reply, type SandboxReply } from './http/exchange.ts'
import { approvalLimit, bucketLimit, GLOBAL_LIMIT } from './strict/limit-table.ts'
import type { StrictRuleName } from './strict/rules.ts'
import type { Strictness } from './strict/strictness.ts'

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
  /** The caller's application; undefined without a valid token. */
  readonly application?: string | undefined
  /** The platform approved the application. */
  readonly isApproved?: boolean | undefined
}

/** A limit that counts a request. */
interface CountedLimit {
  /** The name of its window. */
  readonly key: string
  readonly scope: LimitScope
  readonly limit: number
  readonly windowMs: number
  /** Of a limit of the table; undefined for a configured one. */
  readonly rule?: StrictRuleName
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
const limitText = ({ method, path }: RateLimitKey, { limit, windowMs }: CountedLimit): string =>
  `${method} ${path}, ${limit} in ${windowMs / 1000} s`
const seconds = (ms: number): string => (Math.max(ms, 1) / 1000).toFixed(3)

export class RateLimits {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  readonly #buckets = new Map<string, string>()
  readonly #strictness: Pick<Strictness, 'isStrict' | 'holds'>
  #rules: readonly LimitRule[] = []
  /** Whether the limits of the table count. */
  #hasTable = true

  constructor(clock: Clock, strictness: Pick<Strictness, 'isStrict' | 'holds'>) {
    this.#clock = clock
    this.#strictness = strictness
  }

  get hasTable(): boolean {
    return this.#hasTable
  }

  /** Whether the limits of the table count from now on. Resets all counters. */
  useTable(isUsed: boolean): void {
    this.#hasTable = isUsed
    this.#windows.clear()
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

  /** Removes the configured rules, and resets all counters. */
  clear(): void {
    this.#rules = []
    this.useTable(true)
  }

  /** Counts one request and returns its headers, or the refusal of the first limit that it exceeds. */
  consume(request: RateLimitKey): Verdict {
    const now = this.#clock.now()
    let headers: Readonly<Record<string, string>> = {}
    for (const counted of this.#limitsOf(request)) {
      const { scope, limit, rule } = counted
      const window = this.#window(counted, now)
      window.used += 1
      // The limits of the table are no limits in the relaxed sandbox.
      const isShown = rule === undefined || this.#strictness.isStrict
      headers = scope === 'global' ? {} : this.#headers(request, isShown ? limit : DEFAULT_LIMIT.limit, window, now)
      if (window.used <= limit) continue
      if (rule === undefined || this.#strictness.holds(rule, request.application ?? '', limitText(request, counted)))
        return { headers, refusal: refusal(scope === 'global' ? { 'x-ratelimit-global': 'true' } : headers, scope, window.endsAt - now) }
    }
    return { headers }
  }

  /** The limits that count the request; its bucket is the last. A configured rule replaces the limit of the table. */
  #limitsOf(request: RateLimitKey): readonly CountedLimit[] {
    const { method, path, caller, application, isApproved = false } = request
    const route = `${method} ${path}`
    const matches = (rule: LimitRule) => (rule.method ?? method) === method && (rule.path ?? path) === path
    const global = this.#rules.find((rule) => rule.scope === 'global')
    const own = this.#rules.find((rule) => rule.scope !== 'global' && matches(rule))
    const approval = this.#hasTable && application !== undefined && !isApproved ? approvalLimit(route) : undefined
    const bucketOf = (one: string): string => `${route}|${request.major}|${one}`
    const bucket = own ?? (this.#hasTable ? { ...bucketLimit(route), rule: 'rate-limit-bucket' as const } : DEFAULT_LIMIT)
    return [
      ...(global === undefined ? [] : [{ ...global, key: `global|${caller}` }]),
      ...(global === undefined && this.#hasTable
        ? [{ ...GLOBAL_LIMIT, scope: 'global' as const, key: `global|${caller}`, rule: 'rate-limit-global' as const }]
        : []),
      ...(approval === undefined
        ? []
        : [{ ...approval, scope: 'user' as const, key: `approval|${route}|${application}`, rule: 'rate-limit-approval' as const }]),
      { scope: 'user', ...bucket, key: bucketOf(own?.scope === 'shared' ? '' : caller) },
    ]
  }

  #headers({ method, path }: RateLimitKey, limit: number, { used, endsAt }: Window, now: number): Readonly<Record<string, string>> {
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(limit - used, 0)),
      'x-ratelimit-reset': (endsAt / 1000).toFixed(3),
      'x-ratelimit-reset-after': seconds(endsAt - now),
      'x-ratelimit-bucket': this.#bucket(`${method} ${path}`),
    }
  }

  #window({ key, windowMs }: Pick<CountedLimit, 'key' | 'windowMs'>, now: number): Window {
    const current = this.#windows.get(key)
    if (current !== undefined && current.endsAt > now) return current
    if (this.#windows.size >= SWEEP_AT) for (const [name, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(name)
    const fresh = { used: 0, endsAt: now + windowMs }
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

/** The body of a refusal by a rate limit. `retryAfter` is in seconds. */
export const rateLimitedBody = (retryAfter: number, isGlobal: boolean) =>
  ({ message: 'You are being rate limited.', code: 0, retry_after: retryAfter, global: isGlobal }) as const

function refusal(headers: Readonly<Record<string, string>>, scope: LimitScope, waitMs: number): SandboxReply {
  return reply.json(429, rateLimitedBody(Number(seconds(waitMs)), scope === 'global'), {
    ...headers,
    'x-ratelimit-scope': scope,
    'retry-after': String(Math.ceil(Math.max(waitMs, 1) / 1000)),
  })
}
