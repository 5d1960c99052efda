/** Opens the dashboard: what it shows, and what its buttons do. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import { removeAddress, writeAddress } from '../admin/address-file.ts'
import { startDashboard } from '../admin/server.ts'
import type { Settings } from '../config/load.ts'
import { requestAccountLink } from '../events/account-link.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { type GrantRevocationDeps, revokeGrant } from '../sessions/grant-revocation.ts'
import { bridgeSnapshot, type SnapshotParts } from './snapshot.ts'

export interface DashboardParts {
  readonly settings: Pick<Settings, 'dashboardPort' | 'dataDir'>
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly snapshot: SnapshotParts
  readonly revocation: GrantRevocationDeps
  readonly acceptInvite: (messageId: string) => Promise<boolean>
  readonly scope: AsyncDisposableStack
}

const TOKEN_BYTES = 24

/** Resolves with its address and token; null when it is off. */
export async function openDashboard({
  settings,
  clock,
  log,
  peers,
  snapshot,
  revocation,
  acceptInvite,
  scope,
}: DashboardParts): Promise<string | null> {
  if (settings.dashboardPort === 'off') return null
  const dashboard = await startDashboard({
    clock,
    peers,
    port: settings.dashboardPort,
    token: new Secret(randomBytes(TOKEN_BYTES).toString('base64url')),
    snapshot: () => bridgeSnapshot(snapshot),
    actions: {
      answer: (id, isAllowed) => snapshot.prompts.answer(id, isAllowed),
      revoke: (id) => revokeGrant(id, revocation),
      acceptInvite,
      link: (applicationId) => requestAccountLink(snapshot.hub, applicationId) > 0,
    },
    log: log.child({ part: 'dashboard' }),
  })
  scope.defer(dashboard.close)
  writeAddress(settings.dataDir, dashboard.url)
  scope.defer(() => removeAddress(settings.dataDir))
  return dashboard.url
}
