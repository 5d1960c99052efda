/** Tries the faults of a scenario, several at once. */
import { attempt } from './attempt.ts'
import type { Fault } from './faults.ts'
import type { Scenario } from './scenarios.ts'
import type { Platform } from './world.ts'

const TOGETHER = 2
/** A call whose turn came at another time in a run is tried again. */
const TRIES = 3

export interface Tally {
  readonly faults: number
  /** Faults that no run met. */
  readonly missed: readonly string[]
  readonly failures: readonly { readonly fault: string; readonly flaws: readonly string[] }[]
}

/** `nextApplication`: each run has an application of its own, because the platform keeps only so many sign-ins of a user. */
export async function tryEvery(
  platform: Platform,
  scenario: Scenario,
  faults: readonly Fault[],
  nextApplication: () => string,
): Promise<Tally> {
  const left = [...faults]
  const missed: string[] = []
  const failures: { fault: string; flaws: readonly string[] }[] = []
  const tryOne = async (fault: Fault): Promise<void> => {
    for (let tries = TRIES; tries > 0; tries--) {
      const { isHit, flaws } = await attempt(platform, scenario, nextApplication(), fault)
      if (flaws.length > 0) failures.push({ fault: fault.name, flaws })
      if (isHit || flaws.length > 0) return
    }
    missed.push(fault.name)
  }
  const work = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      try {
        await tryOne(fault)
      } catch (failure) {
        failures.push({ fault: fault.name, flaws: [`the run failed: ${(failure as Error).stack}`] })
      }
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  return { faults: faults.length, missed, failures }
}
