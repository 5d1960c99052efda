/**
 * The HTTP server of the metrics, on the loopback interface only, loaded when its port is set. Prometheus runs as another user, so every program
 * of this machine may read it; pages of browsers may not.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { BridgeMetrics } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { HeldPort } from '@sallyport/core/net/held-port'
import { LoopbackServer } from '../../loopback/loopback-server.ts'
import { ownHosts } from '../../loopback/own-host.ts'
import { CONTENT_TYPE, prometheusText } from './text.ts'

interface MetricsServerOptions {
  readonly held: HeldPort
  readonly clock: Clock
  readonly log: Logger
  readonly read: () => Promise<BridgeMetrics>
}

/** Time to send a request, and to take the response. */
const REQUEST_TIMEOUT_MS = 10_000
const PLAIN = 'text/plain; charset=utf-8'

interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const plain = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({ status, type: PLAIN, body: `${body}\n`, headers })

/** A browser sends Origin with requests of other sites, except for those that a page only embeds, which it cannot read. */
const isForeign = ({ host, origin }: IncomingHttpHeaders, hosts: ReadonlySet<string>): boolean =>
  origin !== undefined || host === undefined || !hosts.has(host.toLowerCase())

async function replyTo({ method, url = '', headers }: IncomingMessage, { held, log, read }: MetricsServerOptions): Promise<Reply> {
  if (isForeign(headers, ownHosts(held.port)))
    return plain(403, `Pages may not read this. Ask http://127.0.0.1:${held.port}/metrics from a program.`)
  if (url.split('?')[0] !== '/metrics') return plain(404, 'The metrics are at /metrics.')
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Use GET.', { Allow: 'GET, HEAD' })
  try {
    return { status: 200, type: CONTENT_TYPE, body: prometheusText(await read()) }
  } catch (err) {
    log.error('metrics-failed', { err })
    return plain(500, 'Sallyport could not read its metrics; its log has the reason.')
  }
}

/** Serves a port. Returns what closes it. */
export function serveMetrics(options: MetricsServerOptions): Closer {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    server.disarmTimeout(socket)
    // Request bodies are ignored.
    request.resume()
    void replyTo(request, options).then(({ status, type, body, headers }) => {
      server.armTimeout(socket)
      const fixed = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
      response.writeHead(status, { ...fixed, ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
      response.end(request.method === 'HEAD' ? undefined : body)
    })
  }
  const server = new LoopbackServer({ clock: options.clock, peerTimeoutMs: REQUEST_TIMEOUT_MS, onRequest })
  server.serve(options.held)
  return server.close
}
