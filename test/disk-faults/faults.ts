/** The faults of a scenario: each call on a data file, in each way. strace reaches all files; the disk below SQLite also tears writes. */
import { existsSync, readFileSync } from 'node:fs'
import { DISK_OPS, type DiskPlan } from '../support/vfs/faulty-disk.ts'
import type { Disk } from './daemon.ts'
import { type Point, SECCOMP, shownPoint, WAYS, wordsFor } from './points.ts'

export interface StracePoints {
  readonly chosen: readonly Point[]
  readonly points: readonly Point[]
}

export interface Fault {
  readonly name: string
  /** The disk works again after it. */
  readonly isOnce: boolean
  /** The faults begin with the start of the daemon, so what comes before the scenario fails too. */
  readonly isFromStart: boolean
  /** `folder`: the data folder. `list`: a file for what the disk lists. */
  readonly disk: (folder: string, list: string) => Disk
  /** Whether the list says that the call failed; a killed process was always hit. */
  readonly isIn: (list: string) => boolean
}

/** A disk that lists its calls and fails none. */
export const listingByStrace = (list: string): Disk => ({ by: 'strace', words: SECCOMP, list })
export const listingBySqlite = (library: string, list: string): Disk => ({
  by: 'sqlite',
  library,
  plan: { ops: DISK_OPS, nth: 0 },
  list,
})

export const textIn = (list: string): string => (existsSync(list) ? readFileSync(list, 'utf8') : '')

/** `chosen`: those of the scenario. `points`: all of the run. */
export function faultsByStrace({ chosen, points }: StracePoints): readonly Fault[] {
  return chosen.flatMap((point) =>
    WAYS.map((way) => ({
      name: `${shownPoint(point)}, ${way}`,
      isOnce: way.endsWith('once'),
      isFromStart: false,
      disk: (folder: string, list: string): Disk => ({ by: 'strace', words: wordsFor(point, way, points, folder), list }),
      isIn: (list: string) => list.includes('(INJECTED)'),
    })),
  )
}

/** Torn: that many bytes of a write arrive, of a page of 4,096 or a header of 24. */
const TORN = 13
const PLANS: Readonly<Record<string, Pick<DiskPlan, 'isForGood' | 'error' | 'torn' | 'death'>>> = {
  'EIO once': { error: 'EIO' },
  'EIO once, torn': { error: 'EIO', torn: TORN },
  'ENOSPC for good': { error: 'ENOSPC', isForGood: true },
  'SIGKILL, torn': { torn: TORN, death: 'kill' },
}

/** `points`: the lines of its list, in their order. */
export const faultsBySqlite = (points: readonly string[], library: string): readonly Fault[] =>
  points.flatMap((point, index) =>
    Object.entries(PLANS)
      .filter(([, { torn }]) => torn === undefined || point.startsWith('write'))
      .map(([way, plan]) => ({
        name: `SQLite ${point} #${index + 1}, ${way}`,
        isOnce: plan.isForGood !== true,
        isFromStart: true,
        disk: (_: string, list: string): Disk => ({ by: 'sqlite', library, plan: { ops: DISK_OPS, nth: index + 1, ...plan }, list }),
        isIn: (list: string) => list !== '',
      })),
  )
