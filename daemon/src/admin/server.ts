/** The dashboard's HTTP server: one page, one read of the state, and what can be done from there; on the loopback interface only. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import { LOOPBACK, LoopbackServer } from '../loopback/loopback-server.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { actionAt, type DashboardActions } from './actions.ts'
import { doorkeeper, type Verdict } from './admission.ts'
import { contentSecurityPolicy, page } from './page.ts'
import type { DashboardSnapshot } from './snapshot.ts'

export interface DashboardOptions {
  readonly clock: Clock
  readonly peers: TcpPeers
  /** 0 = any free one. */
  readonly port: number
  /** What reads of the state, and actions, must carry. */
  readonly token: Secret<string>
  readonly snapshot: () => Promise<DashboardSnapshot>
  readonly actions: DashboardActions
  readonly log: Logger
}

export interface Dashboard {
  /** Address of the page with the token in its fragment, which browsers do not send. Holds a secret: for the user's eyes, not for a log. */
  readonly url: string
  readonly close: Closer
}

/** Time to ask, and to take the answer. What is asked for takes its own time: revoking, for one, waits for the platform. */
const PATIENCE_MS = 10_000

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

const FOREIGN = plain(403, 'Only this machine may look here.')
const ANOTHER_USER = plain(403, 'This dashboard belongs to another user of the machine.')
const NO_TOKEN = plain(401, 'The token is missing or wrong. Open the address that the daemon printed.')
const DONE = plain(200, 'Done.')
const GONE = plain(404, 'That is not there any more.')

type Route = (options: DashboardOptions) => Promise<Reply>

const stateRoute: Route = async ({ snapshot }) => ({ status: 200, type: 'application/json', body: JSON.stringify(await snapshot()) })

/** What a request asks for, before anything is done for it. */
function routeOf(method: string, path: string, verdict: Verdict): Route | Reply {
  if (verdict === 'foreign') return FOREIGN
  const act = actionAt(path)
  if (act === undefined && method !== 'GET' && method !== 'HEAD') return plain(405, 'This can only be read.')
  if (act !== undefined && method !== 'POST') return plain(405, 'This takes a POST.')
  if (path === '/') return { status: 200, type: 'text/html', body: page() }
  if (act === undefined && path !== '/api/state') return plain(404, 'There is nothing here.')
  if (verdict !== 'admitted') return NO_TOKEN
  return act === undefined ? stateRoute : async ({ actions }) => ((await act(actions)) ? DONE : GONE)
}

/** Never rejects. */
async function replyTo(request: IncomingMessage, verdict: Verdict, options: DashboardOptions): Promise<Reply> {
  const found = routeOf(request.method ?? '', request.url?.split('?', 1)[0] ?? '', verdict)
  if (typeof found !== 'function') return found
  if ((await options.peers.ownerOf(request.socket)) === 'another-user') return ANOTHER_USER
  try {
    return await found(options)
  } catch (err) {
    options.log.error('dashboard-failed', { err })
    return plain(500, 'The daemon failed at this; its log says why.')
  }
}

async function listen(server: LoopbackServer, port: number): Promise<number> {
  try {
    return await server.listen(port)
  } catch (cause) {
    const advice = `The dashboard cannot listen on port ${port}; choose another --dashboard-port, or off.`
    throw new BridgeError('SERVICE_UNAVAILABLE', advice, {}, { cause })
  }
}

/** Starts to serve. Rejects with SERVICE_UNAVAILABLE when the port cannot be had. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const server = new LoopbackServer({ clock: options.clock, patienceMs: PATIENCE_MS })
  const port = await listen(server, options.port)
  const judge = doorkeeper(port, options.token)
  const always = fixedHeaders()
  const send = ({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: Reply): void => {
    response.writeHead(status, { ...always, 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(body) })
    response.end(method === 'HEAD' ? undefined : body)
  }
  server.http.on('request', (request, response) => {
    const { socket } = request
    server.heard(socket)
    // No request has a body that is read.
    request.resume()
    void replyTo(request, judge(request.headers), options).then((reply) => {
      server.waitFor(socket)
      send(request, response, reply)
    })
  })
  return {
    url: `http://${LOOPBACK}:${port}/#token=${encodeURIComponent(options.token.reveal())}`,
    close: server.close,
  }
}
