/** Opens the dashboard. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { dashboardKey } from '@sallyport/core/storage/dashboard-key'
import { lastLogLines } from '@sallyport/core/storage/log-file'
import type { Settings } from '../config/load.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import { type DashboardOptions, serveDashboard } from '../operator/dashboard/server.ts'
import { TabKeys } from '../operator/dashboard/tab-keys.ts'
import { FormCallMaker } from './form-calls.ts'
import type { DashboardPort } from '../start/open-ports.ts'

interface DashboardParts extends Pick<DashboardOptions, 'publisher' | 'operate' | 'applications' | 'controls' | 'figures' | 'traces'> {
  /** Of the sockets. */
  readonly addresses: () => readonly string[]
  /** Undefined when it is off. */
  readonly dashboard: DashboardPort | undefined
  readonly settings: Pick<Settings, 'application' | 'dataDir'>
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly scope: AsyncDisposableStack
}

/** Serves the dashboard, unless it is off. */
export function openDashboard({ dashboard, settings, log, scope, addresses, ...parts }: DashboardParts): void {
  if (dashboard === undefined) return
  const { held, token, code } = dashboard
  const { dataDir } = settings
  const keys = new TabKeys({ clock: parts.clock, port: held.port, master: () => dashboardKey(dataDir), printed: [token, code] })
  const calls = new FormCallMaker({ traces: parts.traces, addresses, application: settings.application })
  scope.defer(() => calls.end())
  scope.defer(
    serveDashboard({ ...parts, calls, held, token, keys, readLog: () => lastLogLines(dataDir), log: log.child({ part: 'dashboard' }) }),
  )
}
