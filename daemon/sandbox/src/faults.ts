/** Faults on demand: the requests to fail, and how. Without a status the operation runs, and the fault changes only its reply. */
import type { SandboxReply } from './http/exchange.ts'
import { matchTemplate } from './http/router.ts'
import { rateLimitedBody } from './rate-limits.ts'

interface Fault {
  readonly match: {
    readonly method?: string | undefined
    /** A template when it has `{parameters}`, else a prefix; below the API base or as sent. */
    readonly path?: string | undefined
  }
  /** Requests it applies to. */
  readonly times: number
  readonly latencyMs: number
  /** The status of the reply. The operation does not run. */
  readonly status?: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The body as it is, even when it is not JSON. */
  readonly body?: string | undefined
  /** The connection ends before, or half-way through, the reply. */
  readonly drop?: 'before-reply' | 'mid-reply' | undefined
}

const matchesPath = (pattern: string, path: string): boolean =>
  pattern.includes('{') ? matchTemplate(pattern.split('/'), path.split('/')) !== undefined : path.startsWith(pattern)

export class Faults {
  #waiting: readonly Fault[] = []

  get waiting(): readonly Fault[] {
    return this.#waiting
  }

  add(fault: Fault): void {
    this.#waiting = [...this.#waiting, fault]
  }

  clear(): void {
    this.#waiting = []
  }

  /** Returns the oldest fault for this request and counts it. `paths` are the alternative forms of the request's path. */
  take(method: string, paths: readonly string[]): Fault | undefined {
    const found = this.#waiting.find(({ match }) => {
      const { path } = match
      return (match.method ?? method) === method && (path === undefined || paths.some((one) => matchesPath(path, one)))
    })
    if (found === undefined) return undefined
    const rest = found.times > 1 ? [{ ...found, times: found.times - 1 }] : []
    this.#waiting = this.#waiting.flatMap((fault) => (fault === found ? rest : [fault]))
    return found
  }
}

/** The body of a fault that gives none: for 429 as the platform's rate limits answer, because clients read the wait from it. */
function bodyOf(status: number, { headers }: Fault): object {
  if (status !== 429) return { message: `${status}: fault on demand`, code: 0 }
  const wait = Number(headers['retry-after'] ?? 1)
  return rateLimitedBody(Number.isFinite(wait) ? wait : 1, headers['x-ratelimit-global'] === 'true')
}

/** Applies a fault to a reply. `real` is undefined when the operation did not run. */
export function applyFault(fault: Fault, real: SandboxReply | undefined): SandboxReply {
  const status = fault.status ?? real?.status ?? 500
  const defaultBody = real === undefined ? JSON.stringify(bodyOf(status, fault)) : real.body
  return {
    status,
    headers: { 'content-type': 'application/json', ...real?.headers, ...fault.headers },
    body: fault.body ?? defaultBody,
  }
}
