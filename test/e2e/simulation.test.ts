/**
 * Twenty simulated hours, each with a seed of the date, so that every day tries others. A failure names its seed:
 * `npm run simulate -- --from SEED --seeds 1` repeats it.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { RunReport } from '../simulation/simulate.ts'

const SEEDS = 20
/** What an hour must have at least. */
const LOAD = { games: 5, calls: 60, events: 30, faults: 6 }
const MAIN = join(import.meta.dirname, '../simulation/main.ts')

test.skipIf(process.platform !== 'linux')('whole daemons in virtual time keep all promises, with the seeds of the date', async () => {
  const args = ['--conditions=sallyport-source', '--no-warnings', MAIN, '--from', 'today', '--seeds', String(SEEDS), '--json']
  const run = await promisify(execFile)(process.execPath, args).catch((failure: unknown) => failure as { readonly stdout: string })
  const reports = run.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RunReport)
  expect(reports).toHaveLength(SEEDS)
  expect(reports.flatMap(({ seed, failures }) => failures.map((failure) => `seed ${seed}: ${failure}`))).toEqual([])
  const sum = (of: (report: RunReport) => number): number => reports.reduce((all, report) => all + of(report), 0) / SEEDS
  expect(sum(({ games }) => games)).toBeGreaterThanOrEqual(LOAD.games)
  expect(sum(({ calls }) => calls)).toBeGreaterThanOrEqual(LOAD.calls)
  expect(sum(({ events }) => events)).toBeGreaterThanOrEqual(LOAD.events)
  expect(sum(({ faults }) => Object.values(faults).reduce((all, one) => all + one, 0))).toBeGreaterThanOrEqual(LOAD.faults)
})
