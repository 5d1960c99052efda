/**
 * A few of the faults that `npm run disk-faults` tries: calls on the data files fail while the user pauses presence and blocks a program. What the
 * user and the game learnt is still true after a restart, and errors name the disk.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pointsByStrace } from '../disk-faults/attempt.ts'
import { tryEvery } from '../disk-faults/every-fault.ts'
import { faultsByStrace } from '../disk-faults/faults.ts'
import { missingForStrace } from '../disk-faults/missing.ts'
import { SCENARIOS } from '../disk-faults/scenarios.ts'
import { type Platform, startPlatform } from '../disk-faults/world.ts'
import { programMade } from './support/program.ts'

const missing = missingForStrace()
/** One call of each kind. */
const POINTS = [
  'rename presence.paused.new #1',
  'fsync choices.json.new #1',
  'pwrite64 grants.sqlite-wal #4',
  'write vault/tokens.sealed.new #3',
]
const WAYS = ['EIO once', 'ENOSPC for good', 'SIGKILL']

describe.skipIf(missing !== undefined)(missing ?? 'with strace', () => {
  let platform: Platform
  let applications = 888_200_000
  const nextApplication = () => String(applications++)

  beforeAll(async () => {
    await programMade()
    platform = await startPlatform()
  })
  afterAll(() => platform.close())

  test('a choice that the disk refused is an error that names it, and no answer becomes false', async () => {
    const scenario = SCENARIOS['choices']
    if (scenario === undefined) throw new Error('the scenario is gone')
    const all = faultsByStrace(await pointsByStrace(platform, scenario, nextApplication()))
    const chosen = all.filter(({ name }) => POINTS.some((point) => WAYS.some((way) => name === `${point}, ${way}`)))
    expect(chosen.length).toBe(POINTS.length * WAYS.length)
    expect(await tryEvery(platform, scenario, chosen, nextApplication)).toEqual({ faults: chosen.length, missed: [], failures: [] })
  })
})
