/**
 * The web side of the local protocol: browsers and some libraries look for it on ten well-known ports, speak it over a websocket, and take a
 * plain HTTP 404 there as the sign that a server of the protocol runs.
 */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import type { ByteChannel, ChannelReceiver } from './transport.ts'
import { openWebLink } from './web-link.ts'
import { startWebServer, type WebServer } from '../../loopback/web-server.ts'

export interface WebPresenceOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  /** Whether pages of this origin may speak for an application; null: they did not say for which. */
  readonly admits: (origin: string, applicationId: string | null) => boolean
  /** Charges a connection to an origin; undefined when that has its share. */
  readonly charge: (origin: string) => (() => void) | undefined
  readonly onLink: (link: ByteChannel) => ChannelReceiver
  /** Where libraries look, ascending, unless others are given. */
  readonly ports?: readonly number[]
}

const FIRST_PORT = 6463
const PORTS = Array.from({ length: 10 }, (_, index) => FIRST_PORT + index)

/** Answers on the first free port; undefined when all are taken, which harms nobody but those who look. */
export const startWebPresence = ({
  clock,
  log,
  peers,
  admits,
  charge,
  onLink,
  ports = PORTS,
}: WebPresenceOptions): Promise<WebServer | undefined> =>
  startWebServer({
    clock,
    log,
    peers,
    ports,
    maxConnections: LIMITS.webConnections.value,
    maxMessageBytes: LIMITS.frameBytes.value,
    admits: ({ origin, query }) => admits(origin, query.get('client_id')),
    charge: ({ origin }) => charge(origin),
    onSocket: (socket, visit, carrier) => openWebLink(socket, visit, carrier, onLink),
  })
