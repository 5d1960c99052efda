/** The dashboard's HTTP server: the page, the state, its changes and the actions, on the loopback interface only. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import { BridgeError } from '@sallyport/core/errors'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { Secret } from '@sallyport/core/secret'
import { LoopbackServer } from '../../loopback/loopback-server.ts'
import { readJson } from './request-body.ts'
import { createRequestGuard, type Verdict } from './request-guard.ts'
import { type Answer, type DashboardParts, type Exchange, plain, type Reply, routeOf } from './routes.ts'
import { StateStreams } from './state-stream.ts'
import { TraceStreams } from './trace-streams.ts'

export interface DashboardOptions extends DashboardParts {
  readonly clock: Clock
  readonly held: HeldPort
  /** Tools send it with each request. */
  readonly token: Secret<string>
}

/** Time to send a request and to receive its response. The action between has no limit: revoking waits for the platform. */
const REQUEST_TIMEOUT_MS = 10_000

const FIXED_HEADERS: OutgoingHttpHeaders = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

const ANOTHER_USER = plain(403, 'This dashboard belongs to another user of the machine.')

/** The sentence of an error that has one: it names the disk, or what else the user can mend. */
const failureReply = (failure: unknown): Reply =>
  failure instanceof BridgeError ? plain(503, failure.message) : plain(500, 'Sallyport failed to do this; its log has the reason.')

/** Never rejects. */
async function replyTo(request: IncomingMessage, verdict: Verdict, exchange: Exchange): Promise<Answer> {
  const address = URL.parse(`http://localhost${request.url ?? ''}`) ?? new URL('http://localhost/invalid')
  const found = routeOf(request.method ?? '', address, verdict)
  if (typeof found !== 'function') return found
  if ((await exchange.peers.ownerOf(request.socket)) === 'another-user') return ANOTHER_USER
  try {
    return await found(exchange, address)
  } catch (err) {
    exchange.log.error('dashboard-failed', { err })
    if (exchange.response.headersSent) return void exchange.response.destroy()
    return failureReply(err)
  }
}

/** Serves the dashboard on a port. Returns what closes it. */
export function serveDashboard(options: DashboardOptions): Closer {
  const { clock, held, token, keys } = options
  const guard = createRequestGuard({ port: held.port, token, isSession: (text) => keys.isSession(text) })
  const streams = new StateStreams(options)
  const traceStreams = new TraceStreams({ ...options, onUnwatched: () => void options.calls.end() })
  const send = ({ method }: IncomingMessage, response: ServerResponse, { status, type, body, headers }: Reply): void => {
    response.writeHead(status, { ...FIXED_HEADERS, ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
    response.end(method === 'HEAD' ? undefined : body)
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    server.disarmTimeout(socket)
    const begin = (type: string) => void response.writeHead(200, { ...FIXED_HEADERS, 'Content-Type': type })
    void replyTo(request, guard(request.headers), {
      ...options,
      streams,
      traceStreams,
      response,
      readJson: () => readJson(request),
      begin,
    }).then((reply) => {
      // A body that no route has read is ignored.
      request.resume()
      if (reply === undefined) return
      server.armTimeout(socket)
      send(request, response, reply)
    })
  }
  const server = new LoopbackServer({ clock, peerTimeoutMs: REQUEST_TIMEOUT_MS, onRequest })
  server.serve(held)
  return server.close
}
