/** The schedule of breaks, as a pure function of the seed: events in a run do not change it. */
import { seededRandom } from '../e2e/support/seeded-random.ts'

/** A kind of break and how often it comes, against the others. */
export interface Likelihood<Kind extends string = string> {
  readonly kind: Kind
  readonly weight: number
  /** How long everything is mostly left alone after it, milliseconds. */
  readonly restMs?: number
}

export interface Step<Kind extends string = string> {
  /** From 1. */
  readonly number: number
  /** One, or several at the same time. */
  readonly breaks: readonly { readonly kind: Kind; readonly seed: number }[]
  /** Before it, milliseconds. */
  readonly pauseMs: number
  /** After it. */
  readonly restMs: number
}

export interface ScheduleOptions<Kind extends string> {
  readonly seed: number
  readonly kinds: readonly Likelihood<Kind>[]
  readonly longestPauseMs: number
  /** How many kinds are broken at once in the first round; one when absent. */
  readonly together?: number
}

/** How many of the steps break two things at once. */
const DOUBLE_SHARE = 0.2
/** How many of the rests are kept. */
const REST_SHARE = 0.75
const SEED_RANGE = 4_294_967_296

export type Random = () => number

/** A whole number from 0 up to and without `end`. */
export const below = (random: Random, end: number): number => Math.floor(random() * end)

/** One of them; there must be one. */
export function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[below(random, from.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const result = [...list]
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = below(random, at + 1)
    ;[result[at], result[other]] = [result[other] as T, result[at] as T]
  }
  return result
}

/** One of them, by weight. */
export function weighted<Kind extends string>(random: Random, kinds: readonly Pick<Likelihood<Kind>, 'kind' | 'weight'>[]): Kind {
  let left = random() * kinds.reduce((sum, { weight }) => sum + weight, 0)
  for (const { kind, weight } of kinds) {
    left -= weight
    if (left < 0) return kind
  }
  return pick(random, kinds).kind
}

/** Endless: first every kind once, in the order that the seed gives, then by weight. */
export function* schedule<Kind extends string>(options: ScheduleOptions<Kind>): Generator<Step<Kind>, never, void> {
  const { seed, kinds, longestPauseMs, together = 1 } = options
  const random = seededRandom(seed)
  const rests = new Map(kinds.map(({ kind, restMs }) => [kind, restMs]))
  const first = shuffled(
    random,
    kinds.map(({ kind }) => kind),
  )
  for (let number = 1; ; number += 1) {
    const drawn = [weighted(random, kinds), weighted(random, kinds)]
    const later = random() < DOUBLE_SHARE ? [...new Set(drawn)] : drawn.slice(0, 1)
    const due = first.splice(0, together)
    const breaks = (due.length > 0 ? due : later).map((kind) => ({ kind, seed: below(random, SEED_RANGE) }))
    const restMs = Math.max(...breaks.map(({ kind }) => rests.get(kind) ?? 0))
    yield { number, breaks, pauseMs: below(random, longestPauseMs + 1), restMs: random() < REST_SHARE ? restMs : 0 }
  }
}
