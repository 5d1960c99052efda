/** One run: all games come once and leave, then play for the time asked, then leave for good; the daemon is watched throughout. */
import { setTimeout as pause } from 'node:timers/promises'
import { Ground } from '../bench/contestants/contestants.ts'
import { type Circumstances, circumstances } from '../bench/machine.ts'
import { wakeUps } from '../bench/process-figures.ts'
import { folders, type Target } from '../e2e/support/daemon.ts'
import { Load } from './load.ts'
import { gamesOf } from './plan.ts'
import type { Report } from './report.ts'
import { type Sample, Sampler, sampleOf } from './sampler.ts'
import { Tally } from './tally.ts'
import { type Bounds, type Measured, verdictsOf } from './verdicts.ts'
import { buildWorld, type World } from './world.ts'

export interface EnduranceOptions {
  readonly target: Target
  readonly seed: number
  readonly minutes: number
  readonly games: number
  /** Turns of all games together. */
  readonly perSecond: number
  readonly roundMs: number
  readonly bounds: Bounds
  readonly onPhase: (line: string) => void
}

const MINUTE_MS = 60_000
const MS_PER_S = 1000
const SAMPLE_MS = 1_000
/** So that everything is loaded, what is opened late is open, and what V8 compiles of a busy daemon is compiled. */
const FIRST_VISIT_MS = 300_000
const FIRST_PACE = 3
/** Memory goes back some ten seconds after the last frame; V8 collects garbage until 46 s after it; the platform keeps connections that long. */
const REST_MS = 75_000
/** After a long load V8 looks at its heap once more, some hundred seconds after the last frame. */
const LAST_REST_MS = 130_000

/** Resolves to a sample of the daemon at rest. */
async function rested({ daemon }: World, restMs: number): Promise<Sample> {
  await pause(restMs)
  return sampleOf(daemon.pid, 0)
}

async function wakeUpsInMinute(pid: number): Promise<number> {
  const before = wakeUps(pid)
  await pause(MINUTE_MS)
  return wakeUps(pid) - before
}

async function measure(world: World, options: EnduranceOptions, tally: Tally): Promise<Measured> {
  const { seed, games, minutes, perSecond, roundMs, onPhase } = options
  const { pid } = world.daemon
  const load = new Load(world, gamesOf(games), tally)
  const sampler = new Sampler(pid, SAMPLE_MS)
  try {
    onPhase('all games come and leave')
    await load.play({ seed, perSecond: perSecond * FIRST_PACE, roundMs }, FIRST_VISIT_MS, () => {})
    onPhase('rest')
    const before = await rested(world, REST_MS)
    onPhase(`load of ${minutes} minutes`)
    const rests: Sample[] = []
    sampler.startLoad()
    tally.start(performance.now())
    await load.play({ seed: seed + 1, perSecond, roundMs }, minutes * MINUTE_MS, () => rests.push(sampler.now()))
    tally.stop()
    onPhase('rest')
    const after = await rested(world, LAST_REST_MS)
    onPhase('a minute without games')
    const woken = await wakeUpsInMinute(pid)
    const counts = tally.counts
    return {
      samples: sampler.samples,
      rests,
      loadS: (minutes * MINUTE_MS) / MS_PER_S,
      before,
      after,
      wakeUps: woken,
      unexpected: [...tally.unexpectedSentences, ...world.errors],
      calls: counts['calls'] ?? 0,
      answers: counts['answers'] ?? 0,
    }
  } finally {
    sampler.stop()
  }
}

/** Of the machine, before anything runs. */
async function machine(): Promise<Circumstances> {
  const ground = new Ground()
  try {
    return await circumstances(ground)
  } finally {
    await ground.clear()
  }
}

/** Rejects when the world cannot be built, or the daemon ends by itself. */
export async function endurance(options: EnduranceOptions): Promise<Report> {
  const { target, seed, games, bounds, onPhase } = options
  const where = await machine()
  const at = await folders()
  const closers: (() => Promise<void>)[] = [() => at.remove()]
  const tally = new Tally()
  try {
    const world = await buildWorld(target, at, gamesOf(games), closers)
    const measured = await measure(world, options, tally)
    return {
      seed,
      games,
      circumstances: where,
      bounds,
      measured,
      minutes: tally.minutes,
      counts: tally.counts,
      verdicts: verdictsOf(measured, bounds),
    }
  } finally {
    onPhase('the end')
    // Each part is ended although another one does not end well.
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => console.error('a part of the run did not end well:', error))
  }
}
