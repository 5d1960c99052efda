/** Faults on demand: which request is to go wrong, and how. A fault without a status lets the operation happen and spoils only what follows. */
import type { SandboxReply } from './http/exchange.ts'
import { matchTemplate } from './http/router.ts'

export interface Fault {
  readonly match: {
    readonly method?: string | undefined
    /** A template when it has `{parameters}`, else a prefix; below the API base or as sent. */
    readonly path?: string | undefined
  }
  /** Requests it applies to. */
  readonly times: number
  readonly latencyMs: number
  /** Answered in place of the operation, which then does not happen. */
  readonly status?: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Sent as it is, even when it is not JSON. */
  readonly body?: string | undefined
  /** The connection ends before, or half-way through, the reply. */
  readonly drop?: 'before-reply' | 'mid-reply' | undefined
}

const matchesPath = (wanted: string, path: string): boolean =>
  wanted.includes('{') ? matchTemplate(wanted.split('/'), path.split('/')) !== undefined : path.startsWith(wanted)

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

  /** The oldest fault for this request, counted as used. `paths` are the ways to name the request's path. */
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

/** What a fault makes of a reply. `real` is undefined when the operation was not carried out. */
export function spoiled(fault: Fault, real: SandboxReply | undefined): SandboxReply {
  const status = fault.status ?? real?.status ?? 500
  const standIn = real === undefined ? JSON.stringify({ message: `${status}: fault on demand`, code: 0 }) : real.body
  return {
    status,
    headers: { 'content-type': 'application/json', ...real?.headers, ...fault.headers },
    body: fault.body ?? standIn,
  }
}
