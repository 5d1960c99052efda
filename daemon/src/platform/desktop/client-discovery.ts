/**
 * Finds the platform's desktop client among the servers on the well-known sockets: the first that runs, is not another bridge, and uses the
 * same platform as this daemon. Other servers are remembered and skipped. Presence-only servers come last.
 */
import { fieldsOf } from '@sallyport/core/json-read'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Dialer, SocketEndpoint } from '../../ipc/transport/dial.ts'
import { ClientConnection } from './connection.ts'
import { ConnectionBudget } from './connection-budget.ts'
import { type PackagedClient, packagedClientAt, type SocketCandidates } from './socket-candidates.ts'
import { type Found, type FoundClient, type ConnectAttempt, type NotFound, type Ready, raceConnect, worstOf } from './connect-race.ts'

interface ClientDiscoveryDeps {
  readonly candidates: Pick<SocketCandidates, 'paths'>
  readonly dialer: Dialer
  readonly clock: Clock
  readonly log: Logger
  /** Addresses on which this daemon listens. */
  readonly ownAddresses: () => readonly string[]
  /** Whether the process may serve in the directory of a packaged client. */
  readonly isClient: (client: PackagedClient, pid: number | undefined) => boolean
  /** `api_endpoint` in READY of a client of this platform: `//host/path`, without version. */
  readonly apiEndpoint: string
}

interface FindOptions {
  /** A presence-only server is connected already. */
  readonly skipPresenceOnly?: boolean
  /** Cancels the discovery. */
  readonly signal?: CancelSignal
}

/** Timeout for READY. Longer at the last client's socket, because a client delays READY after many recent connections. */
const READY_MS = 5_000
const READY_REPEAT_MS = 60_000
/** Delay before the next attempt. Longer at the last client's socket, because other clients may have another signed-in user. */
const HEAD_START_MS = 500
const HEAD_START_REPEAT_MS = 5_000
/** Maximum remembered sockets; old entries are outdated anyway. */
const KNOWN_MAX = 64

