/**
 * Connection pools for requests: direct or via a proxy. Only this file loads undici. Direct requests need one part of it (undici-parts.d.ts): its
 * index also loads fetch, websockets, caches and mocks, which makes the first request a quarter dearer.
 */
import type { SecureContext } from 'node:tls'
import { LIMITS } from '@sallyport/protocol'
import type { Dispatcher } from 'undici'
import { isOnThisMachine } from '@sallyport/core/loopback'
import type { Secret } from '@sallyport/core/secret'

/** Proxy and certificate options. Default: direct connections with Node's certificates. */
export interface NetworkOptions {
  readonly proxies?: {
    readonly http: Secret<string> | undefined
    readonly https: Secret<string> | undefined
    /** In the format of NO_PROXY. */
    readonly except: string
  }
  /** Trusted PEM certificates in addition to Node's own and NODE_EXTRA_CA_CERTS. */
  readonly certificates?: readonly string[]
}

export interface Dispatchers {
  /** For requests to `scheme://host:port`. */
  to(origin: string): Dispatcher
  /** Aborts requests in flight. */
  destroy(): Promise<void>
}

/** Connections per origin; further requests wait in the pool. */
const CONNECTIONS = 64
const CONNECT_TIMEOUT_MS = 10_000
/** Idle time of a kept-alive connection; a hint from the server overrides it. */
const KEEP_ALIVE_MS = 15_000

export async function openDispatchers({ proxies, certificates }: NetworkOptions): Promise<Dispatchers> {
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js')
  const tls = certificates === undefined ? {} : { secureContext: await contextTrusting(certificates) }
  const options = {
    connections: CONNECTIONS,
    // Explicit, so that no environment variable disables the check.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true, ...tls },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The signal enforces the deadline of each call; these are a fallback.
    headersTimeout: LIMITS.maxDeadlineMs.value,
    bodyTimeout: LIMITS.maxDeadlineMs.value,
    // One multiplexed connection would let one slow reply delay the others and make `sent` unknowable.
    allowH2: false,
  }
  const proxied =
    proxies === undefined || (proxies.http ?? proxies.https) === undefined
      ? undefined
      : // Its tunnels need the whole of undici, whose index completes the dispatchers.
        new (await import('undici')).default.EnvHttpProxyAgent({
          ...options,
          // Never undefined, because the agent would then read the environment.
          httpProxy: proxies.http?.reveal() ?? '',
          httpsProxy: proxies.https?.reveal() ?? '',
          noProxy: proxies.except,
          requestTls: options.connect,
          proxyTls: options.connect,
        })
  // Few: the API, the token endpoint, an identity provider.
  const known = new Map<string, Dispatcher>()
  return {
    to(origin) {
      const found = known.get(origin)
      if (found !== undefined) return found
      const isLocal = isOnThisMachine(new URL(origin).hostname)
      const chosen = proxied === undefined || isLocal ? new Pool(origin, options) : proxied
      known.set(origin, chosen)
      return chosen
    },
    async destroy() {
      // The proxy agent may be listed more than once.
      await Promise.all([...new Set(known.values())].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

/** Created once, because parsing some hundred certificates takes longer than a handshake. */
async function contextTrusting(certificates: readonly string[]): Promise<SecureContext> {
  const { createSecureContext, getCACertificates } = await import('node:tls')
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}
