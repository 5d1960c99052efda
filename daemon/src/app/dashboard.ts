/** Opens the dashboard: what it shows, and what its buttons do. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { serveDashboard } from '../admin/server.ts'
import type { DashboardPort } from '../start/open-ports.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { Operations } from '../rpc/handlers/operation.ts'
import { bridgeSnapshot, type SnapshotParts } from './snapshot.ts'

export interface DashboardParts {
  /** Undefined when it is off. */
  readonly dashboard: DashboardPort | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly snapshot: SnapshotParts
  readonly operations: Operations
  readonly acceptInvite: (messageId: string) => Promise<boolean>
  readonly scope: AsyncDisposableStack
}

/** Serves the dashboard, unless it is off. */
export function openDashboard({ dashboard, clock, log, peers, snapshot, operations, acceptInvite, scope }: DashboardParts): void {
  if (dashboard === undefined) return
  const close = serveDashboard({
    clock,
    peers,
    ...dashboard,
    snapshot: () => bridgeSnapshot(snapshot),
    actions: { ...operations, acceptInvite },
    log: log.child({ part: 'dashboard' }),
  })
  scope.defer(close)
}
