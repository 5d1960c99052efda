/**
 * `npm run disk-faults`: every call on a data file in each scenario fails, in each way. Prints the points tried and the failures of each scenario,
 * and ends with 1 after a failure. Arguments choose scenarios.
 */
import { parseArgs } from 'node:util'
import { attempt, listPoints } from './attempt.ts'
import { type Point, shownPoint, type Way, WAYS } from './points.ts'
import { SCENARIOS } from './scenarios.ts'
import { startPlatform } from './world.ts'

const TOGETHER = 2
/** A call whose turn came at another time in a run is tried again. */
const TRIES = 3
const FIRST_APPLICATION = 888_100_000

const { positionals, values } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' }, point: { type: 'string' }, way: { type: 'string' } } })
const chosen = Object.entries(SCENARIOS).filter(([name]) => positionals.length === 0 || positionals.includes(name))
const platform = await startPlatform()
let applications = FIRST_APPLICATION
const nextApplication = () => String(applications++)

for (const [name, scenario] of chosen) {
  const start = performance.now()
  const points = await listPoints(platform, scenario, nextApplication())
  const paths = [...new Set(points.map(({ path }) => path))]
  const left = points.flatMap((point) => WAYS.map((way) => ({ point, way }))).filter(({ point, way }) => (values.point === undefined || shownPoint(point) === values.point) && (values.way === undefined || way === values.way))
  const count = left.length
  const failed: { readonly point: Point; readonly way: Way; readonly flaws: readonly string[] }[] = []
  let missed = 0
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      let result
      try {
        for (let tries = TRIES; tries > 0 && result?.isHit !== true; tries--)
          result = await attempt(platform, scenario, nextApplication(), { ...next, paths })
      } catch (failure) {
        failed.push({ ...next, flaws: [`the test failed: ${(failure as Error).stack}`] })
        continue
      }
      if (values.verbose === true) console.log(result?.said)
      if (result?.isHit !== true) { missed += 1; console.log('missed', shownPoint(next.point), next.way) }
      if (result !== undefined && result.flaws.length > 0) failed.push({ ...next, flaws: result.flaws })
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  for (const { point, way, flaws } of failed) console.log(`${shownPoint(point)}, ${way}:\n${flaws.map((flaw) => `  ${flaw}`).join('\n')}`)
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`${name}: ${points.length} points, ${count} faults, ${missed} missed, ${failed.length} failures, ${seconds} s`)
  if (failed.length > 0) process.exitCode = 1
}
await platform.close()
