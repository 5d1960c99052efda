/**
 * A server of websockets for pages on this machine: loopback only, plain HTTP is answered 404, a page that may not connect hears 4001, and
 * so does whatever another user of the machine runs, since any program can say an origin.
 * Connections, messages and waits are bounded, and nothing runs while nobody is connected.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES } from '@sallyport/protocol'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import { isLoopbackHost } from '@sallyport/core/origins'
import { LoopbackServer } from './loopback-server.ts'
import type { TcpPeers } from './tcp-peer.ts'

/** What a page said when it connected. */
export interface Visit {
  readonly origin: string
  readonly query: URLSearchParams
}

export interface WebServerOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  /** Tried in this order. */
  readonly ports: Iterable<number>
  /** Pages at once; a connection that would be one more is dropped. */
  readonly maxConnections: number
  /** Of one message; a longer one ends its connection with 1009. */
  readonly maxMessageBytes: number
  readonly admits: (visit: Visit) => boolean
  /** Charges a connection to whoever visits; undefined when there are too many of them, and then it is closed. Absent: nobody is charged. */
  readonly charge?: (visit: Visit) => (() => void) | undefined
  /** A page that was admitted. Pings are not answered by themselves, since whoever does not read could have answers pile up. */
  readonly onSocket: (socket: WebSocket, visit: Visit, carrier: Duplex) => void
}

export interface WebServer {
  readonly port: number
  readonly close: Closer
}

/** Time to become a websocket of a page that may connect, or to be answered and gone. */
const ARRIVAL_MS = 5_000
/** Time a page has to close its end after we closed ours. */
const LINGER_MS = 2_000
/** Parts of one message, and pieces in which one part comes: each costs many times what it carries. */
const MAX_FRAGMENTS = 1024
const MAX_PIECES = 4096

/** Listens on the first port that is free; undefined when none is. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer | undefined> {
  const server = new LoopbackServer({ clock: options.clock, patienceMs: ARRIVAL_MS })
  server.http.on('request', (request, response) => {
    request.resume()
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': 0 }).end()
  })
  admitPages(server, options)
  for (const wanted of options.ports) {
    try {
      return { port: await server.listen(wanted), close: server.close }
    } catch {
      // The next one may be free.
    }
  }
  return undefined
}

function admitPages(server: LoopbackServer, options: WebServerOptions): void {
  const pages = new Set<WebSocket>()
  // Made for the first page, since most daemons never see one.
  let upgrader: Promise<WebSocketServer> | undefined
  server.http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    upgrader ??= makeUpgrader(options.maxMessageBytes)
    Promise.all([upgrader, options.peers.ownerOf(request.socket)])
      .then(([made, owner]) => {
        if (pages.size >= options.maxConnections) return void socket.destroy()
        made.handleUpgrade(request, socket, head, (page) => {
          // A peer that breaks the protocol or vanishes is closed by the library; 'close' follows.
          page.on('error', () => {})
          const visit = visitOf(request)
          const isOthers = owner === 'another-user'
          if (isOthers || visit === undefined || !options.admits(visit)) {
            options.log.info('page-refused', { ...refusedOf(request), owner })
            return page.close(CLOSE_CODES.INVALID_ORIGIN.code, isOthers ? REFUSED_USER : REFUSED)
          }
          const release = options.charge === undefined ? () => {} : options.charge(visit)
          if (release === undefined) return page.close(CLOSE_CODES.RATELIMITED.code, TOO_MANY)
          server.heard(socket)
          pages.add(page)
          page.once('close', () => {
            pages.delete(page)
            release()
          })
          options.onSocket(page, visit, socket)
        })
      })
      .catch(() => socket.destroy())
  })
}

async function makeUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer: Upgrader } = await import('ws')
  // Apart from the call, since the types of the package do not know all of them yet.
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_PIECES,
    closeTimeout: LINGER_MS,
  }
  return new Upgrader(options)
}

const TOO_MANY = 'Too many connections of this origin are open; close some first.'
const REFUSED = 'Invalid Origin: pages of this origin may not connect.'
const REFUSED_USER = 'Invalid Origin: this bridge serves another user of the machine; start one of your own.'
/** Longer than any origin that somebody wants to let in. */
const LOGGED_CHARACTERS = 128

/** What whoever wonders why a page may not connect compares with the rules; of the address, the application alone. */
const refusedOf = ({ headers: { origin, host }, url, socket }: IncomingMessage): object => {
  const cut = (text: string | null | undefined) => text?.slice(0, LOGGED_CHARACTERS)
  return { origin: cut(origin), host: cut(host), applicationId: cut(queryOf(url).get('client_id')), port: socket.localPort }
}

const queryOf = (url: string | undefined): URLSearchParams => new URLSearchParams(url?.split('?')[1])

/** Undefined when a page came that says nothing of itself, or by a name that is not this machine's. */
function visitOf({ headers: { origin, host }, url }: IncomingMessage): Visit | undefined {
  if (origin === undefined || !isLoopbackHost(host)) return undefined
  return { origin: origin.toLowerCase(), query: queryOf(url) }
}
