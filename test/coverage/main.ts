/** `node test/coverage/main.ts` writes the pages of the coverage ledger, the event providers, the budgets, the log and the metrics; `--check` only compares. */
import { join } from 'node:path'
import { runCodegen } from '#protocol/codegen/files.ts'
import { budgetsPage } from './budgets-page.ts'
import { coveragePage } from './coverage-page.ts'
import { eventProvidersPage } from './event-providers-page.ts'
import { COVERAGE } from './index.ts'
import { logEventsPage } from './log-events-page.ts'
import { metricsPage } from './metrics-page.ts'
import { taggedFiles } from './tags.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = {
  'test/coverage/coverage.md': coveragePage(COVERAGE, taggedFiles()),
  'daemon/docs/event-providers.md': eventProvidersPage(),
  'daemon/docs/budgets.md': budgetsPage(),
  'daemon/docs/log-events.md': logEventsPage(),
  'daemon/docs/metrics.md': metricsPage(),
}

await runCodegen([{ directory: ROOT, files, isComplete: false }], process.argv)
