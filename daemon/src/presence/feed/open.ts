/** Serves the presence websocket. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import { isOriginAllowed } from '@sallyport/core/origins'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import { serveWebSockets } from '../../loopback/web-server.ts'
import { PresenceFeed } from './presence-feed.ts'

interface PresenceFeedOptions {
  readonly held: HeldPort | undefined
  /** Rules for the origins of pages that may subscribe. */
  readonly origins: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
}

export interface OpenedPresenceFeed {
  readonly sink: PresenceFeed
  readonly close: Closer
}

/** Messages from pages are ignored. */
const MESSAGE_BYTES = 4096

/** Without a port, no page connects. */
export function openPresenceFeed({ held, origins, clock, log, peers }: PresenceFeedOptions): OpenedPresenceFeed {
  const sink = new PresenceFeed()
  if (held === undefined) return { sink, close: async () => {} }
  const close = serveWebSockets({
    clock,
    log,
    peers,
    held,
    maxConnections: BUDGETS.presenceFeedConnections.value,
    maxMessageBytes: MESSAGE_BYTES,
    isAllowed: ({ origin }) => isOriginAllowed(origin, origins),
    onSocket: (page, _visit, socket) => sink.addSubscriber(page, socket),
  })
  return { sink, close }
}
