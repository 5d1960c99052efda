/**
 * A private text file of bounded size: above the limit it becomes the previous file, and a new one begins. Lines of one turn of the event loop are
 * one write, and so are those of a burst. A line that cannot be written is lost, because a full disk must not end the daemon.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { openPrivateFile, openPrivateFolder } from './safe-folder.ts'

/** Of each of the two files. */
const MAX_BYTES = 1_048_576
const PRIVATE_MODE = 0o600

export const previousFile = (file: string): string => `${file}.1`

interface RotatingFileOptions {
  readonly maxBytes?: number
  /** Whether the file stays open between writes, because each opening checks all folders above. Windows could not remove an open file's folder. */
  readonly staysOpen?: boolean
  readonly scheduleFlush?: (flush: () => void) => void
}

interface HeldFile {
  readonly fd: number
  readonly dev: number
  readonly ino: number
  /** Its length before the next write. Another process may write too. */
  bytes: number
}

/** A burst is written this often. A crowd of games has a line in each turn, and to look for the file and to write costs more than all else of it. */
const BURST_MS = 50

/** At the end of the turn; in a burst, that long after the last write. Does not keep the process alive. */
export function scheduledInBursts(): (flush: () => void) => void {
  let flushedAt = Number.NEGATIVE_INFINITY
  return (flush) => {
    const run = (): void => {
      flushedAt = performance.now()
      flush()
    }
    const restMs = flushedAt + BURST_MS - performance.now()
    if (restMs <= 0) setImmediate(run)
    else setTimeout(run, restMs).unref()
  }
}

/** A process that was killed leaves its lock, which is held for microseconds otherwise. */
const STALE_LOCK_MS = 60_000

/** The descriptor of the lock; undefined while another process holds it. The next write tries again. */
function openLock(path: string): number | undefined {
  try {
    return openSync(path, 'wx', PRIVATE_MODE)
  } catch {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_LOCK_MS) rmSync(path, { force: true })
    return undefined
  }
}

export class RotatingFile {
  readonly #file: string
  readonly #maxBytes: number
  readonly #scheduleFlush: (flush: () => void) => void
  readonly #staysOpen: boolean
  #pending = ''
  #held: HeldFile | undefined

  constructor(file: string, options: RotatingFileOptions = {}) {
    const { maxBytes = MAX_BYTES, scheduleFlush = scheduledInBursts(), staysOpen = process.platform !== 'win32' } = options
    this.#file = file
    this.#maxBytes = maxBytes
    this.#scheduleFlush = scheduleFlush
    this.#staysOpen = staysOpen
  }

  write(text: string): void {
    const isScheduled = this.#pending !== ''
    this.#pending += text
    if (!isScheduled) this.#scheduleFlush(() => this.flush())
  }

  /** Also at the exit of the process, when no turn follows. */
  flush(): void {
    const text = this.#pending
    this.#pending = ''
    if (text === '') return
    try {
      this.#append(text)
    } catch {
      // See above.
    }
  }

  #append(text: string): void {
    const held = this.#current() ?? this.#open()
    if (held === undefined) return
    const isFull = held.bytes + writeSync(held.fd, text) > this.#maxBytes
    if (isFull || !this.#staysOpen) this.#close()
    if (isFull) this.#replacePrevious(held)
  }

  /**
   * Another process may have done it since: the file at the path is then a new one, which must not replace the full one. No other looks or renames
   * while this one holds the lock. One that finds it held leaves the rest to its holder.
   */
  #replacePrevious(full: HeldFile): void {
    const lock = `${this.#file}.lock`
    const taken = openLock(lock)
    if (taken === undefined) return
    try {
      if (this.#bytesAtPath(full) !== undefined) renameSync(this.#file, previousFile(this.#file))
    } finally {
      closeSync(taken)
      rmSync(lock, { force: true })
    }
  }

  /** The open file if it is still the one at the path: another process may have made it the previous one, or removed it. */
  #current(): HeldFile | undefined {
    if (this.#held === undefined) return undefined
    const bytes = this.#bytesAtPath(this.#held)
    if (bytes !== undefined) return Object.assign(this.#held, { bytes })
    this.#close()
    return undefined
  }

  /** The length of the file at the path if it is this one. */
  #bytesAtPath({ dev, ino }: HeldFile): number | undefined {
    const found = lstatSync(this.#file, { throwIfNoEntry: false })
    return found?.ino === ino && found.dev === dev ? found.size : undefined
  }

  #open(): HeldFile | undefined {
    const folder = dirname(this.#file)
    // Who removed the folder above does not want it back.
    if (!existsSync(dirname(folder))) return undefined
    openPrivateFolder(folder)
    const fd = openPrivateFile(this.#file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
    if (fd === undefined) return undefined
    const { dev, ino, size } = fstatSync(fd)
    this.#held = { fd, dev, ino, bytes: size }
    return this.#held
  }

  #close(): void {
    if (this.#held !== undefined) closeSync(this.#held.fd)
    this.#held = undefined
  }
}
