/** Where games reach the daemon: sockets or pipes, and the websocket transport. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import { removeSocketAddress, writeSocketAddress } from '@sallyport/core/storage/socket-address'
import type { Accounting } from '../accounting/accounting.ts'
import type { Settings } from '../config/load.ts'
import { activityOriginRules, rpcOriginRules } from '../config/web-origins.ts'
import { programOf } from '../identity/program.ts'
import { isLaterSlot } from '../ipc/transport/address.ts'
import { listenLocally } from '../ipc/transport/local.ts'
import { listenRpcWebSocket } from '../ipc/transport/rpc-websocket.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { RpcServer } from '../rpc/server.ts'

export interface ListenerParts {
  readonly settings: Pick<Settings, 'dataDir' | 'isRuntimeDirDefault' | 'rpcOrigins' | 'runtimeDir'>
  readonly profile: Pick<PlatformProfile, 'activityProxyHost' | 'ipcPrefix' | 'rpcOrigins'>
  readonly clock: Clock
  readonly log: Logger
  readonly accounting: Accounting
  readonly peers: TcpPeers
  readonly announce: (text: string) => void
  readonly scope: AsyncDisposableStack
}

export class Listeners {
  readonly #parts: ListenerParts
  readonly #addresses: string[] = []
  #websocket: string | undefined

  constructor(parts: ListenerParts) {
    this.#parts = parts
  }

  /** Paths of the sockets, or names of the pipes. Empty before `open`. */
  get addresses(): readonly string[] {
    return this.#addresses
  }

  /** Address of the websocket transport; undefined before `open`, and when its ports are all taken. */
  get websocket(): string | undefined {
    return this.#websocket
  }

  async open(server: RpcServer): Promise<void> {
    await this.#openLocal(server)
    await this.#openWebsocket(server)
    this.#parts.scope.defer(() => server.close('The bridge stops.'))
  }

  async #openLocal(server: RpcServer): Promise<void> {
    const { settings, profile, log, announce, scope } = this.#parts
    const local = await listenLocally({
      directory: settings.runtimeDir,
      ipcPrefix: profile.ipcPrefix,
      hasPrivateFolder: settings.isRuntimeDirDefault,
      onChannel: (channel) => server.openStream(channel),
    })
    scope.defer(local.close)
    this.#addresses.push(...local.addresses)
    if (this.#addresses.some(isLaterSlot)) {
      log.warn('first-slot-taken', { ipc: this.#addresses })
      announce(
        `Another server has the first slot, perhaps the platform's desktop client. Games that try only that slot connect to it and not to ${this.#addresses.join(', ')}. To be first, stop it, start this bridge, then start it again.`,
      )
    }
    if (local.ownAddress === undefined) return
    writeSocketAddress(settings.dataDir, local.ownAddress)
    scope.defer(() => removeSocketAddress(settings.dataDir))
  }

  async #openWebsocket(server: RpcServer): Promise<void> {
    const { settings, profile, clock, log, peers, accounting, scope } = this.#parts
    const isNamed = rpcOriginRules(profile.rpcOrigins, settings.rpcOrigins)
    // Each time anew: the port of the sandbox's proxy may be chosen later.
    const activities = () => activityOriginRules(profile)
    const web = await listenRpcWebSocket({
      clock,
      log,
      peers,
      isAllowed: (origin, applicationId) => isNamed(origin, applicationId) || activities().isAllowed(origin, applicationId),
      isActivity: (origin) => activities().isActivity(origin),
      charge: (origin) => accounting.charge('webConnections', programOf({ origin })),
      onChannel: (channel) => server.openConnection(channel),
    })
    if (web === undefined) {
      log.warn('web-ports-taken', {})
      return
    }
    scope.defer(web.close)
    this.#websocket = `ws://127.0.0.1:${web.port}`
  }
}
