/** Builds the disk that fails as planned (faulty-disk.c), loads it into this process, and gives it its plan. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

const run = promisify(execFile)

const SOURCE = join(import.meta.dirname, 'faulty-disk.c')
const FLAGS = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-D_POSIX_C_SOURCE=200809L', '-O1', '-shared', '-fPIC']

/** Calls of SQLite that change a file, or open one. */
export const DISK_OPS = ['open', 'write', 'sync', 'truncate', 'delete'] as const
export type DiskOp = (typeof DISK_OPS)[number]

export interface DiskPlan {
  readonly ops: readonly DiskOp[]
  /** What the name of a file ends with, as `grants.sqlite-wal`. Without it: any file. */
  readonly path?: string
  /** Which of the calls that match fails, from 1. 0: none fails, and all are noted. */
  readonly nth: number
  /** Also all that follow. */
  readonly isForGood?: boolean
  readonly error?: 'EIO' | 'ENOSPC'
  /** How many bytes of a failed write arrive all the same. */
  readonly torn?: number
  /** What happens at the failed call. `kill`: the process ends by SIGKILL. `freeze`: no call of this thread changes a file, until the next plan. */
  readonly death?: 'kill' | 'freeze'
}

/** Why it cannot be built here; undefined if it can. */
export const missingForDisk = (): Promise<string | undefined> =>
  run('gcc', ['-fsyntax-only', SOURCE]).then(
    () => undefined,
    () => 'the faulty disk needs gcc and the headers of SQLite (Debian: libsqlite3-dev)',
  )

/** Builds the library in the folder. Resolves with its path; SQLite finds its entry by this name. */
export async function buildFaultyDisk(folder: string): Promise<string> {
  const library = join(folder, 'faultydisk.so')
  await run('gcc', [...FLAGS, SOURCE, '-o', library])
  return library
}

/** The disk of this thread. Every database that is opened after it was made is on it. */
export class FaultyDisk {
  readonly #control = new DatabaseSync(':memory:', { allowExtension: true })

  constructor(library: string) {
    this.#control.loadExtension(library)
  }

  /** Replaces the plan, and counts from the start. Ends what the last plan did. */
  plan({ ops, path = '', nth, isForGood = false, error = 'EIO', torn = 0, death }: DiskPlan): void {
    this.#ask('disk_plan(?, ?, ?, ?, ?, ?, ?)', ops.join(), path, nth, isForGood ? 1 : 0, error, torn, death ?? '')
  }

  /** All goes well again. */
  clear(): void {
    this.#ask('disk_clear()')
  }

  /** How many calls matched the plan. */
  get matched(): number {
    return Number(this.#ask('disk_matched()'))
  }

  /** The call that failed; with `nth: 0` all that matched. Each as `write grants.sqlite-wal 24`: the call, the file, the bytes. */
  get points(): readonly string[] {
    return String(this.#ask('disk_points()')).split('\n').filter(Boolean)
  }

  /** Whether the plan froze the disk. */
  get isFrozen(): boolean {
    return this.#ask('disk_frozen()') === 1
  }

  #ask(call: string, ...given: (string | number)[]): unknown {
    return Object.values(this.#control.prepare(`SELECT ${call}`).get(...given) ?? {})[0]
  }
}
