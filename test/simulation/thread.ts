/**
 * Simulates in a thread of its own, for a test, whose clock and timers stay real. `workerData`: the runs, in their order. Prints their reports, and how
 * many machines are left in memory: that of the last run alone, unless the process keeps something of an earlier one.
 */
import { queryObjects } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { openSimulation } from './open.ts'
import type { RunOptions, RunReport } from './simulate.ts'

export interface ThreadReport {
  readonly reports: readonly RunReport[]
  readonly machines: number
}

const simulate = await openSimulation(undefined)
const reports: RunReport[] = []
for (const run of workerData as readonly RunOptions[]) reports.push(await simulate(run))
const { Machine } = await import('./machine/machine.ts')
console.log(JSON.stringify({ reports, machines: queryObjects(Machine, { format: 'count' }) } satisfies ThreadReport))