const splitEndpoint = (endpoint: string): { host: string; path: string } => {
  const [host = '', ...path] = endpoint
    .toLowerCase()
    .replace(/^([a-z]+:)?\/\//, '')
    .replace(/(\/v\d+)?\/*$/, '')
    .split('/')
  return { host, path: path.join('/') }
}

/** The build of a client by its `api_endpoint`, such as `canary`; undefined for the usual one. */
export function buildOf(theirs: unknown, ours: string): string | undefined {
  const host = typeof theirs === 'string' ? splitEndpoint(theirs).host : ''
  const ending = `.${splitEndpoint(ours).host}`
  return host.endsWith(ending) ? host.slice(0, -ending.length) : undefined
}

/** Whether both are the same platform. Test builds of the client use a subdomain of the usual host. */
export function isSamePlatform(theirs: unknown, ours: string): boolean {
  if (typeof theirs !== 'string') return false
  const one = splitEndpoint(theirs)
  const other = splitEndpoint(ours)
  return one.path === other.path && (one.host === other.host || one.host.endsWith(`.${other.host}`))
}

/** Why the server that sent this READY is unsuitable; undefined if it is suitable. */
function incompatibility({ bridge, config }: Ready, apiEndpoint: string): string | undefined {
  if (fieldsOf(bridge)['name'] !== undefined) return 'another bridge'
  if (!isSamePlatform(fieldsOf(config)['api_endpoint'], apiEndpoint)) return 'a client of another platform'
  return undefined
}

const isSameEndpoint = (one: SocketEndpoint | undefined, other: SocketEndpoint): boolean =>
  one?.path === other.path && one.file === other.file

export class ClientDiscovery {
  readonly #deps: ClientDiscoveryDeps
  readonly #budget: ConnectionBudget
  /** Endpoint of the last client, so that all applications use the same client. */
  #last: SocketEndpoint | undefined
  /** Known kind of each socket, by path. A replaced socket is unknown again. */
  readonly #known = new Map<string, { readonly file: string; readonly kind: 'other' | 'presence-only' }>()

  constructor(deps: ClientDiscoveryDeps) {
    this.#deps = deps
    this.#budget = new ConnectionBudget(deps.clock)
  }

  /** Never rejects. */
  async find(applicationId: string, { skipPresenceOnly = false, signal }: FindOptions = {}): Promise<Found> {
    const all = this.#endpoints()
    const endpoints = all.filter((endpoint) => this.#budget.allows(applicationId, endpoint))
    const unknown = endpoints.filter((endpoint) => this.#knownOf(endpoint) === undefined)
    const presenceOnly = skipPresenceOnly ? [] : endpoints.filter((endpoint) => this.#knownOf(endpoint) === 'presence-only')
    const found = await raceConnect(
      this.#deps.clock,
      [...unknown, ...presenceOnly],
      (endpoint) => this.#attempt(endpoint, applicationId),
      signal,
    )
    // A server that may not be asked now has not said that it is none.
    return found === 'not-found' && endpoints.length < all.length ? 'timeout' : found
  }

  /**
   * Meets the clients at all other sockets: `onFound` gets each as soon as it is ready. Returns why others did not answer, of all the reason that is
   * most likely to change. Never rejects.
   */
  async findOthers(
    applicationId: string,
    isSkipped: (endpoint: SocketEndpoint) => boolean,
    onFound: (found: FoundClient) => void,
    signal: CancelSignal,
  ): Promise<NotFound> {
    const all = this.#endpoints().filter((endpoint) => this.#knownOf(endpoint) !== 'other' && !isSkipped(endpoint))
    const endpoints = all.filter((endpoint) => this.#budget.allows(applicationId, endpoint))
    const attempts = endpoints.map((endpoint) => this.#attempt(endpoint, applicationId, 'another'))
    const stop = { handleEvent: () => attempts.forEach((attempt) => attempt.cancel()) }
    signal.addEventListener('abort', stop)
    const outcomes = attempts.map(async ({ outcome }): Promise<NotFound> => {
      const found = await outcome
      if (typeof found !== 'object') return found
      if (signal.aborted) found.connection.close()
      else onFound(found)
      return 'not-found'
    })
    const worst = worstOf(await Promise.all(outcomes))
    signal.removeEventListener('abort', stop)
    // As in `find`: a server that may not be asked now has not said that it is none.
    return endpoints.length < all.length ? 'timeout' : worst
  }

  /** Milliseconds until the application may ask a server again that it may not ask now; Infinity: there is none. */
  waitMs(applicationId: string): number {
    // Spares the first call of each game a second look for sockets.
    if (!this.#budget.hasCounted(applicationId)) return Infinity
    const waits = this.#endpoints().map((endpoint) => this.#budget.waitMs(applicationId, endpoint))
    return Math.min(...waits.filter((ms) => ms > 0))
  }

  /** Records whether a server supports presence only. Pipes are not recorded, because a replaced pipe looks the same. */
  recordCapability({ path, file }: SocketEndpoint, isPresenceOnly: boolean): void {
    if (!isPresenceOnly) this.#known.delete(path)
    else if (file !== undefined) this.#remember(path, file, 'presence-only')
  }

  #remember(path: string, file: string, kind: 'other' | 'presence-only'): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(path, { file, kind })
  }

  #knownOf({ path, file }: SocketEndpoint): 'other' | 'presence-only' | undefined {
    const known = this.#known.get(path)
    return known !== undefined && known.file === file ? known.kind : undefined
  }

  #endpoints(): SocketEndpoint[] {
    const { candidates, dialer, ownAddresses } = this.#deps
    const own = new Set(ownAddresses())
    const paths = candidates.paths.filter((path) => !own.has(path))
    const last = this.#last?.path
    const ordered = last !== undefined && paths.includes(last) ? [last, ...paths] : paths
    return [...new Set(ordered)].flatMap((path) => dialer.endpointAt(path) ?? [])
  }

  /** `another`: it does not become the client that all applications use. */
  #attempt(endpoint: SocketEndpoint, applicationId: string, as: 'main' | 'another' = 'main'): ConnectAttempt {
    const { dialer, clock, log } = this.#deps
    let connection: ClientConnection | undefined
    let server: number | undefined
    let isCancelled = false
    const cancellation = Promise.withResolvers<Found>()
    const cancel = (): void => {
      isCancelled = true
      connection?.close()
      // Also during the system call, because opening a pipe may take long.
      cancellation.resolve('timeout')
    }
    const isPresenceOnly = this.#knownOf(endpoint) === 'presence-only'
    const isRepeat = isSameEndpoint(this.#last, endpoint)
    const cancelTimer = clock.after(isRepeat ? READY_REPEAT_MS : READY_MS, cancel)
    const connectAndEvaluate = async (): Promise<Found> => {
      try {
        await dialer.connect(endpoint, (channel) => {
          server = channel.peer.pid
          connection = new ClientConnection(channel, { applicationId, clock, isPresenceOnly })
          return connection
        })
      } catch {
        return 'refused'
      }
      if (connection === undefined) return 'refused'
      this.#budget.count(applicationId, endpoint)
      if (isCancelled) connection.close()
      try {
        const found = this.#evaluate(endpoint, connection, await connection.ready, server)
        if (as === 'main' && typeof found === 'object') this.#last = endpoint
        return found
      } catch (failure) {
        const { isRejected } = connection
        log.debug('desktop-client-unresponsive', { path: endpoint.path, reason: (failure as Error).message })
        return isRejected ? 'rejected' : 'timeout'
      }
    }
    const outcome = Promise.race([connectAndEvaluate(), cancellation.promise]).finally(cancelTimer)
    return { outcome, cancel, headStartMs: isRepeat ? HEAD_START_REPEAT_MS : HEAD_START_MS }
  }

  #evaluate(endpoint: SocketEndpoint, connection: ClientConnection, ready: Ready, server: number | undefined): Found {
    const { log, apiEndpoint, isClient } = this.#deps
    const packaged = packagedClientAt(endpoint.path)
    const isImpostor = packaged !== undefined && !isClient(packaged, server)
    const reason = isImpostor ? 'a contained program that is not the packaged client' : incompatibility(ready, apiEndpoint)
    if (reason === undefined) return { endpoint, connection, ready }
    connection.close()
    log.info('desktop-client-skipped', { path: endpoint.path, reason })
    if (endpoint.file !== undefined) this.#remember(endpoint.path, endpoint.file, 'other')
    return 'not-found'
  }
}
