/** The dashboard's HTTP server: one page, one read of the state, and what can be done from there; on the loopback interface only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Closer } from '../core/closer.ts'
import { BridgeError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import type { Secret } from '../core/secret.ts'
import { actionAt, type DashboardActions } from './actions.ts'
import { doorkeeper, type Verdict } from './admission.ts'
import { contentSecurityPolicy, page } from './page.ts'
import type { DashboardSnapshot } from './snapshot.ts'

export interface DashboardOptions {
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

const LOOPBACK = '127.0.0.1'
/** A connection on which nothing moves is dropped after this. */
const SILENT_SOCKET_MS = 10_000
/** Node looks for slow requests with a timer that never rests, even when it has nothing to check; this makes it rest for 24 days. */
const NEVER_MS = 2_147_483_647

const headers = () => ({
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

const NO_TOKEN = plain(401, 'The token is missing or wrong. Open the address that the daemon printed.')
const DONE = plain(200, 'Done.')
const GONE = plain(404, 'That is not there any more.')

type Route = (options: DashboardOptions) => Promise<Reply>

const stateRoute: Route = async ({ snapshot }) => ({ status: 200, type: 'application/json', body: JSON.stringify(await snapshot()) })

/** What a request asks for, before anything is done for it. */
function routeOf(method: string, path: string, verdict: Verdict): Route | Reply {
  if (verdict === 'foreign') return plain(403, 'Only this machine may look here.')
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
  try {
    return await found(options)
  } catch (err) {
    options.log.error('dashboard-failed', { err })
    return plain(500, 'The daemon failed at this; its log says why.')
  }
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: Reply): void {
  response.writeHead(status, { ...headers(), 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(body) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const advice = `The dashboard cannot listen on port ${port}; choose another --dashboard-port, or off.`
      reject(new BridgeError('SERVICE_UNAVAILABLE', advice, {}, { cause }))
    })
    server.listen(port, LOOPBACK, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/** Starts to serve. Rejects with SERVICE_UNAVAILABLE when the port cannot be had. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const server = createServer({ headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: NEVER_MS })
  server.setTimeout(SILENT_SOCKET_MS)
  const port = await listening(server, options.port)
  const judge = doorkeeper(port, options.token)
  server.on('request', (request, response) => {
    // No request has a body that is read.
    request.resume()
    void replyTo(request, judge(request.headers), options).then((reply) => send(request, response, reply))
  })
  return {
    url: `http://${LOOPBACK}:${port}/#token=${encodeURIComponent(options.token.reveal())}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
