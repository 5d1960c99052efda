/** The dashboard's HTTP server: one page and one read of the state, on the loopback interface only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Closer } from '../core/closer.ts'
import { BridgeError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import type { Secret } from '../core/secret.ts'
import { doorkeeper, type Verdict } from './admission.ts'
import { contentSecurityPolicy, page } from './page.ts'
import type { DashboardSnapshot } from './snapshot.ts'

export interface DashboardOptions {
  /** 0 = any free one. */
  readonly port: number
  /** What reads of the state must carry. */
  readonly token: Secret<string>
  readonly snapshot: () => Promise<DashboardSnapshot>
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

type Snapshot = DashboardOptions['snapshot']

const ROUTES: ReadonlyMap<string, (verdict: Verdict, snapshot: Snapshot) => Promise<Reply>> = new Map([
  ['/', async (): Promise<Reply> => ({ status: 200, type: 'text/html', body: page() })],
  [
    '/api/state',
    async (verdict: Verdict, snapshot: Snapshot): Promise<Reply> =>
      verdict === 'admitted'
        ? { status: 200, type: 'application/json', body: JSON.stringify(await snapshot()) }
        : plain(401, 'The token is missing or wrong. Open the address that the daemon printed.'),
  ],
])

/** Never rejects. */
async function replyTo(request: IncomingMessage, verdict: Verdict, { snapshot, log }: DashboardOptions): Promise<Reply> {
  if (verdict === 'foreign') return plain(403, 'Only this machine may look here.')
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'This can only be read.')
  const route = ROUTES.get(request.url?.split('?', 1)[0] ?? '')
  if (route === undefined) return plain(404, 'There is nothing here.')
  try {
    return await route(verdict, snapshot)
  } catch (err) {
    log.error('dashboard-failed', { err })
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
