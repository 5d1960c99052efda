/** The last requests, for display: method, path and status, without secrets. */
import { REQUEST_LOG_ENTRIES } from './constants.ts'

interface RequestEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly tookMs: number
  /** The id of a call of a game that the bridge made the request for. */
  readonly call?: string
}

/** Ids and names are shorter. A longer segment might be a token. */
const LONGEST_SEGMENT = 32

/** The path without its long segments. */
export const redactedPath = (path: string): string =>
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
    this.#entries.push({ ...entry, path: redactedPath(entry.path) })
    if (this.#entries.length > REQUEST_LOG_ENTRIES) this.#entries.shift()
  }

  /** Newest first. */
  recent(): readonly RequestEntry[] {
    return this.#entries.toReversed()
  }
}
