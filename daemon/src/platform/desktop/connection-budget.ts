/**
 * How often an application connects to one server. The desktop client allows an application two connections a minute, and lets later ones wait;
 * so a client that closes them would keep the bridge, and the game, waiting. A server that starts again has another socket file, and allows them anew.
 */
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import type { SocketEndpoint } from '../../ipc/transport/dial.ts'

const WINDOW_MS = 60 * SECOND_MS
const MAX_CONNECTIONS = 2
/** Of applications; those that may connect anywhere are forgotten then. */
const MAX_APPLICATIONS = 1024

const serverOf = ({ path, file = '' }: SocketEndpoint): string => `${file} ${path}`

export class ConnectionBudget {
  readonly #clock: Pick<Clock, 'elapsed'>
  /** By application and server. */
  readonly #connectedAt = new Map<string, Map<string, readonly number[]>>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** False: the application may connect to each server now. */
  hasCounted(applicationId: string): boolean {
    return this.#connectedAt.has(applicationId)
  }

  /** Whether the application may connect to that server now. */
  allows(applicationId: string, endpoint: SocketEndpoint): boolean {
    return this.waitMs(applicationId, endpoint) === 0
  }

  /** Milliseconds until the application may connect to that server; 0: now. */
  waitMs(applicationId: string, endpoint: SocketEndpoint): number {
    const oldest = this.#recent(this.#connectedAt.get(applicationId)?.get(serverOf(endpoint))).at(-MAX_CONNECTIONS)
    return oldest === undefined ? 0 : oldest + WINDOW_MS - this.#clock.elapsed()
  }

  /** It has connected. */
  count(applicationId: string, endpoint: SocketEndpoint): void {
    if (this.#connectedAt.size >= MAX_APPLICATIONS) for (const one of this.#connectedAt.keys()) this.#forgetPast(one)
    else this.#forgetPast(applicationId)
    const server = serverOf(endpoint)
    const servers = this.#connectedAt.get(applicationId) ?? new Map<string, readonly number[]>()
    servers.set(server, [...this.#recent(servers.get(server)), this.#clock.elapsed()])
    this.#connectedAt.set(applicationId, servers)
  }

  #forgetPast(applicationId: string): void {
    const servers = this.#connectedAt.get(applicationId)
    if (servers === undefined) return
    for (const [server, times] of servers) if (this.#recent(times).length === 0) servers.delete(server)
    if (servers.size === 0) this.#connectedAt.delete(applicationId)
  }

  #recent(times: readonly number[] = []): readonly number[] {
    const windowStart = this.#clock.elapsed() - WINDOW_MS
    return times.filter((at) => at > windowStart)
  }
}
