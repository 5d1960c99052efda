/** Joins what shows presence: the arbiter, the dashboard's memory, the pages of web clients, and the ways out of this machine. */
import type { BridgeStatus } from '@sallyport/protocol'
import type { Settings } from '../config/load.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { SessionRegistry } from '../sessions/registry.ts'
import { PresenceArbiter } from '../presence/arbiter.ts'
import type { PresenceChannel } from '../presence/channel.ts'
import type { HeadlessSyncDeps } from '../presence/channels/headless-session-sync.ts'
import { HeadlessSessions } from '../presence/channels/headless-sessions.ts'
import { latestPerApplication } from '../presence/latest-per-application.ts'
import { OutboundPresence } from '../presence/outbound-presence.ts'
import { type PresenceStore, createPresenceStore } from '../presence/presence-store.ts'
import type { OpenedPresenceFeed } from '../presence/feed/open.ts'
import type { PresenceSink } from '../presence/sink.ts'
import { SessionOwners } from '../presence/session-owners.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'

export interface ShowingParts {
  readonly settings: Pick<Settings, 'bridgePort' | 'bridgeOrigins'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly registry: SessionRegistry
  readonly call: HeadlessSyncDeps['call']
  readonly announce: (line: string) => void
  readonly closers: Closer[]
}

export interface Showing {
  readonly presence: PresenceArbiter
  readonly users: SessionOwners
  readonly shown: PresenceStore
  readonly headless: HeadlessSessions
  /** Of the presence websocket; undefined when it is off or no port was free. */
  readonly bridgeAddress: string | undefined
  /** Ways out that are better than a headless session, the best first. */
  use(carriers: readonly PresenceChannel[]): void
  status(): NonNullable<BridgeStatus['presence']>
}

/** Undefined when it is off; then nothing of it is loaded. */
async function presenceBridge({
  settings,
  profile,
  clock,
  log,
  peers,
  announce,
  closers,
}: ShowingParts): Promise<OpenedPresenceFeed | undefined> {
  const { bridgePort: port, bridgeOrigins: origins = profile.presenceOrigins } = settings
  if (port === 'off') return undefined
  const { openPresenceFeed } = await import('../presence/feed/open.ts')
  const bridge = await openPresenceFeed({ port, origins, clock, log, peers })
  if (bridge.reason !== undefined) {
    log.warn('bridge-port-taken', { wanted: port, address: bridge.address })
    announce(bridge.reason)
  }
  closers.push(bridge.close)
  return bridge
}

export async function openShowing(parts: ShowingParts): Promise<Showing> {
  const { clock, log, registry, call, closers } = parts
  const bridge = await presenceBridge(parts)
  const shown = createPresenceStore()
  const outward = new OutboundPresence((player) => presence.resend(player))
  // A page cannot say whose page it is, so it is told of one player of each application.
  const pages = bridge && latestPerApplication((applicationId, newest) => bridge.sink.show(applicationId, newest))
  const sinks: readonly PresenceSink[] = [shown, ...(pages === undefined ? [] : [{ show: pages }]), outward]
  // Hears of sign-ins first, so that what becomes a user's then is shown for them at once.
  const headless = new HeadlessSessions({ clock, log: log.child({ part: 'headless-sessions' }), registry, call })
  const users = new SessionOwners(registry)
  const presence = new PresenceArbiter({ clock, sinks, userOf: (sessionId) => users.of(sessionId) })
  users.onChange((applicationId) => presence.usersChanged(applicationId))
  closers.push(async () => presence.stop())
  return {
    presence,
    users,
    shown,
    headless,
    bridgeAddress: bridge?.address,
    use: (carriers) => outward.use([...carriers, headless]),
    status: () => ({
      headless_sessions: { ...headless.health() },
      ...(bridge === undefined
        ? {}
        : {
            bridge: {
              ...(bridge.address === undefined ? {} : { address: bridge.address }),
              ...(bridge.reason === undefined ? {} : { reason: bridge.reason }),
              pages: bridge.sink.subscriberCount,
            },
          }),
    }),
  }
}
