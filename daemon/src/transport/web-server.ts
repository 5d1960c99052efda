/**
 * A server of websockets for pages on this machine: loopback only, plain HTTP is answered 404, a page that may not connect hears 4001.
 * Connections, messages and waits are bounded, and nothing runs while nobody is connected.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES } from '@sallyport/protocol'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../core/clock.ts'
import type { Closer } from '../core/closer.ts'
import { isLoopbackHost } from '../core/origins.ts'

/** What a page said when it connected. */
export interface Visit {
  readonly origin: string
  readonly query: URLSearchParams
}

export interface WebServerOptions {
  readonly clock: Clock
  /** Tried in this order. */
  readonly ports: Iterable<number>
  /** Open at once; more are not accepted. */
  readonly maxConnections: number
  /** Of one message; a longer one ends its connection with 1009. */
  readonly maxMessageBytes: number
  readonly admits: (visit: Visit) => boolean
  /** A page that was admitted. Pings are not answered by themselves, since whoever does not read could have answers pile up. */
  readonly onSocket: (socket: WebSocket, visit: Visit, carrier: Duplex) => void
}

export interface WebServer {
  readonly port: number
  readonly close: Closer
}

const LOOPBACK = '127.0.0.1'
/** Time to become a websocket, or to be answered. */
const ARRIVAL_MS = 5_000
/** Time a page has to close its end after we closed ours. */
const LINGER_MS = 2_000
/** Node's look for slow requests never rests; with this it rests for 24 days. Connections have their own end. */
const NO_CHECKING = { headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 2_147_483_647 }

/** Listens on the first port that is free; undefined when none is. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer | undefined> {
  const sockets = new Set<WebSocket>()
  const server = httpServer(options, sockets)
  for (const wanted of options.ports) {
    const port = await listening(server, wanted)
    if (port === undefined) continue
    // Not being able to accept one connection must not end the others.
    server.on('error', () => {})
    return { port, close: () => stop(server, sockets) }
  }
  return undefined
}

function httpServer(options: WebServerOptions, sockets: Set<WebSocket>): Server {
  const server = createServer(NO_CHECKING, (request, response) => {
    request.resume()
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': 0, Connection: 'close' }).end()
  })
  server.maxConnections = options.maxConnections
  const arrivals = new WeakMap<Duplex, () => void>()
  server.on('connection', (socket) => {
    const cancel = options.clock.after(ARRIVAL_MS, () => socket.destroy())
    arrivals.set(socket, cancel)
    socket.once('close', cancel)
  })
  // Made for the first page, since most daemons never see one.
  let upgrader: Promise<WebSocketServer> | undefined
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    upgrader ??= makeUpgrader(options.maxMessageBytes)
    upgrader
      .then((made) =>
        made.handleUpgrade(request, socket, head, (page) => {
          arrivals.get(socket)?.()
          sockets.add(page)
          page.once('close', () => sockets.delete(page))
          // A peer that breaks the protocol or vanishes is closed by the library; 'close' follows.
          page.on('error', () => {})
          receive(page, request, socket, options)
        }),
      )
      .catch(() => socket.destroy())
  })
  return server
}

async function makeUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer: Upgrader } = await import('ws')
  // Apart from the call, since the types of the package do not know closeTimeout yet.
  const options = { noServer: true, clientTracking: false, perMessageDeflate: false, autoPong: false, maxPayload, closeTimeout: LINGER_MS }
  return new Upgrader(options)
}

function receive(page: WebSocket, { headers, url }: IncomingMessage, carrier: Duplex, { admits, onSocket }: WebServerOptions): void {
  const visit: Visit = { origin: headers.origin?.toLowerCase() ?? '', query: new URLSearchParams(url?.split('?')[1]) }
  if (visit.origin !== '' && isLoopbackHost(headers.host) && admits(visit)) onSocket(page, visit, carrier)
  else page.close(CLOSE_CODES.INVALID_ORIGIN.code, 'Invalid Origin: pages of this origin may not connect.')
}

const listening = (server: Server, wanted: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const refused = () => resolve(undefined)
    server.once('error', refused)
    server.listen(wanted, LOOPBACK, () => {
      server.off('error', refused)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : wanted)
    })
  })

const stop = (server: Server, sockets: ReadonlySet<WebSocket>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
    for (const socket of sockets) socket.terminate()
  })
