/** The dashboard's HTTP server: the page, the state, its changes and the actions, on the loopback interface only. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { Secret } from '@sallyport/core/secret'
import { LoopbackServer } from '../../loopback/loopback-server.ts'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import type { Operate } from '../operations.ts'
import type { StatePublisher } from '../state-publisher.ts'
import { actionAt } from './actions.ts'
import { contentSecurityPolicy, page } from './html.ts'
import { createRequestGuard, type Verdict } from './request-guard.ts'
import { StateStreams } from './state-stream.ts'

export interface DashboardOptions {
  readonly clock: Clock
  readonly peers: TcpPeers
  readonly held: HeldPort
  /** Required for the state and for actions. */
  readonly token: Secret<string>
  readonly publisher: Pick<StatePublisher, 'current' | 'watch'>
  readonly operate: Operate
  readonly log: Logger
}

/** Time to send a request and to receive its response. The action between has no limit: revoking waits for the platform. */
const REQUEST_TIMEOUT_MS = 10_000

const fixedHeaders = (): OutgoingHttpHeaders => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
})

interface Reply {
  readonly status: number
  readonly type: 'text/html' | 'application/json' | 'text/plain'
  readonly body: string
}

const plain = (status: number, body: string): Reply => ({ status, type: 'text/plain', body })

const FORBIDDEN = plain(403, 'Only this machine may open the dashboard.')
const ANOTHER_USER = plain(403, 'This dashboard belongs to another user of the machine.')
const NO_TOKEN = plain(401, 'The token is missing or wrong. Open the address that the daemon printed.')
const DONE = plain(200, 'Done.')
const NOT_FOUND = plain(404, 'This does not exist any more.')
const TOO_MANY_PAGES = plain(503, 'Too many pages of the dashboard are open. Close one of them.')

/** Undefined: the response has begun and goes on. */
type Answer = Reply | undefined
interface Exchange extends DashboardOptions {
  readonly streams: StateStreams
  readonly response: ServerResponse
}
type Route = (exchange: Exchange) => Promise<Answer>

/** Who looks at the state wants the accounts in it too. */
async function stateOf({ publisher, operate }: DashboardOptions): Promise<Reply> {
  await operate('open-vault')
  return { status: 200, type: 'application/json', body: JSON.stringify(publisher.current()) }
}

/** The page does not wait for the vault: a change follows when it is open. */
async function streamState({ streams, operate, response }: Exchange): Promise<Answer> {
  if (streams.isFull) return TOO_MANY_PAGES
  response.writeHead(200, { ...fixedHeaders(), 'Content-Type': 'text/event-stream; charset=utf-8' })
  const opening = operate('open-vault')
  streams.add(response)
  await opening
  return undefined
}

const READS: Readonly<Record<string, Route>> = { '/api/state': stateOf, '/api/state/stream': streamState }

/** The route of a request, or the reply that rejects it. */
function routeOf(method: string, path: string, verdict: Verdict): Route | Reply {
  if (verdict === 'foreign') return FORBIDDEN
  const action = actionAt(path)
  if (action === undefined && method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET is allowed here.')
  if (action !== undefined && method !== 'POST') return plain(405, 'Only POST is allowed here.')
  if (path === '/') return { status: 200, type: 'text/html', body: page() }
  const act: Route | undefined = action && (async ({ operate }) => ((await operate(action.name, action.id)) ? DONE : NOT_FOUND))
  const route = act ?? (method === 'GET' && Object.hasOwn(READS, path) ? READS[path] : undefined)
  if (route === undefined) return plain(404, 'Not found.')
  return verdict === 'admitted' ? route : NO_TOKEN
}

/** Never rejects. */
async function replyTo(request: IncomingMessage, verdict: Verdict, exchange: Exchange): Promise<Answer> {
  const found = routeOf(request.method ?? '', request.url?.split('?', 1)[0] ?? '', verdict)
  if (typeof found !== 'function') return found
  if ((await exchange.peers.ownerOf(request.socket)) === 'another-user') return ANOTHER_USER
  try {
    return await found(exchange)
  } catch (err) {
    exchange.log.error('dashboard-failed', { err })
    if (exchange.response.headersSent) return void exchange.response.destroy()
    return plain(500, 'The daemon failed to do this; see its log for the reason.')
  }
}

/** Serves the dashboard on a port. Returns what closes it. */
export function serveDashboard(options: DashboardOptions): Closer {
  const guard = createRequestGuard(options.held.port, options.token)
  const streams = new StateStreams(options.publisher)
  const send = ({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: Reply): void => {
    response.writeHead(status, { ...fixedHeaders(), 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(body) })
    response.end(method === 'HEAD' ? undefined : body)
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    server.disarmTimeout(socket)
    // Request bodies are ignored.
    request.resume()
    void replyTo(request, guard(request.headers), { ...options, streams, response }).then((reply) => {
      if (reply === undefined) return
      server.armTimeout(socket)
      send(request, response, reply)
    })
  }
  const server = new LoopbackServer({ clock: options.clock, peerTimeoutMs: REQUEST_TIMEOUT_MS, onRequest })
  server.serve(options.held)
  return server.close
}
