/**
 * Counts the work of JavaScript: how often each block of it runs. Not what it takes, which depends on the machine. Import it before the code
 * whose work is counted: V8 counts the blocks of functions that it compiles later, and counts calls of the others.
 */
import { type Profiler, Session } from 'node:inspector'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

function taken(): readonly Profiler.ScriptCoverage[] {
  let scripts: readonly Profiler.ScriptCoverage[] = []
  // It calls back at once.
  session.post('Profiler.takePreciseCoverage', (failure, found) => {
    if (failure !== null) throw failure
    scripts = found.result
  })
  return scripts
}

/** How many blocks run during a task, infinitely many if V8 cannot count them, in the files whose address contains one of these parts. */
export function blocksOf(parts: readonly string[], task: () => void): number {
  taken()
  task()
  return (
    taken()
      .filter(({ url }) => parts.some((part) => url.includes(part)))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      // A counter has 32 bits with a sign.
      .reduce((sum, { count }) => sum + (count < 0 ? Number.POSITIVE_INFINITY : count), 0)
  )
}
