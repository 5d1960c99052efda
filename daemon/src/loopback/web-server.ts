/**
 * Websocket server for pages on this machine. It binds loopback only and responds 404 to plain HTTP. It closes connections of disallowed
 * pages and of other users with 4001; the user check is needed because any program can forge an origin.
 * Connections, messages and timeouts are bounded, and no timer runs while no page is connected.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES } from '@sallyport/protocol'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { Logger } from '@sallyport/core/logger'
import { isLoopbackHost } from '@sallyport/core/origins'
import { LoopbackServer } from './loopback-server.ts'
import type { TcpPeers } from './tcp-peer.ts'

/** The upgrade request of a page. */
export interface UpgradeRequest {
  readonly origin: string
  readonly query: URLSearchParams
}

interface WebServerOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly held: HeldPort
  /** Maximum open pages; further connections are dropped. */
  readonly maxConnections: number
  /** Maximum message size; a longer message closes its connection with 1009. */
  readonly maxMessageBytes: number
  readonly isAllowed: (request: UpgradeRequest) => boolean
  /** Charges the connection and returns the release function; undefined if there are too many, which closes it. Absent: no charge. */
  readonly charge?: (request: UpgradeRequest) => (() => void) | undefined
  /** An accepted page. Pings have no automatic response, because responses would pile up for a page that does not read. */
  readonly onSocket: (webSocket: WebSocket, request: UpgradeRequest, socket: Duplex) => void
}

/** Time to complete the upgrade, or to receive the response and disconnect. */
const UPGRADE_TIMEOUT_MS = 5_000
/** Time for a page to close its side after the server has closed its own. */
const LINGER_MS = 2_000
/** Limits for the fragments of a message and the chunks of a fragment, because each costs many times its payload. */
const MAX_FRAGMENTS = 1024
const MAX_CHUNKS = 4096

/** Serves a port. Returns what closes it and every page. */
export function serveWebSockets(options: WebServerOptions): Closer {
  const server = new LoopbackServer({
    clock: options.clock,
    peerTimeoutMs: UPGRADE_TIMEOUT_MS,
    onRequest(request, response) {
      request.resume()
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': 0 }).end()
    },
    onUpgrade: acceptPages(options, (socket) => server.disarmTimeout(socket)),
  })
  server.serve(options.held)
  return server.close
}

/** Returns what accepts or refuses a page. `onAccepted`: its time to upgrade is over. */
function acceptPages(options: WebServerOptions, onAccepted: (socket: Duplex) => void) {
  const pages = new Set<WebSocket>()
  // Created for the first page, because most daemons never serve one.
  let upgrader: Promise<WebSocketServer> | undefined
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    upgrader ??= makeUpgrader(options.maxMessageBytes)
    Promise.all([upgrader, options.peers.ownerOf(request.socket)])
      .then(([webSocketServer, owner]) => {
        if (pages.size >= options.maxConnections) return void socket.destroy()
        webSocketServer.handleUpgrade(request, socket, head, (page) => {
          // The library closes a peer that violates the protocol or vanishes; 'close' follows.
          page.on('error', () => {})
          const upgrade = upgradeRequestOf(request)
          const isOtherUser = owner === 'another-user'
          if (isOtherUser || upgrade === undefined || !options.isAllowed(upgrade)) {
            options.log.info('page-refused', { ...refusalFields(request), owner })
            return page.close(CLOSE_CODES.INVALID_ORIGIN.code, isOtherUser ? REFUSED_USER : REFUSED)
          }
          const release = options.charge === undefined ? () => {} : options.charge(upgrade)
          if (release === undefined) return page.close(CLOSE_CODES.RATELIMITED.code, TOO_MANY)
          onAccepted(socket)
          pages.add(page)
          page.once('close', () => {
            pages.delete(page)
            release()
          })
          options.onSocket(page, upgrade, socket)
        })
      })
      .catch(() => socket.destroy())
  }
}

async function makeUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer: Upgrader } = await import('ws')
  // A separate constant, because the types of the package lack some of these options.
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    closeTimeout: LINGER_MS,
  }
  return new Upgrader(options)
}

const TOO_MANY = 'Too many connections of this origin are open; close some first.'
const REFUSED = 'Invalid Origin: pages of this origin may not connect.'
const REFUSED_USER = 'Invalid Origin: this bridge belongs to another user of this machine; start your own.'
/** Longer than any realistic origin. */
const LOGGED_CHARACTERS = 128

/** Log fields for comparing a refused page with the rules. Of the URL, only the application id. */
const refusalFields = ({ headers: { origin, host }, url, socket }: IncomingMessage): object => {
  const truncate = (text: string | null | undefined) => text?.slice(0, LOGGED_CHARACTERS)
  return { origin: truncate(origin), host: truncate(host), applicationId: truncate(queryOf(url).get('client_id')), port: socket.localPort }
}

const queryOf = (url: string | undefined): URLSearchParams => new URLSearchParams(url?.split('?')[1])

/** Undefined if the request has no origin, or a host name that is not loopback. */
function upgradeRequestOf({ headers: { origin, host }, url }: IncomingMessage): UpgradeRequest | undefined {
  if (origin === undefined || !isLoopbackHost(host)) return undefined
  return { origin: origin.toLowerCase(), query: queryOf(url) }
}
