/**
 * A private text file of bounded size: above the limit it becomes the previous file, and a new one begins. Lines of one turn of the event loop are
 * one write. A line that cannot be written is lost, because a full disk must not end the daemon.
 */
import { constants, existsSync, fstatSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { openPrivateFolder, withPrivateFile } from './safe-folder.ts'

/** Of each of the two files. */
const MAX_BYTES = 1_048_576

export const previousFile = (file: string): string => `${file}.1`

interface RotatingFileOptions {
  readonly maxBytes?: number
  readonly scheduleFlush?: (flush: () => void) => void
}

export class RotatingFile {
  readonly #file: string
  readonly #maxBytes: number
  readonly #scheduleFlush: (flush: () => void) => void
  #pending = ''

  constructor(file: string, { maxBytes = MAX_BYTES, scheduleFlush = (flush) => void setImmediate(flush) }: RotatingFileOptions = {}) {
    this.#file = file
    this.#maxBytes = maxBytes
    this.#scheduleFlush = scheduleFlush
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
    const folder = dirname(this.#file)
    // Who removed the folder above does not want it back.
    if (!existsSync(dirname(folder))) return
    openPrivateFolder(folder)
    const size = withPrivateFile(this.#file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, (fd) => {
      writeSync(fd, text)
      return fstatSync(fd).size
    })
    if (size !== undefined && size > this.#maxBytes) renameSync(this.#file, previousFile(this.#file))
  }
}
