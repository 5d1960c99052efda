/**
 * Fuzzing by coverage. An input that reaches something for the first time is kept, and later inputs are made of those that are kept. Without
 * guidance, inputs are noise and changes of the seeds: what random testing does.
 */
import { seededRandom } from '#test/e2e/support/seeded-random.ts'
import { Coverage, type Pair } from './coverage.ts'
import { mutated, noise, type Parent, type Random } from './mutate.ts'
import type { Target } from './target.ts'

/** Inputs between two looks at the clock. */
const ROUND = 64
/** What was found last leads on most often. */
const LATE = 16

export interface Finding {
  readonly input: Buffer
  readonly error: Error
}

export interface Fuzzed {
  readonly inputs: number
  /** The numbers of the branches that were reached. */
  readonly reached: readonly number[]
  readonly corpus: readonly Buffer[]
  readonly finding: Finding | undefined
}

interface Plan {
  readonly seed: number
  readonly isGuided: boolean
  readonly corpus: readonly Buffer[]
  /** Whether to go on, after so many inputs. */
  readonly goesOn: (inputs: number) => boolean
  /** Sees each input before it runs: one that hangs is then known. */
  readonly onInput?: (input: Buffer) => void
}

const NO_PAIRS: readonly Pair[] = []

function failureOf({ run }: Target, input: Buffer): Error | undefined {
  try {
    run(input)
    return undefined
  } catch (failure) {
    return failure instanceof Error ? failure : new Error(`threw ${String(failure)}`)
  }
}

/** `load`: imports the target, whose code is instrumented. Ends at the first finding. */
export async function fuzz(load: () => Promise<Target>, { seed, isGuided, corpus, goesOn, onInput }: Plan): Promise<Fuzzed> {
  const coverage = new Coverage()
  const target = await load()
  // What runs when the modules load is no merit of an input.
  coverage.reset()
  const next = seededRandom(seed)
  const random: Random = { below: (end) => Math.floor(next() * end) }
  const seeds = [...target.seeds.map((one) => Buffer.from(one)), ...corpus]
  const words = (target.words ?? []).map((word) => Buffer.from(word))
  const pool: Parent[] = isGuided ? [] : seeds.map((bytes) => ({ bytes, pairs: NO_PAIRS }))
  let inputs = 0
  const attempt = (bytes: Buffer): Finding | undefined => {
    inputs += 1
    onInput?.(bytes)
    const error = failureOf(target, bytes)
    const { isNew, pairs } = coverage.take()
    if (isGuided && isNew) pool.push({ bytes, pairs })
    return error === undefined ? undefined : { input: bytes, error }
  }
  const fuzzed = (finding?: Finding): Fuzzed => {
    target.close?.()
    const kept = isGuided ? pool.map(({ bytes }) => bytes) : []
    return { inputs, reached: coverage.reached, corpus: kept, finding }
  }
  for (const input of seeds) {
    const finding = attempt(input)
    if (finding !== undefined) return fuzzed(finding)
  }
  const pick = (): Parent => {
    const isLate = isGuided && random.below(2) === 0
    const from = isLate ? Math.max(0, pool.length - LATE) : 0
    return pool[from + random.below(pool.length - from)] ?? { bytes: Buffer.alloc(0), pairs: NO_PAIRS }
  }
  while (goesOn(inputs)) {
    for (let count = 0; count < ROUND; count++) {
      const isNoise = !isGuided && random.below(2) === 0
      const finding = attempt(isNoise ? noise(random) : mutated(pick(), random, words, pick().bytes))
      if (finding !== undefined) return fuzzed(finding)
    }
  }
  return fuzzed()
}
