/** Makes the schedule of a failure short: leaves out parts as long as the same check still fails. Delta debugging, down to single steps. */
import type { Schedule, Step } from './schedule.ts'

export interface Shrunk {
  readonly schedule: Schedule
  /** Runs that it took. */
  readonly runs: number
}

/** The failure without times, numbers, names of folders and of games, which change with the schedule. */
export const kindOf = (failure: string): string =>
  failure
    .replace(/^[\d.]+ s(?:, [a-z ]+)?: /, '')
    .replaceAll(/"[^"]*"|\S*\/\S+/g, '…')
    .replaceAll(/\d+/g, '0')
    .slice(0, 60)

/** `stillFails`: whether the run of these steps has the failure. `mostRuns`: after so many it returns the shortest so far. */
export async function shrink(
  schedule: Schedule,
  stillFails: (steps: readonly Step[]) => Promise<boolean>,
  mostRuns: number,
): Promise<Shrunk> {
  let steps = schedule.steps
  let runs = 0
  let parts = 2
  while (steps.length > 1 && runs < mostRuns) {
    const size = Math.ceil(steps.length / parts)
    let isShorter = false
    for (let from = 0; from < steps.length && runs < mostRuns; ) {
      const rest = [...steps.slice(0, from), ...steps.slice(from + size)]
      runs += 1
      if (await stillFails(rest)) {
        steps = rest
        isShorter = true
      } else from += size
    }
    if (isShorter && parts > 2) parts = Math.max(2, parts - 1)
    else if (size === 1) break
    if (!isShorter) parts = Math.min(steps.length, parts * 2)
  }
  return { schedule: { ...schedule, steps }, runs }
}
