/** Runs the soak: break, heal and check in the order of the seed, until the time or the number of steps is over. */
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../e2e/support/seeded-random.ts'
import { type Folders, folders, type Target } from '../e2e/support/daemon.ts'
import { type Break, BREAK_KINDS, BREAKS, type BreakKind } from './breaks.ts'
import { type Probe, PROBES } from './probes.ts'
import { type Requester, REQUESTERS, type Bounds, Recoveries, type Recovery } from './recovery.ts'
import { type Report, reportOf } from './report.ts'
import { pick, schedule, type Step } from './schedule.ts'
import { type Sample, sample } from './vitals.ts'
import { buildWorld, type Closer, type World } from './world.ts'

export interface SoakOptions {
  readonly target: Target
  readonly seed: number
  /** The run ends after the first step that is done then. */
  readonly milliseconds: number
  readonly steps: number
  readonly longestPauseMs: number
  readonly longestRestMs: number
  /** How many kinds of breaks come at once in the first round. */
  readonly together: number
  readonly bounds: Bounds
  /** Kinds of breaks and probes to leave out, to narrow down a failure. */
  readonly without: readonly string[]
  readonly onStep: (line: string) => void
}

/** What a step did, and how everything came back. */
export interface Done {
  readonly step: Step<BreakKind>
  readonly tookMs: number
  readonly recovery: Recovery
}

/** Where and why it ended too early. */
export interface Failure {
  readonly step: number
  readonly breaks: readonly string[]
  readonly why: string
  /** What the daemon says of itself. */
  readonly lastWords: string
}

/** Presences leave the machine so seldom that looking after each step would leave no time for breaks. */
const PRESENCE_STEPS = 10

/** Characters. */
const SHOWN_LOG = 3_000

const rowOf = (kind: BreakKind): Break => BREAKS[kind]

/** At the same time, but for those that touch the same part: one after the other. */
async function breakAll(world: World, { breaks }: Step<BreakKind>): Promise<void> {
  const busy = new Map<string, Promise<void>>()
  for (const { kind, seed } of breaks) {
    const { touches, run } = rowOf(kind)
    const before = touches.flatMap((part) => busy.get(part) ?? [])
    const job = Promise.all(before).then(() => run(world, seededRandom(seed)))
    for (const part of touches) busy.set(part, job)
  }
  await Promise.all(busy.values())
}

async function play(world: World, recoveries: Recoveries, requesters: readonly Requester[], step: Step<BreakKind>): Promise<Recovery> {
  const { games } = world
  const random = seededRandom(step.breaks[0]?.seed ?? 0)
  await pick(random, games).show(`step ${step.number}`)
  const underWay = games.map((game) => game.callDuringBreak())
  world.ledger.setWhole(false)
  const breaking = breakAll(world, step)
  // Listeners come and go while it is broken.
  for (const game of games) game.churn()
  await breaking
  const since = performance.now()
  const recovery = await recoveries.check(since, requesters[step.number % requesters.length] ?? 'link')
  await Promise.all(underWay)
  return recovery
}

/** Never rejects once the world stands. */
async function playAll(
  world: World,
  probes: readonly Probe[],
  options: SoakOptions,
  startedAt: number,
): Promise<{ done: Done[]; samples: Sample[]; failure: Failure | undefined }> {
  const { seed, without, bounds, longestPauseMs, together, onStep } = options
  const kinds = BREAK_KINDS.filter((kind) => !without.includes(kind)).map((kind) => ({ kind, ...rowOf(kind) }))
  const requesters = REQUESTERS.filter((requester) => !without.includes(requester))
  const recoveries = new Recoveries(world, probes, requesters, bounds)
  const done: Done[] = []
  const samples: Sample[] = []
  for (const step of schedule({ seed, kinds, longestPauseMs, together })) {
    if (step.number > options.steps || performance.now() - startedAt > options.milliseconds) break
    const breaks = step.breaks.map(({ kind }) => kind)
    await pause(step.pauseMs)
    const from = performance.now()
    try {
      const recovery = await play(world, recoveries, requesters, step)
      const tookMs = performance.now() - from
      done.push({ step, tookMs, recovery })
      if (step.number % PRESENCE_STEPS === 0) await recoveries.checkPresences()
      await pause(Math.min(step.restMs, options.longestRestMs))
      await world.bridge.collectGarbage()
      samples.push(sample(world.bridge.running.pid, step.number))
      onStep(
        `${step.number} ${breaks.join(' + ')}: asked by ${recovery.requester} after ${Math.round(recovery.authorizeMs)} ms, games whole after ${Math.round(recovery.wholeMs)} ms, all in ${Math.round(tookMs)} ms`,
      )
    } catch (error) {
      return { done, samples, failure: { step: step.number, breaks, why: reasonOf(error), lastWords: await lastWords(world) } }
    }
  }
  return { done, samples, failure: undefined }
}

/** Builds the world, plays, ends it. Rejects only when the world cannot be built. */
export async function soak(options: SoakOptions): Promise<Report> {
  const probes = PROBES.filter(({ name }) => !options.without.includes(name))
  const at: Folders = await folders()
  const closers: Closer[] = [() => at.remove()]
  try {
    const world = await buildWorld(options.target, at, probes, closers)
    const startedAt = performance.now()
    const played = await playAll(world, probes, options, startedAt)
    const leftOver = played.failure === undefined ? await emptied(world) : undefined
    return reportOf({ ...played, options, world, leftOver, tookMs: performance.now() - startedAt })
  } finally {
    // Each part is ended although another one does not end well.
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => console.error('a part of the soak did not end well:', error))
  }
}

/** The games quit: what is left of them in the daemon, as a sentence; undefined when nothing is. */
async function emptied({ games, operator }: World): Promise<string | undefined> {
  for (const game of games) await game.client.close()
  const giveUpAt = performance.now() + EMPTY_MS
  for (;;) {
    const { games: connected, presences } = await operator.state()
    if (connected.length + presences.length === 0) return undefined
    if (performance.now() > giveUpAt)
      return `${connected.length} sessions and ${presences.length} presences are left when all games are gone`
    await pause(EMPTY_LOOK_MS)
  }
}

/** A presence is taken back within the time in which only so many changes may leave the machine. */
const EMPTY_MS = 25_000
const EMPTY_LOOK_MS = 20

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What the daemon says of itself, and what it logged last. */
async function lastWords({ bridge, games }: World): Promise<string> {
  const { death } = bridge
  if (death !== undefined) return `the daemon ended by itself: ${death}`
  const status = await games[0]?.client.call('GET_BRIDGE_STATUS').catch(reasonOf)
  return `${JSON.stringify(typeof status === 'object' ? status.providers : status)}\n${bridge.running.printed.slice(-SHOWN_LOG)}`
}
