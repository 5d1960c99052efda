/** Which connections a request takes: direct ones, or those through a proxy. With http.ts the only file that knows undici, which it loads. */
import type { SecureContext } from 'node:tls'
import { LIMITS } from '@sallyport/protocol'
import type { Dispatcher } from 'undici'
import { isOnThisMachine } from '@sallyport/core/loopback'
import type { Secret } from '@sallyport/core/secret'

/** How requests leave this machine; nothing given: directly, trusting whom Node trusts. */
export interface Egress {
  readonly proxies?: {
    readonly http: Secret<string> | undefined
    readonly https: Secret<string> | undefined
    /** As NO_PROXY has it. */
    readonly except: string
  }
  /** PEM certificates that are trusted besides Node's own and those of NODE_EXTRA_CA_CERTS. */
  readonly certificates?: readonly string[]
}

export interface Dispatchers {
  /** For requests to `scheme://host:port`. */
  to(origin: string): Dispatcher
  /** Breaks what is under way. */
  destroy(): Promise<void>
}

/** Connections to one origin; what exceeds them waits inside the pool. */
const CONNECTIONS = 64
const CONNECT_TIMEOUT_MS = 10_000
/** How long an unused connection is kept; the server's own hint replaces it. */
const KEEP_ALIVE_MS = 15_000

export async function openDispatchers({ proxies, certificates }: Egress): Promise<Dispatchers> {
  const { EnvHttpProxyAgent, Pool } = await import('undici')
  const tls = certificates === undefined ? {} : { secureContext: await trusting(certificates) }
  const options = {
    connections: CONNECTIONS,
    // Said, so that no variable of the environment switches the check off.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true, ...tls },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The signal carries each call's deadline; these only bound what a lost signal would leave behind.
    headersTimeout: LIMITS.maxDeadlineMs.value,
    bodyTimeout: LIMITS.maxDeadlineMs.value,
    // One multiplexed connection would let one slow reply delay the others and make `sent` unknowable.
    allowH2: false,
  }
  const proxied =
    proxies === undefined || (proxies.http ?? proxies.https) === undefined
      ? undefined
      : new EnvHttpProxyAgent({
          ...options,
          // Never undefined: the agent would read the environment for itself.
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
      // A proxied one may stand there more than once.
      await Promise.all([...new Set(known.values())].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

/** Made once: reading some hundred certificates takes longer than a handshake. */
async function trusting(certificates: readonly string[]): Promise<SecureContext> {
  const { createSecureContext, getCACertificates } = await import('node:tls')
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}
