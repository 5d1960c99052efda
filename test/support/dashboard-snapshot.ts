/** What the dashboard shows of a bridge that has nothing to show. */
import type { DashboardSnapshot } from '#daemon/src/admin/snapshot.ts'

export const EMPTY_SNAPSHOT: DashboardSnapshot = {
  version: '0.1.0',
  platform: 'sandbox',
  ipc: ['/run/x/discord-ipc-0'],
  sandboxOrigin: null,
  sessions: [],
  presences: [],
  presencePaused: false,
  accounts: [],
  vaultProblem: null,
  grants: [],
  questions: [],
  pages: [],
  invites: [],
  sources: [],
  warnings: [],
  counters: { calls: 3 },
}
