/** Opens the presence websocket on its port, or on the next one that is free. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import { isOriginAllowed } from '@sallyport/core/origins'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import { startWebServer } from '../../loopback/web-server.ts'
import { PresenceBridge } from './bridge.ts'

export interface BridgeOptions {
  /** 0 = any free one. */
  readonly port: number
  /** Rules of the pages that may read. */
  readonly origins: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
}

export interface OpenedBridge {
  readonly sink: PresenceBridge
  /** Undefined: it is served nowhere. */
  readonly address: string | undefined
  /** Why pages that look where they are used to do not find it, as a sentence. */
  readonly reason: string | undefined
  readonly close: Closer
}

const PORTS_TRIED = 10
const LAST_PORT = 65_535
/** Nothing that pages say is read. */
const MESSAGE_BYTES = 4096

const portsFrom = (first: number): number[] =>
  Array.from({ length: PORTS_TRIED }, (_, index) => first + index).filter((port) => port <= LAST_PORT)

const reasonFor = (wanted: number, found: number | undefined): string | undefined => {
  if (found === undefined)
    return `Neither port ${wanted} nor those after it can be had, so the presence websocket is not served; name a free one with --bridge-port.`
  if (wanted === 0 || wanted === found) return undefined
  return `Port ${wanted} cannot be had, most likely since another program has it, so the presence websocket is served on ${found}: web clients that look at ${wanted} do not find it.`
}

/** Never fails: a port that cannot be had keeps nothing else from working. */
export async function openPresenceBridge({ port, origins, clock, log, peers }: BridgeOptions): Promise<OpenedBridge> {
  const sink = new PresenceBridge()
  const server = await startWebServer({
    clock,
    log,
    peers,
    ports: portsFrom(port),
    maxConnections: LIMITS.bridgeConnections.value,
    maxMessageBytes: MESSAGE_BYTES,
    admits: ({ origin }) => isOriginAllowed(origin, origins),
    onSocket: (page, _visit, carrier) => sink.welcome(page, carrier),
  })
  return {
    sink,
    address: server === undefined ? undefined : `ws://127.0.0.1:${server.port}`,
    reason: reasonFor(port, server?.port),
    close: server?.close ?? (async () => {}),
  }
}
