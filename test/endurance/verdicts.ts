/** Whether a run held: one row per promise, as a pure function of what was measured. */
import type { Sample } from './sampler.ts'
import { type Trend, trendOf } from './trend.ts'

export interface Bounds {
  /** Seconds of the load before its memory counts: code is still loaded and compiled, and caches fill. */
  readonly warmUpS: number
  /** Private memory, MiB per hour. */
  readonly memoryPerHour: number
  /** What must be below it: the median, or the lower end of the interval, because the median of a short run says little. */
  readonly by: 'perHour' | 'low'
}

export interface Measured {
  readonly samples: readonly Sample[]
  /** One for each round of the load: all games are gone, and garbage is collected. */
  readonly rests: readonly Sample[]
  /** Seconds of the load. */
  readonly loadS: number
  /** At rest: after all games were there once and left, and after the load. */
  readonly before: Sample
  readonly after: Sample
  /** In a minute, at the end. */
  readonly wakeUps: number
  /** What no answer, event or end of a connection should have been. */
  readonly unexpected: readonly string[]
  readonly calls: number
  readonly answers: number
}

export interface Verdict {
  readonly what: string
  readonly found: string
  readonly bound: string
  readonly isHeld: boolean
}

const KIB_PER_MIB = 1024
/** Above the rest before the load, MiB: what V8 compiled and what it keeps of a heap that was larger. */
const GIVEN_BACK = 10
/** MiB, while all games play: V8 gives new objects more and more room before it collects them, and stops at some point. */
const HIGHEST = 160
/** Descriptors by which a third of the load may differ from another: connections to the platform come and go. */
const DESCRIPTOR_SLACK = 2

const mib = (kib: number): string => `${(kib / KIB_PER_MIB).toFixed(1)} MiB`

/** Of private memory between the rounds, in KiB per hour. */
export const memoryTrend = ({ rests }: Measured, { warmUpS }: Bounds): Trend | undefined =>
  trendOf(rests.filter(({ s }) => s >= warmUpS).map((sample) => ({ s: sample.s, value: sample.private })))

function memoryVerdict(measured: Measured, bounds: Bounds): Verdict {
  const what = 'private memory grows, per hour'
  const bound = `< ${bounds.memoryPerHour} MiB${bounds.by === 'low' ? ', by the lower end' : ''}`
  const trend = memoryTrend(measured, bounds)
  if (trend === undefined) return { what, found: 'too short to say', bound, isHeld: false }
  const { perHour, low, high, points } = trend
  return {
    what,
    found: `${mib(perHour)} (95 %: ${mib(low)} to ${mib(high)}, ${points} points)`,
    bound,
    isHeld: trend[bounds.by] < bounds.memoryPerHour * KIB_PER_MIB,
  }
}

/** The least of the first and of the last third of what counts: what is lost stays, and what comes and goes does not. */
function growthVerdict({ samples, loadS }: Measured, { warmUpS }: Bounds, figure: 'descriptors' | 'threads'): Verdict {
  const figures = samples.filter(({ s }) => s >= warmUpS && s <= loadS).map((sample) => sample[figure])
  const third = Math.floor(figures.length / 3)
  const first = Math.min(...figures.slice(0, third))
  const last = Math.min(...figures.slice(figures.length - third))
  return {
    what: `${figure} in the first and the last third of the load`,
    found: third === 0 ? 'too short to say' : `${first}, ${last}`,
    bound: `≤ ${DESCRIPTOR_SLACK} more`,
    isHeld: third > 0 && last <= first + DESCRIPTOR_SLACK,
  }
}

export function verdictsOf(measured: Measured, bounds: Bounds): readonly Verdict[] {
  const { samples, before, after, wakeUps, unexpected, calls, answers } = measured
  return [
    memoryVerdict(measured, bounds),
    {
      what: 'private memory at rest, before and after the load',
      found: `${mib(before.private)}, ${mib(after.private)}`,
      bound: `≤ ${GIVEN_BACK} MiB more`,
      isHeld: after.private <= before.private + GIVEN_BACK * KIB_PER_MIB,
    },
    {
      what: 'private memory at its highest',
      found: mib(samples.reduce((most, sample) => Math.max(most, sample.private), 0)),
      bound: `≤ ${HIGHEST} MiB`,
      isHeld: samples.every((sample) => sample.private <= HIGHEST * KIB_PER_MIB),
    },
    growthVerdict(measured, bounds, 'descriptors'),
    growthVerdict(measured, bounds, 'threads'),
    {
      what: 'descriptors at rest, before and after the load',
      found: `${before.descriptors}, ${after.descriptors}`,
      bound: 'the same',
      isHeld: before.descriptors === after.descriptors,
    },
    { what: 'wake-ups in a minute, after all games left', found: String(wakeUps), bound: '0', isHeld: wakeUps === 0 },
    {
      what: 'unexpected answers, events and ends of connections',
      found: `${unexpected.length} in ${calls} calls, ${answers} of them with success`,
      bound: '0',
      isHeld: unexpected.length === 0 && answers > 0,
    },
  ]
}
