/**
 * The disk below a simulated process: full for a while, or the last that a killed process wrote to, in part. SQLite reaches it by a VFS
 * (test/support/vfs), all else by node:fs. A dead process changes nothing any more, although its code runs to the end of its turn.
 */
import fs from 'node:fs'
import type { FaultyDisk } from '#test/support/vfs/faulty-disk.ts'
import { systemError } from './socket.ts'
import { asOwner, currentOwner } from './timeline.ts'

/** What ends the code of a process that was killed in the middle of it. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

export interface Tear {
  /** Whether a write of SQLite is torn, or one of node:fs. */
  readonly isSqlite: boolean
  /** Which write, from 1; of node:fs also any other change. */
  readonly nth: number
  /** How many of its bytes arrive. */
  readonly bytes: number
  readonly onDeath: () => void
}

type Sync = (...args: unknown[]) => unknown

/** Calls of node:fs that change something. */
const CHANGES = [
  'renameSync',
  'linkSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'fsyncSync',
  'chmodSync',
  'fchmodSync',
  'ftruncateSync',
] as const
const WRITES = ['writeSync', 'writeFileSync'] as const

export class Disk {
  /** Undefined: this machine cannot build it, and only node:fs has faults. */
  readonly sqlite: FaultyDisk | undefined
  #isFull = false
  #tear: Tear | undefined
  #seen = 0

  constructor(sqlite: FaultyDisk | undefined) {
    this.sqlite = sqlite
  }

  set isFull(isFull: boolean) {
    this.clear()
    this.#isFull = isFull
    if (isFull) this.sqlite?.plan({ ops: ['write'], nth: 1, isForGood: true, error: 'ENOSPC' })
  }

  /** The process dies in a write that comes. */
  tear(tear: Tear): void {
    this.clear()
    this.#tear = tear
    if (tear.isSqlite) this.sqlite?.plan({ ops: ['write'], nth: tear.nth, torn: tear.bytes, death: 'freeze' })
  }

  /** All goes well again. */
  clear(): void {
    this.#isFull = false
    this.#tear = undefined
    this.#seen = 0
    this.sqlite?.clear()
  }

  /** After each call of SQLite. Throws Killed when the process has died in it. */
  afterSqlite(): void {
    // The answer comes from SQLite too, which this process calls as no owner.
    if (this.#tear?.isSqlite !== true || currentOwner() === undefined) return
    if (asOwner(undefined, () => this.sqlite?.isFrozen) === true) this.#die()
  }

  /** Replaces what node:fs has for writers. */
  replace(): void {
    const real = { ...fs } as unknown as Record<string, Sync>
    const files = fs as unknown as Record<string, Sync>
    for (const name of CHANGES)
      files[name] = (...args) => {
        this.#change()
        return real[name]?.(...args)
      }
    for (const name of WRITES)
      files[name] = (target, data, ...rest) => {
        this.#change(
          () => typeof target === 'number' && real['writeSync']?.(target, Buffer.from(data as Buffer).subarray(0, this.#tear?.bytes)),
        )
        return real[name]?.(target, data, ...rest)
      }
    files['openSync'] = (path, flags, ...rest) => {
      const isRead = flags === undefined || flags === 'r' || (typeof flags === 'number' && (flags & fs.constants.O_CREAT) === 0)
      if (!isRead) this.#change()
      return real['openSync']?.(path, flags, ...rest)
    }
  }

  /** Before a change by a process. `writePart`: what arrives of it if the process dies now. */
  #change(writePart?: () => unknown): void {
    const owner = currentOwner()
    if (owner === undefined) return
    if (owner.isDead) throw new Killed('the process was killed')
    if (this.#isFull && writePart !== undefined) throw systemError('ENOSPC', 'write')
    if (this.#tear === undefined || this.#tear.isSqlite) return
    this.#seen += 1
    if (this.#seen < this.#tear.nth) return
    writePart?.()
    this.#die()
  }

  #die(): never {
    const onDeath = this.#tear?.onDeath
    this.#tear = undefined
    if (onDeath !== undefined) asOwner(undefined, onDeath)
    throw new Killed('the process was killed')
  }
}
