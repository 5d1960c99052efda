/**
 * `npm run disk-faults -- [SCENARIO…]`: every call on a data file in each scenario fails, in each way. Prints the points and the failures of each
 * scenario, and ends with 1 after a failure or a fault that no run met.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFaultyDisk, missingForDisk } from '../support/vfs/faulty-disk.ts'
import { pointsBySqlite, pointsByStrace } from './attempt.ts'
import { tryEvery } from './every-fault.ts'
import { type Fault, faultsBySqlite, faultsByStrace } from './faults.ts'
import { missingForStrace } from './missing.ts'
import { SCENARIOS } from './scenarios.ts'
import { startPlatform } from './world.ts'

const SECOND_MS = 1000
const FIRST_APPLICATION = 888_100_000

const USAGE = `Usage: npm run disk-faults -- [SCENARIO…]. The scenarios are ${Object.keys(SCENARIOS).join(', ')}; without one, all are tried.`

const given = process.argv.slice(2)
if (given.includes('--help')) {
  console.log(USAGE)
  process.exit()
}
const unknown = given.filter((name) => !Object.hasOwn(SCENARIOS, name))
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. ${USAGE}`)
  process.exit(2)
}
const missing = missingForStrace() ?? (await missingForDisk())
if (missing !== undefined) {
  console.error(missing)
  process.exit(1)
}

let applications = FIRST_APPLICATION
const nextApplication = () => String(applications++)
const folder = mkdtempSync(join(tmpdir(), 'sp-'))
const library = await buildFaultyDisk(folder)
const platform = await startPlatform()
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (given.length > 0 && !given.includes(name)) continue
  const byStrace = await pointsByStrace(platform, scenario, nextApplication())
  const bySqlite = await pointsBySqlite(platform, scenario, nextApplication(), library)
  const kinds: readonly (readonly [kind: string, points: number, faults: readonly Fault[]])[] = [
    ['strace', byStrace.chosen.length, faultsByStrace(byStrace)],
    ['SQLite', bySqlite.length, faultsBySqlite(bySqlite, library)],
  ]
  for (const [kind, points, all] of kinds) {
    const start = performance.now()
    const { faults, missed, failures } = await tryEvery(platform, scenario, all, nextApplication)
    for (const { fault, flaws } of failures) console.log(`${fault}:\n${flaws.map((flaw) => `  ${flaw}`).join('\n')}`)
    for (const fault of missed) console.log(`no run met: ${fault}`)
    const seconds = Math.round((performance.now() - start) / SECOND_MS)
    console.log(`${name}, ${kind}: ${points} points, ${faults} faults, ${missed.length} missed, ${failures.length} failures, ${seconds} s`)
    if (failures.length + missed.length > 0) process.exitCode = 1
  }
}
await platform.close()
rmSync(folder, { recursive: true })
