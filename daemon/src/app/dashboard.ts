/** Opens the dashboard. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { type DashboardOptions, serveDashboard } from '../operator/dashboard/server.ts'
import type { DashboardPort } from '../start/open-ports.ts'

interface DashboardParts extends Pick<DashboardOptions, 'publisher' | 'operate'> {
  /** Undefined when it is off. */
  readonly dashboard: DashboardPort | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly scope: AsyncDisposableStack
}

/** Serves the dashboard, unless it is off. */
export function openDashboard({ dashboard, clock, log, peers, publisher, operate, scope }: DashboardParts): void {
  if (dashboard === undefined) return
  scope.defer(serveDashboard({ clock, peers, ...dashboard, publisher, operate, log: log.child({ part: 'dashboard' }) }))
}
