/** Simulates in a thread of its own, for a test, whose clock and timers stay real. `workerData`: the runs, in their order. Prints their reports. */
import { workerData } from 'node:worker_threads'
import { openSimulation } from './open.ts'
import type { RunOptions } from './simulate.ts'

const simulate = await openSimulation(undefined)
const reports = []
for (const run of workerData as readonly RunOptions[]) reports.push(await simulate(run))
console.log(JSON.stringify(reports))
