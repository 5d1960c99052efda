/**
 * How often an application connects to one server. The desktop client allows an application two connections a minute, and lets later ones wait;
 * so a client that closes them would keep the bridge, and the game, waiting. A server that starts again has another socket file, and allows them anew.
 */
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import type { SocketEndpoint } from '../../ipc/transport/dial.ts'

const WINDOW_MS = 60 * SECOND_MS
const MAX_CONNECTIONS = 2
/** Of applications and servers; expired ones are forgotten then. */
const MAX_KEYS = 1024

const keyOf = (applicationId: string, { path, file = '' }: SocketEndpoint): string => `${applicationId} ${file} ${path}`

export class ConnectionBudget {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #connectedAt = new Map<string, readonly number[]>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** Whether the application may connect to that server now. */
  allows(applicationId: string, endpoint: SocketEndpoint): boolean {
    return this.waitMs(applicationId, endpoint) === 0
  }

  /** Milliseconds until the application may connect to that server; 0: now. */
  waitMs(applicationId: string, endpoint: SocketEndpoint): number {
    const oldest = this.#recent(keyOf(applicationId, endpoint)).at(-MAX_CONNECTIONS)
    return oldest === undefined ? 0 : oldest + WINDOW_MS - this.#clock.elapsed()
  }

  /** It has connected. */
  count(applicationId: string, endpoint: SocketEndpoint): void {
    const key = keyOf(applicationId, endpoint)
    if (this.#connectedAt.size >= MAX_KEYS)
      for (const one of this.#connectedAt.keys()) if (this.#recent(one).length === 0) this.#connectedAt.delete(one)
    this.#connectedAt.set(key, [...this.#recent(key), this.#clock.elapsed()])
  }

  #recent(key: string): readonly number[] {
    const windowStart = this.#clock.elapsed() - WINDOW_MS
    return (this.#connectedAt.get(key) ?? []).filter((at) => at > windowStart)
  }
}
