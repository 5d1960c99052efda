/**
 * Opens every socket and port of the bridge. Their connections wait, with what they have sent, until the bridge is loaded, so the daemon
 * listens a few milliseconds after its start. This folder and what it imports are all that is loaded until then; a test holds the list.
 */
import { lstatSync } from 'node:fs'
import { once } from '@sallyport/core/once'
import { LOOPBACK } from '@sallyport/core/loopback'
import { BridgeError } from '@sallyport/core/errors'
import { type HeldPort, holdFirstFree, holdPort } from '@sallyport/core/net/held-port'
import { randomToken } from '@sallyport/core/os/random-token'
import { SANDBOX, SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import type { PlatformProfile } from '@sallyport/core/profile'
import { Secret } from '@sallyport/core/secret'
import {
  dashboardUrl,
  readDashboardPort,
  readSocketAddress,
  removeDashboardAddress,
  removeSocketAddress,
  writeDashboardAddress,
  writeDashboardPort,
  writeSocketAddress,
} from '@sallyport/core/storage/daemon-addresses'
import { holdSandboxPort, sandboxOrigin, sandboxUrls } from '@sallyport/sandbox/addresses'
import type { Settings } from '../config/load.ts'
import { firstSlotOf, isLaterSlot, probeSlot } from '../ipc/transport/address.ts'
import { type LocalSockets, openLocalSockets } from '../ipc/transport/local.ts'
import { type Beside, openBeside } from './beside.ts'
import type { Notice } from './notice.ts'
import { holdPresencePort, type PresencePort } from './presence-port.ts'
import type { ReadyLine } from './ready-line.ts'

/** Browsers and some libraries try these ports of the websocket transport, in this order. */
const WEBSOCKET_PORTS = Array.from({ length: 10 }, (_, index) => 6463 + index)

export interface DashboardPort {
  readonly held: HeldPort
  /** Tools send it with each request. */
  readonly token: Secret<string>
  /** Of the one-time address that is printed for the user. */
  readonly code: Secret<string>
}

export interface OpenPorts {
  readonly local: LocalSockets
  /** Undefined when all its ports are taken, which affects pages only. */
  readonly websocket: HeldPort | undefined
  /** Undefined, as the following ports, when it is off. */
  readonly dashboard: DashboardPort | undefined
  readonly webhooks: HeldPort | undefined
  readonly metrics: HeldPort | undefined
  readonly presence: PresencePort | undefined
  /** The sandbox has a port of its own. */
  readonly platform: { readonly profile: PlatformProfile } | { readonly sandbox: HeldPort }
  readonly ready: ReadyLine
  readonly notices: readonly Notice[]
  /** Resolves when the bridge has the first slot; at once if no other server has it. */
  readonly firstSlot: Promise<void>
  /** Opens what games need that look elsewhere, after the ready line. Each call returns the first one's result. Never rejects. */
  readonly openBeside: () => Promise<Beside>
  /** Resolves when a connection needs the bridge. */
  readonly needed: Promise<void>
  /** Closes all ports, and the connections that wait. */
  close(): Promise<void>
}

export type OpenPortsFor = (settings: Settings, announce: (text: string) => void) => Promise<OpenPorts>

/** A bridge of this user runs with the data folder already. Only a start by a service manager looks for it. */
export class AnotherBridge extends Error {}

/**
 * Rejects with SERVICE_UNAVAILABLE when a socket or a port that was asked for cannot be opened, and with AnotherBridge; then all are closed.
 */
export const openPorts: OpenPortsFor = async (settings, announce) => {
  const { dataDir, profile } = settings
  const { promise: needed, resolve: onNeeded } = Promise.withResolvers<void>()
  await using scope = new AsyncDisposableStack()
  const kept = <Port extends HeldPort>(held: Port): Port => {
    scope.defer(() => held.close())
    return held
  }
  const orAdvice = (opened: Promise<HeldPort>, advice: string): Promise<HeldPort> =>
    opened.catch((cause: unknown) => {
      if (cause instanceof BridgeError) throw cause
      throw new BridgeError('SERVICE_UNAVAILABLE', advice, {}, { cause })
    })

  const platform = profile === undefined ? { sandbox: kept(await holdSandboxPort(settings.sandboxPort, onNeeded)) } : { profile }
  const presence = settings.bridgePort === 'off' ? undefined : await holdPresencePort(settings.bridgePort, onNeeded)
  if (presence?.held !== undefined) kept(presence.held)
  const { webhookPort, dashboardPort, metrics: metricsPort } = settings
  const webhooks =
    webhookPort === 'off'
      ? undefined
      : kept(
          await orAdvice(
            holdPort(webhookPort, onNeeded),
            `Cannot listen for webhooks on port ${webhookPort}; choose another --webhook-port, or off.`,
          ),
        )
  const metrics =
    metricsPort === 'off'
      ? undefined
      : kept(
          await orAdvice(
            holdPort(metricsPort, onNeeded),
            `The metrics cannot be served on port ${metricsPort}; choose another port for --metrics, or off.`,
          ),
        )
  const local = await openLocalSockets({
    directory: settings.runtimeDir,
    ipcPrefix: profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX,
    hasPrivateFolder: settings.isRuntimeDirDefault,
    onNeeded,
  })
  scope.defer(local.close)
  await assertOnlyBridge(local, dataDir)
  const announceAddress = (): void => {
    if (local.ownAddress !== undefined) writeSocketAddress(dataDir, local.ownAddress)
  }
  announceAddress()
  if (local.ownAddress !== undefined) scope.defer(() => removeSocketAddress(dataDir))
  const websocket = await holdFirstFree(WEBSOCKET_PORTS, onNeeded)
  if (websocket !== undefined) kept(websocket)
  const dashboard =
    dashboardPort === 'off'
      ? undefined
      : {
          held: kept(
            await orAdvice(
              holdDashboardPort(dataDir, dashboardPort, onNeeded),
              `The dashboard cannot listen on port ${dashboardPort}; choose another --dashboard-port, or off.`,
            ),
          ),
          token: new Secret(randomToken()),
          code: new Secret(randomToken()),
        }
  const url = dashboard === undefined ? null : dashboardUrl(dashboard.held.port, dashboard.token)
  if (url !== null) {
    writeDashboardAddress(dataDir, url)
    scope.defer(() => removeDashboardAddress(dataDir))
  }

  const ipc = local.sockets.map(({ address }) => address)
  const name = profile?.name ?? SANDBOX
  const { baseUrl: apiBase, tokenUrl } = 'profile' in platform ? platform.profile : sandboxUrls(sandboxOrigin(platform.sandbox.port))
  const ready: ReadyLine = {
    event: 'ready',
    pid: process.pid,
    ipc,
    platform: name,
    apiBase,
    tokenUrl,
    dashboard: url,
    ...(webhooks === undefined ? {} : { webhooks: `http://${LOOPBACK}:${webhooks.port}/webhooks/` }),
    ...(metrics === undefined ? {} : { metrics: `http://${LOOPBACK}:${metrics.port}/metrics` }),
    ...(websocket === undefined ? {} : { websocket: `ws://${LOOPBACK}:${websocket.port}` }),
    ...(presence?.address === undefined ? {} : { bridge: presence.address }),
  }
  const { promise: firstSlot, resolve: onFirstSlot } = Promise.withResolvers<void>()
  const notices = noticesOf(
    { ipc, websocket, presence, wanted: settings.bridgePort, isFirst: local.awaitFirstSlot === undefined },
    announce,
  )
  notices.push({ level: 'info', event: 'ready', fields: { ipc, platform: name } })
  const watch = local.awaitFirstSlot?.(() => {
    announceAddress()
    onFirstSlot()
  })
  if (watch === undefined) onFirstSlot()
  else scope.defer(async () => (await watch).stop())
  const opened = scope.move()
  const openBesideOnce = once(async () => {
    const beside = await openBeside(local, settings)
    opened.defer(() => beside.close())
    return beside
  })
  return {
    local,
    websocket,
    dashboard,
    webhooks,
    metrics,
    presence,
    platform,
    ready,
    notices,
    firstSlot,
    openBeside: openBesideOnce,
    needed,
    close: () => opened.disposeAsync(),
  }
}

/**
 * The socket unit starts the bridge where another server has the first slot. If that server is a bridge with this data folder, two would share
 * accounts and addresses.
 */
async function assertOnlyBridge({ isActivated, awaitFirstSlot, ownAddress }: LocalSockets, dataDir: string): Promise<void> {
  const other = isActivated && awaitFirstSlot !== undefined ? readSocketAddress(dataDir) : undefined
  if (other === undefined || other === ownAddress || (await probeSlot(other)) !== 'taken') return
  throw new AnotherBridge(`Another bridge runs with the data folder ${dataDir}, at ${other}. This one ends.`)
}

/** Without a port that was asked for, that of the last run: an open page goes on, and a bookmark stays right. */
async function holdDashboardPort(dataDir: string, wanted: number, onNeeded: () => void): Promise<HeldPort> {
  if (wanted !== 0) return holdPort(wanted, onNeeded)
  const last = readDashboardPort(dataDir)
  const held = (last === 0 ? undefined : await holdFirstFree([last], onNeeded)) ?? (await holdPort(0, onNeeded))
  if (held.port !== last) writeDashboardPort(dataDir, held.port)
  return held
}

interface Found extends Pick<OpenPorts, 'presence' | 'websocket'> {
  readonly ipc: readonly string[]
  readonly wanted: Settings['bridgePort']
  readonly isFirst: boolean
}

/** A file that is no socket has no server, and does not end by itself. */
function whatHasFirstSlot([address = '']: readonly string[]): string {
  const path = firstSlotOf(address)
  const found = lstatSync(path, { throwIfNoEntry: false })
  const server = "Another server has the first slot, perhaps the platform's desktop client."
  return found === undefined || found.isSocket() ? server : `${path} is no socket, but has the name of the first slot. Move it away.`
}

/** What differs from the usual ports. What a person can correct is announced too. */
function noticesOf({ ipc, websocket, presence, wanted, isFirst }: Found, announce: (text: string) => void): Notice[] {
  const notices: Notice[] = []
  if (presence?.reason !== undefined) {
    notices.push({ level: 'warn', event: 'bridge-port-taken', fields: { wanted, address: presence.address } })
    announce(presence.reason)
  }
  if (!isFirst || ipc.some(isLaterSlot)) {
    notices.push({ level: 'warn', event: 'first-slot-taken', fields: { ipc } })
    announce(
      `${whatHasFirstSlot(ipc)} Games that try only that slot connect to it and not to ${ipc.join(', ')}. ${isFirst ? 'To be first, stop it, start this bridge, then start it again.' : 'This bridge takes the slot when that server ends.'}`,
    )
  }
  if (websocket === undefined) notices.push({ level: 'warn', event: 'web-ports-taken', fields: {} })
  return notices
}
