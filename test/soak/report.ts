/** The result of a soak: figures for users and programs, and whether every check passed. */
import { median } from '../bench/statistics.ts'
import type { Delivery } from './ledger.ts'
import { REQUESTERS } from './recovery.ts'
import type { Done, Failure, SoakOptions } from './soak.ts'
import { complaints, type Life, lives, type Sample, TOLERANCE } from './vitals.ts'
import type { World } from './world.ts'

/** Milliseconds, rounded. */
interface Spread {
  readonly count: number
  readonly median: number
  readonly highest: number
}

export interface Report {
  readonly ok: boolean
  readonly seed: number
  readonly target: string
  readonly seconds: number
  readonly steps: number
  readonly breaks: Readonly<Record<string, number>>
  /** Until AUTHORIZE_REQUEST reached the last game after a recovery, by where the request came from. */
  readonly authorizeMs: Readonly<Record<string, Spread>>
  /** Until every game was signed in and subscribed. */
  readonly wholeMs: Spread | undefined
  /** Until an event of each kind reached every subscribed game again. */
  readonly liveMs: Readonly<Record<string, Spread>>
  readonly deliveries: number
  readonly twice: number
  readonly memory: readonly Life[]
  readonly failure: Failure | undefined
  /** Everything else that is not as it should be. */
  readonly complaints: readonly string[]
}

export interface Played {
  readonly done: readonly Done[]
  readonly samples: readonly Sample[]
  readonly failure: Failure | undefined
  readonly leftOver: string | undefined
  readonly options: SoakOptions
  readonly world: World
  readonly tookMs: number
}

const duplicateSentence = ({ listener, event, content, connection }: Delivery): string =>
  `${listener} received ${event} ${content} twice on its connection ${connection}`

function spread(values: readonly number[]): Spread {
  return { count: values.length, median: Math.round(median(values)), highest: Math.round(Math.max(...values)) }
}

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

export function reportOf({ done, samples, failure, leftOver, options, world, tookMs }: Played): Report {
  const memory = lives(samples, TOLERANCE)
  const found = [
    ...complaints(memory, TOLERANCE),
    ...(leftOver === undefined ? [] : [leftOver]),
    ...world.ledger.duplicates.map(duplicateSentence),
    ...world.errors,
    ...(done.length === 0 && failure === undefined ? ['nothing was broken: give it more time, or more steps'] : []),
  ]
  const probes = Object.keys(done[0]?.recovery.liveMs ?? {})
  const asked = REQUESTERS.map(
    (requester) =>
      [requester, done.filter(({ recovery }) => recovery.requester === requester).map(({ recovery }) => recovery.authorizeMs)] as const,
  )
  return {
    ok: failure === undefined && found.length === 0,
    seed: options.seed,
    target: options.target.name,
    seconds: Math.round(tookMs / 1000),
    steps: done.length,
    breaks: counted(done.flatMap(({ step }) => step.breaks.map(({ kind }) => kind))),
    authorizeMs: Object.fromEntries(
      asked.filter(([, values]) => values.length > 0).map(([requester, values]) => [requester, spread(values)]),
    ),
    wholeMs: done.length === 0 ? undefined : spread(done.map(({ recovery }) => recovery.wholeMs)),
    liveMs: Object.fromEntries(probes.map((name) => [name, spread(done.map(({ recovery }) => recovery.liveMs[name] ?? Number.NaN))])),
    deliveries: world.ledger.deliveries,
    twice: world.ledger.duplicates.length,
    memory,
    failure,
    complaints: found,
  }
}

const MIB = 1_048_576
const mib = (bytes: number): string => (bytes / MIB).toFixed(1)

/** For people. */
export function reportText(report: Report): string {
  const { failure } = report
  const row = (name: string, { count, median: middle, highest }: Spread): string =>
    `  ${name}: median ${middle} ms, highest ${highest} ms (${count})`
  return [
    `${report.ok ? 'ok' : 'FAILED'}: seed ${report.seed}, ${report.target}, ${report.steps} steps in ${report.seconds} s`,
    'AUTHORIZE_REQUEST after a recovery',
    ...Object.entries(report.authorizeMs).map(([name, values]) => row(name, values)),
    'Everything else after a recovery',
    ...(report.wholeMs === undefined ? [] : [row('games signed in and subscribed', report.wholeMs)]),
    ...Object.entries(report.liveMs).map(([name, values]) => row(name, values)),
    `${report.deliveries} deliveries, ${report.twice} of them twice`,
    'Private memory of the daemon, MiB (first settled, highest, last, slope per step) and open files (first, last)',
    ...report.memory.map(
      ({ pid, samples, first, highest, last, slope, descriptors }) =>
        `  ${pid} (${samples} samples): ${mib(first)}, ${mib(highest)}, ${mib(last)}, ${slope === undefined ? '-' : mib(slope)}; ${descriptors.first}, ${descriptors.last}`,
    ),
    ...report.complaints.map((complaint) => `COMPLAINT ${complaint}`),
    ...(failure === undefined
      ? []
      : [`FAILED at step ${failure.step} of seed ${report.seed} (${failure.breaks.join(' + ')}): ${failure.why}`, failure.lastWords]),
  ].join('\n')
}
