/**
 * The websocket transport of the local protocol. Browsers and some libraries try ten well-known ports. A plain HTTP 404 there shows that a
 * server of the protocol runs.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import type { FrameChannel, FrameReceiver, PeerIdentity } from './transport.ts'
import { openWebSocketChannel } from './websocket-channel.ts'
import { serveWebSockets } from '../../loopback/web-server.ts'

interface RpcWebSocketOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  /** Whether pages of this origin may use an application; null if the page gave no application id. */
  readonly isAllowed: (origin: string, applicationId: string | null) => boolean
  /** Whether pages of this origin are embedded activities. */
  readonly isActivity: (origin: string) => boolean
  /** Charges a connection to an origin; undefined if the origin has reached its limit. */
  readonly charge: (origin: string) => (() => void) | undefined
  readonly onChannel: (channel: FrameChannel) => FrameReceiver
  /** Its port, usually one that browsers try. */
  readonly held: HeldPort
}

/** Serves the websocket transport on a port. Returns what closes it. */
export const serveRpcWebSocket = ({ clock, log, peers, isAllowed, isActivity, charge, onChannel, held }: RpcWebSocketOptions): Closer =>
  serveWebSockets({
    clock,
    log,
    peers,
    held,
    maxConnections: BUDGETS.webConnections.value,
    maxMessageBytes: LIMITS.frameBytes.value,
    isAllowed: ({ origin, query }) => isAllowed(origin, query.get('client_id')),
    charge: ({ origin }) => charge(origin),
    onSocket: (webSocket, request, socket) => {
      const { origin } = request
      const peer: PeerIdentity = { trust: 'origin', origin, ...(isActivity(origin) ? { isActivity: true } : {}) }
      openWebSocketChannel(webSocket, peer, request, socket, onChannel)
    },
  })
