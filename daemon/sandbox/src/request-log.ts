/** The last requests, for people to look at: method, path and status, nothing that could be secret. */
import { REQUEST_LOG_ENTRIES } from './constants.ts'

export interface RequestEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly tookMs: number
}

/** Ids and words of the interface are shorter; anything longer in a path might be a token that went astray. */
const LONGEST_SEGMENT = 32

/** The path with long segments left out. */
export const presentablePath = (path: string): string =>
  path
    .slice(0, 200)
    .split('/')
    .map((segment) => (segment.length > LONGEST_SEGMENT ? '…' : segment))
    .join('/')

export class RequestLog {
  readonly #entries: RequestEntry[] = []
  #total = 0

  /** Requests since the start. */
  get total(): number {
    return this.#total
  }

  add(entry: RequestEntry): void {
    this.#total += 1
    this.#entries.push({ ...entry, path: presentablePath(entry.path) })
    if (this.#entries.length > REQUEST_LOG_ENTRIES) this.#entries.shift()
  }

  /** Newest first. */
  recent(): readonly RequestEntry[] {
    return this.#entries.toReversed()
  }
}
