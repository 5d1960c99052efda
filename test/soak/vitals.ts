/** Memory and open files of the daemon, sampled after each recovery, and whether they grow. */
import { readdirSync } from 'node:fs'
import { privateMemory } from '../bench/process-figures.ts'
import { median } from '../bench/statistics.ts'
import { slopesOf } from '../endurance/trend.ts'

export interface Sample {
  readonly pid: number
  readonly step: number
  /** Bytes that no file holds: how much of the executable is resident is for the system to say, and changes by 50 MiB. */
  readonly private: number
  readonly descriptors: number
}

export const sample = (pid: number, step: number): Sample => ({
  pid,
  step,
  private: privateMemory(pid),
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
})

const MIB = 1_048_576

/** What still counts as flat. A heap that is not collected yet is no leak; a step that costs memory for ever is one. */
export interface Tolerance {
  /** Samples of a process that are left out, since its code is still being loaded and compiled. */
  readonly settling: number
  /** Above the first settled value, bytes. */
  readonly above: number
  /**
   * Of the values after so many, bytes per step. What gets hot is compiled longer than what starts. V8 collects every ten steps or so; a process with
   * fewer values may show the way up to its next collection alone.
   */
  readonly slope: number
  readonly slopeSettling: number
  readonly slopeSamples: number
  /** Above the first settled value. */
  readonly descriptors: number
}

export const TOLERANCE: Tolerance = {
  settling: 3,
  above: 40 * MIB,
  slope: 0.3 * MIB,
  slopeSettling: 10,
  slopeSamples: 20,
  descriptors: 10,
}

/** Of one process. */
export interface Life {
  readonly pid: number
  readonly samples: number
  /** Bytes. */
  readonly first: number
  readonly last: number
  readonly highest: number
  /** Of each sample in which what gets hot is compiled, bytes. */
  readonly compiled: readonly number[]
  /** Of these, bytes per step; undefined for too few of them. */
  readonly slope: number | undefined
  readonly descriptors: { readonly first: number; readonly highest: number; readonly last: number }
}

/** The median of the slopes between any two values: a single peak says nothing of the trend. */
export function slopeOf(values: readonly number[]): number {
  const slopes = slopesOf(values.map((value, s) => ({ s, value })))
  return slopes.length === 0 ? 0 : median(slopes)
}

/** Each process by itself: a new one begins anew. */
export function lives(samples: readonly Sample[], { settling, slopeSettling, slopeSamples }: Tolerance): readonly Life[] {
  return [...Map.groupBy(samples, ({ pid }) => pid)].flatMap(([pid, own]) => {
    const settled = own.slice(settling)
    const compiled = own.slice(slopeSettling).map((one) => one.private)
    const [first] = settled
    const last = settled.at(-1)
    if (first === undefined || last === undefined) return []
    return {
      pid,
      samples: settled.length,
      first: first.private,
      last: last.private,
      highest: Math.max(...settled.map((one) => one.private)),
      compiled,
      slope: compiled.length < slopeSamples ? undefined : slopeOf(compiled),
      descriptors: {
        first: first.descriptors,
        highest: Math.max(...settled.map(({ descriptors }) => descriptors)),
        last: last.descriptors,
      },
    }
  })
}

const shown = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`

/** One sentence for each way in which it is not flat. */
export function complaints(all: readonly Life[], tolerance: Tolerance): readonly string[] {
  return all.flatMap(({ pid, first, highest, compiled, slope, descriptors }) => [
    ...(highest > first + tolerance.above ? [`process ${pid} grew from ${shown(first)} to ${shown(highest)}`] : []),
    ...(slope !== undefined && slope > tolerance.slope
      ? [`process ${pid} grows by ${shown(slope)} with every step: ${compiled.map(shown).join(', ')}`]
      : []),
    ...(descriptors.last > descriptors.first + tolerance.descriptors
      ? [`process ${pid} went from ${descriptors.first} to ${descriptors.last} open files`]
      : []),
  ])
}
