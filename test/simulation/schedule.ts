/** What happens in a run, and when: a list, each with a stream of its own, so that one can be left out and the others stay as they are. */
import { FAULTS } from './faults.ts'
import { pick, type Random, streamOf } from './machine/random.ts'

const HOUR_MS = 3_600_000
/** In an hour. */
const LOAD = { call: 90, change: 45, fault: 6 } as const

export type StepKind = keyof typeof LOAD

export interface Step {
  /** ms since the start. */
  readonly at: number
  /** A game makes a call, another user changes something, or something breaks. */
  readonly kind: StepKind
  /** Names its stream. */
  readonly number: number
  /** What breaks. */
  readonly fault?: string
}

/** A schedule as `--schedule` reads it. */
export interface Schedule {
  readonly seed: number
  readonly hours: number
  readonly steps: readonly Step[]
}

/** What the step draws from. */
export const randomOf = (seed: number, { number }: Step): Random => streamOf(seed, `step ${number}`)

const WEIGHTED = FAULTS.flatMap(({ name, weight }) => Array.from({ length: weight }, () => name))

/** All steps of a seed, by time. */
export function scheduleOf(seed: number, hours: number): Schedule {
  const random = streamOf(seed, 'script')
  let number = 0
  const steps = (Object.keys(LOAD) as StepKind[]).flatMap((kind) =>
    Array.from({ length: Math.round(hours * LOAD[kind]) }, (): Step => {
      const at = random() * hours * HOUR_MS
      return { at, kind, number: ++number, ...(kind === 'fault' ? { fault: pick(random, WEIGHTED) } : {}) }
    }),
  )
  return { seed, hours, steps: steps.toSorted((one, other) => one.at - other.at) }
}

/** Lines that a person reads: what breaks by name. */
export const stepText = ({ at, kind, fault }: Step): string => `${(at / 1_000).toFixed(3).padStart(9)} s  ${fault ?? SENTENCES[kind]}`

const SENTENCES = {
  call: 'a game makes a call',
  change: 'another user changes something',
  fault: 'something breaks',
} as const satisfies Record<StepKind, string>
