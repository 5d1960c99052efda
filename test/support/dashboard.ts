/** The parts of a dashboard's server besides what a test decides: no page asks for pictures, and the log is empty. */
import { systemClock } from '@sallyport/core/clock'
import { Secret } from '@sallyport/core/secret'
import type { DashboardOptions } from '#daemon/src/operator/dashboard/server.ts'
import type { Figures } from '@sallyport/core/dashboard-messages'
import { TabKeys } from '#daemon/src/operator/dashboard/tab-keys.ts'
import { silentLogger } from '#test/support/silent-logger.ts'
import { peersOf } from '#test/support/tcp-peers.ts'

/** Of a daemon that does nothing. */
export const NO_FIGURES: Figures = { calls: 0, events: 0, share: 1, skipped: 0, memory: 0, buckets: [] }

/** `token`: a page may enter with it once, as with a code. */
export const dashboardParts = (port: number, token: Secret<string>, master = 'master') =>
  ({
    clock: systemClock,
    peers: peersOf('this-user'),
    keys: new TabKeys({ clock: systemClock, port, master: () => new Secret(master), printed: [token] }),
    applications: { look: () => () => {}, image: () => undefined },
    readLog: () => [],
    traces: { follow: async () => () => {}, newest: () => ({ calls: [], events: [] }) },
    figures: () => NO_FIGURES,
    controls: undefined,
    calls: { make: async () => ({}), end: async () => {} },
    log: silentLogger,
  }) satisfies Partial<DashboardOptions>
