/**
 * What instrumented code reports about a run: the branches it took and how often, how near each comparison was to equal, and which values were
 * compared. The last two lead to a value of several bytes, as libFuzzer's value profile and table of recent compares do.
 */
import { COMPARED, HIT } from './instrument.ts'

const MAX_BRANCHES = 65_536
const MAX_COMPARISONS = 65_536
/** Distances of two operands, from equal to as far as can be. The first are exact, the others double. */
const NEARNESS = 32
const EXACT = 14
/** Pairs of a run that are remembered. */
const MAX_PAIRS = 64
const MAX_CHARACTERS = 64
/** Texts that are longer in common are as near. */
const MAX_COMMON = 30

export type Pair = readonly [compared: string | number, other: string | number]

const OPERATORS: Readonly<Record<string, (a: never, b: never) => boolean>> = {
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

/** How often a branch was taken in one run, as a bit: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more. */
const bucketOf = (count: number): number =>
  count < 4 ? 1 << (count - 1) : count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128

function commonOf(a: string, b: string): number {
  let count = 0
  while (count < MAX_COMMON && count < a.length && a[count] === b[count]) count++
  return count
}

/** From 0 to 31; undefined for values that have no distance. */
function nearnessOf(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const distance = Math.abs(a - b)
    if (distance < EXACT) return NEARNESS - 1 - Math.floor(distance)
    return Math.max(0, NEARNESS + 2 - EXACT - Math.floor(Math.log2(distance)))
  }
  if (typeof a === 'string' && typeof b === 'string') return a === b ? NEARNESS - 1 : commonOf(a, b)
  return undefined
}

const isShort = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.length > 0 && value.length <= MAX_CHARACTERS)

export class Coverage {
  readonly #counts = new Uint32Array(MAX_BRANCHES)
  readonly #seen = new Uint8Array(MAX_BRANCHES)
  readonly #touched: number[] = []
  /** A bit for each nearness of each comparison. */
  readonly #near = new Uint32Array(MAX_COMPARISONS)
  #isNearer = false
  #pairs: Pair[] = []

  constructor() {
    Object.assign(globalThis, { [HIT]: this.#hit, [COMPARED]: this.#compared })
  }

  readonly #hit = (branch: number): void => {
    const count = this.#counts[branch] ?? 0
    if (count === 0) this.#touched.push(branch)
    this.#counts[branch] = count + 1
  }

  readonly #compared = (comparison: number, operator: string, a: never, b: never): boolean => {
    const nearness = nearnessOf(a, b)
    if (nearness !== undefined) {
      const before = this.#near[comparison] ?? 0
      const after = (before | (1 << nearness)) >>> 0
      if (after !== before) {
        this.#near[comparison] = after
        this.#isNearer = true
      }
    }
    if (a !== b && this.#pairs.length < MAX_PAIRS && isShort(a) && isShort(b)) this.#pairs.push([a, b])
    return OPERATORS[operator]?.(a, b) ?? false
  }

  /** Ends a run: whether it reached something new, and what it compared. */
  take(): { readonly isNew: boolean; readonly pairs: readonly Pair[] } {
    let isNew = this.#isNearer
    for (const branch of this.#touched) {
      const seen = this.#seen[branch] ?? 0
      const bucket = bucketOf(this.#counts[branch] ?? 0)
      if ((seen & bucket) === 0) isNew = true
      this.#seen[branch] = seen | bucket
      this.#counts[branch] = 0
    }
    const pairs = this.#pairs
    this.#touched.length = 0
    this.#isNearer = false
    this.#pairs = []
    return { isNew, pairs }
  }

  /** Forgets all runs so far. */
  reset(): void {
    this.take()
    this.#seen.fill(0)
    this.#near.fill(0)
  }

  /** The numbers of the branches that were taken. */
  get reached(): readonly number[] {
    return [...this.#seen.keys()].filter((branch) => this.#seen[branch] !== 0)
  }
}
