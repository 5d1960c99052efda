/** Opens the presence websocket on its port, or on the next free one. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import { isOriginAllowed } from '@sallyport/core/origins'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import { startWebServer } from '../../loopback/web-server.ts'
import { PresenceFeed } from './presence-feed.ts'

export interface PresenceFeedOptions {
  /** 0 = any free port. */
  readonly port: number
  /** Rules for the origins of pages that may subscribe. */
  readonly origins: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
}

export interface OpenedPresenceFeed {
  readonly sink: PresenceFeed
  /** Undefined: it is not served. */
  readonly address: string | undefined
  /** The reason why pages do not find it on its usual port, as a sentence. */
  readonly reason: string | undefined
  readonly close: Closer
}

const PORTS_TRIED = 10
const LAST_PORT = 65_535
/** Messages from pages are ignored. */
const MESSAGE_BYTES = 4096

const portsFrom = (first: number): number[] =>
  Array.from({ length: PORTS_TRIED }, (_, index) => first + index).filter((port) => port <= LAST_PORT)

const reasonFor = (requested: number, bound: number | undefined): string | undefined => {
  if (bound === undefined)
    return `Port ${requested} and the ports after it cannot be opened, so the presence websocket is not served; set a free port with --bridge-port.`
  if (requested === 0 || requested === bound) return undefined
  return `Port ${requested} cannot be opened, most likely because another program uses it. The presence websocket is served on ${bound} instead; web clients that expect ${requested} do not find it.`
}

/** Never fails, because the rest of the daemon works without this port. */
export async function openPresenceFeed({ port, origins, clock, log, peers }: PresenceFeedOptions): Promise<OpenedPresenceFeed> {
  const sink = new PresenceFeed()
  const server = await startWebServer({
    clock,
    log,
    peers,
    ports: portsFrom(port),
    maxConnections: LIMITS.presenceFeedConnections.value,
    maxMessageBytes: MESSAGE_BYTES,
    isAllowed: ({ origin }) => isOriginAllowed(origin, origins),
    onSocket: (page, _visit, socket) => sink.addSubscriber(page, socket),
  })
  return {
    sink,
    address: server === undefined ? undefined : `ws://127.0.0.1:${server.port}`,
    reason: reasonFor(port, server?.port),
    close: server?.close ?? (async () => {}),
  }
}
