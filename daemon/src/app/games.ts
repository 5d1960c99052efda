/** Serves the games that connect: at the local sockets, and at the websocket transport. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Accounting } from '../accounting/accounting.ts'
import type { Settings } from '../config/load.ts'
import { activityOriginRules, rpcOriginRules } from '../config/web-origins.ts'
import { programOf } from '../identity/program.ts'
import { nodeIpcListener } from '../ipc/transport/node-ipc-listener.ts'
import { senderOpener } from '../ipc/transport/peer-identity.ts'
import { introduced } from '../ipc/transport/wine-introduction.ts'
import { serveRpcWebSocket } from '../ipc/transport/rpc-websocket.ts'
import type { Beside } from '../start/beside.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { RpcServer } from '../rpc/server.ts'

interface GameParts {
  readonly settings: Pick<Settings, 'rpcOrigins'>
  readonly ports: Pick<OpenPorts, 'local' | 'websocket'>
  /** Sockets in the folders of containers and of Wine. */
  readonly beside: Beside
  readonly profile: Pick<PlatformProfile, 'activityProxyHost' | 'rpcOrigins'>
  readonly clock: Clock
  readonly log: Logger
  readonly accounting: Accounting
  readonly peers: TcpPeers
  readonly scope: AsyncDisposableStack
}

export async function serveGames(server: RpcServer, parts: GameParts): Promise<void> {
  const { ports, beside, scope } = parts
  const openSender = senderOpener()
  const wine = beside.wine === undefined ? [] : [{ address: beside.wine.address, held: introduced(beside.wine.held, parts) }]
  for (const { address, held } of [...ports.local.sockets, ...beside.sockets, ...wine]) {
    scope.defer(await nodeIpcListener({ address, held, openSender }).listen((channel) => server.openStream(channel)))
  }
  serveWebsocket(server, parts)
  scope.defer(() => server.close('The bridge stops.'))
}

function serveWebsocket(server: RpcServer, { settings, ports, profile, clock, log, peers, accounting, scope }: GameParts): void {
  if (ports.websocket === undefined) return
  const isNamed = rpcOriginRules(profile.rpcOrigins, settings.rpcOrigins)
  // Each time anew: the port of the sandbox's proxy may be chosen later.
  const activities = () => activityOriginRules(profile)
  const close = serveRpcWebSocket({
    clock,
    log,
    peers,
    held: ports.websocket,
    isAllowed: (origin, applicationId) => isNamed(origin, applicationId) || activities().isAllowed(origin, applicationId),
    isActivity: (origin) => activities().isActivity(origin),
    charge: (origin) => accounting.charge('webConnections', programOf({ origin })),
    onChannel: (channel) => server.openConnection(channel),
  })
  scope.defer(close)
}
