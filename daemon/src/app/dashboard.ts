/** Opens the dashboard: what it shows, and what its buttons do. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { serveDashboard } from '../admin/server.ts'
import { requestAccountLink } from '../events/account-link.ts'
import type { DashboardPort } from '../listeners/open-ports.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { type GrantRevocationDeps, revokeGrant } from '../sessions/grant-revocation.ts'
import { bridgeSnapshot, type SnapshotParts } from './snapshot.ts'

export interface DashboardParts {
  /** Undefined when it is off. */
  readonly dashboard: DashboardPort | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly snapshot: SnapshotParts
  readonly revocation: GrantRevocationDeps
  readonly acceptInvite: (messageId: string) => Promise<boolean>
  readonly scope: AsyncDisposableStack
}

/** Serves the dashboard, unless it is off. */
export function openDashboard({ dashboard, clock, log, peers, snapshot, revocation, acceptInvite, scope }: DashboardParts): void {
  if (dashboard === undefined) return
  const close = serveDashboard({
    clock,
    peers,
    ...dashboard,
    snapshot: () => bridgeSnapshot(snapshot),
    actions: {
      answer: (id, isAllowed) => snapshot.prompts.answer(id, isAllowed),
      revoke: (id) => revokeGrant(id, revocation),
      acceptInvite,
      link: (applicationId) => requestAccountLink(snapshot.hub, applicationId) > 0,
    },
    log: log.child({ part: 'dashboard' }),
  })
  scope.defer(close)
}
