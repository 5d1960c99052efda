/** A made-up run: a heap that fills while games play and is collected between the rounds, with a leak of the size asked. */
import type { Sample } from '../../endurance/sampler.ts'
import type { Bounds, Measured } from '../../endurance/verdicts.ts'
import { seededRandom } from '../../e2e/support/seeded-random.ts'

const KIB_PER_MIB = 1024
const REST = 34 * KIB_PER_MIB
/** Of a round, and what waits for a collection at its end, KiB. */
const ROUND_S = { short: 55, long: 165 } as const
const GARBAGE = 60 * KIB_PER_MIB
const NOISE = 100
const HOUR_S = 3_600

export interface Made {
  readonly minutes: number
  /** MiB per hour. */
  readonly leak?: number
  /** Descriptors per hour. */
  readonly descriptorLeak?: number
  readonly more?: Partial<Measured>
}

export const SHORT: Bounds = { warmUpS: 150, memoryPerHour: 6, by: 'low' }
export const LONG: Bounds = { warmUpS: 600, memoryPerHour: 1, by: 'perHour' }

export function measuredOf({ minutes, leak = 0, descriptorLeak = 0, more = {} }: Made): Measured {
  const random = seededRandom(minutes)
  const loadS = minutes * 60
  const roundS = minutes < 30 ? ROUND_S.short : ROUND_S.long
  const at = (s: number): Sample => {
    const leaked = (leak * KIB_PER_MIB * s) / HOUR_S
    const waiting = (GARBAGE * (s % roundS)) / roundS
    return {
      s,
      private: REST + leaked + waiting + NOISE * random(),
      rss: REST * 2,
      descriptors: 140 + Math.floor((descriptorLeak * s) / HOUR_S) + Math.floor(random() * 4),
      threads: 6,
      cpu: s,
    }
  }
  const rest: Sample = { s: 0, private: REST, rss: REST * 2, descriptors: 32, threads: 6, cpu: 0 }
  return {
    samples: Array.from({ length: loadS }, (_, s) => at(s)),
    rests: Array.from({ length: Math.floor(loadS / roundS) }, (_, round) => at((round + 1) * roundS)),
    loadS,
    before: rest,
    after: rest,
    wakeUps: 0,
    unexpected: [],
    calls: 1000,
    answers: 1000,
    ...more,
  }
}
