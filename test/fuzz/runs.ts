/** How long the fuzz tests run: a fixed seed and few runs by default, more runs and a fresh seed when FUZZ_RUNS asks for them. */
import type { Parameters } from 'fast-check'

const SEED = 20_251_121

/** `usual`: number of runs unless FUZZ_RUNS is set. A failure prints its seed and path. */
export function runs(usual: number): Parameters<unknown> {
  const asked = Number(process.env['FUZZ_RUNS'])
  return asked > 0 ? { numRuns: asked, verbose: true } : { numRuns: usual, seed: SEED, verbose: true }
}

/** Time a fuzz test may take, in ms. */
export const FUZZ_TIMEOUT_MS = process.env['FUZZ_RUNS'] === undefined ? 120_000 : 3_600_000
