/** A small soak: each kind of break once, several at a time, in the order of a fixed seed, and everything comes back each time (soak/README.md). */
import { expect, test } from 'vitest'
import { BREAK_KINDS } from '../soak/breaks.ts'
import { reportText } from '../soak/report.ts'
import { soak } from '../soak/soak.ts'
import { SMOKE_TARGETS } from './support/daemon.ts'
import { programMade } from './support/program.ts'

const SEED = 2
/** Recoveries take most of the time, so several kinds share one. */
const TOGETHER = 4
const LONGEST_MS = 170_000

const [source] = SMOKE_TARGETS

test.skipIf(process.platform !== 'linux' || source === undefined)(
  'every connection breaks, and everything comes back',
  { timeout: LONGEST_MS + 10_000 },
  async () => {
    if (source === undefined) return
    await programMade()
    const report = await soak({
      target: source,
      seed: SEED,
      milliseconds: LONGEST_MS,
      steps: Math.ceil(BREAK_KINDS.length / TOGETHER),
      longestPauseMs: 0,
      longestRestMs: 0,
      together: TOGETHER,
      // Other tests share the machine: how fast it is, the long soak says.
      bounds: { authorizeMs: 10_000, liveMs: 60_000 },
      without: [],
      onStep: () => {},
    })
    expect(report, reportText(report)).toMatchObject({ ok: true, twice: 0 })
    expect(Object.keys(report.breaks).toSorted()).toEqual(BREAK_KINDS.toSorted())
  },
)
