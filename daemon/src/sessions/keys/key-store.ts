/**
 * Keeps calls with a key for ten minutes, in a file that outlives the daemon. A key is never dropped before its time: where a program keeps too many,
 * its next call is refused.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { Renewable } from '@sallyport/core/storage/renewable'
import { LIMITS } from '@sallyport/protocol'
import { type CallRow, KeyTable } from './key-table.ts'
import type { StoredState } from './stored-call.ts'

interface KeyStoreDeps {
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside'>
  readonly clock: Clock
  readonly log: Logger
  /** Which key of the vault seals results. */
  readonly vaultKeyId: string
}

interface Usage {
  keys: number
  bytes: number
  /** When its oldest call was made. */
  oldestAt: number
}

const FILE = 'calls.sqlite'
const KEPT_MS = LIMITS.callKeyMs.value

export class KeyStore {
  readonly #deps: KeyStoreDeps
  readonly #table: Renewable<KeyTable>
  #usage = new Map<string, Usage>()
  #total = { keys: 0, bytes: 0 }
  #sweptAt = 0

  /** Throws SERVICE_UNAVAILABLE if the file cannot be used. */
  constructor(deps: KeyStoreDeps) {
    this.#deps = deps
    const { health, clock, vaultKeyId } = deps
    const open = (): KeyTable => {
      const table = new KeyTable(health.pathOf(FILE))
      table.begin(vaultKeyId, clock.now())
      return table
    }
    this.#table = new Renewable({ open, setAside: (reason) => health.setAside(FILE, reason) })
    this.#sweep()
  }

  /** Throws SERVICE_UNAVAILABLE if the disk refuses. */
  find(id: Uint8Array): CallRow | undefined {
    const found = this.#strictly((table) => table.read(id))
    return found === undefined || this.#isOver(found.createdAt) ? undefined : found
  }

  /** Stores that a call is about to be sent. Throws RATE_LIMITED if the program keeps too many, SERVICE_UNAVAILABLE if the disk refuses. */
  begin(id: Uint8Array, program: string, argumentsHash: Uint8Array): void {
    const createdAt = this.#deps.clock.now()
    if (createdAt - this.#sweptAt >= BUDGETS.callKeySweepMs.value || createdAt < this.#sweptAt) this.#sweep()
    if (this.#isFull(program)) {
      this.#sweep()
      if (this.#isFull(program)) throw this.#tooMany(program, createdAt)
    }
    this.#strictly((table) => table.insert(id, { program, argumentsHash, createdAt, state: 'sent' }))
    this.#count(program, 1, 0)
  }

  /** Stores how it ended; a result that is too large is `taken`. A failure is logged: the call stays `sent`, so no repeat is made. */
  end(id: Uint8Array, program: string, state: StoredState, result?: Uint8Array): void {
    const bytes = result?.length ?? 0
    const fits = bytes === 0 || this.#hasRoom(program, bytes)
    try {
      this.#table.use((table) => table.update(id, fits ? state : 'taken', fits ? result : undefined))
      if (fits) this.#count(program, 0, bytes)
    } catch (failure) {
      this.#deps.log.error('call-key-not-stored', { err: failure })
    }
  }

  /** The call did nothing, so a repeat may make it. */
  forget(id: Uint8Array, program: string): void {
    try {
      this.#table.use((table) => table.delete(id))
      this.#count(program, -1, 0)
    } catch (failure) {
      this.#deps.log.error('call-key-not-stored', { err: failure })
    }
  }

  close(): void {
    this.#table.close()
  }

  /** Nothing may be sent without its key on the disk. */
  #strictly<T>(work: (table: KeyTable) => T): T {
    try {
      return this.#table.use(work)
    } catch (failure) {
      if (failure instanceof BridgeError) throw failure
      const { health, log } = this.#deps
      log.error('call-key-not-stored', { err: failure })
      throw notStored(health.pathOf(FILE), failure)
    }
  }

  #isOver(createdAt: number): boolean {
    return this.#deps.clock.now() - createdAt >= KEPT_MS
  }

  #isFull(program: string): boolean {
    const { keys = 0, bytes = 0 } = this.#usage.get(program) ?? {}
    return keys >= LIMITS.callKeys.value || bytes >= LIMITS.callKeyBytes.value || this.#total.keys >= BUDGETS.callKeys.value
  }

  #hasRoom(program: string, bytes: number): boolean {
    const kept = this.#usage.get(program)?.bytes ?? 0
    return kept + bytes <= LIMITS.callKeyBytes.value && this.#total.bytes + bytes <= BUDGETS.callKeyBytes.value
  }

  #count(program: string, keys: number, bytes: number): void {
    const usage = this.#usage.get(program) ?? { keys: 0, bytes: 0, oldestAt: this.#deps.clock.now() }
    usage.keys += keys
    usage.bytes += bytes
    this.#total.keys += keys
    this.#total.bytes += bytes
    this.#usage.set(program, usage)
  }

  #tooMany(program: string, now: number): BridgeError {
    const oldestAt = this.#usage.get(program)?.oldestAt ?? now
    const waitMs = Math.max(SECOND_MS, oldestAt + KEPT_MS - now)
    return new BridgeError(
      'RATE_LIMITED',
      `The bridge keeps at most ${LIMITS.callKeys.value} calls with a key, and ${LIMITS.callKeyBytes.value} bytes of their results, for one program. This call was not sent.`,
      { retry_after: waitMs / SECOND_MS },
    )
  }

  /** Deletes what is kept no longer, and counts the rest. Throws SERVICE_UNAVAILABLE if the disk refuses. */
  #sweep(): void {
    this.#sweptAt = this.#deps.clock.now()
    const kept = this.#strictly((table) => {
      table.deleteUntil(this.#sweptAt - KEPT_MS)
      return table.kept()
    })
    this.#usage = new Map(kept.map(({ program, keys, bytes, oldestAt }) => [program, { keys, bytes, oldestAt }]))
    this.#total = { keys: 0, bytes: 0 }
    for (const { keys, bytes } of kept) {
      this.#total.keys += keys
      this.#total.bytes += bytes
    }
  }
}

function notStored(file: string, failure: unknown): BridgeError {
  const reason = failure instanceof Error ? failure.message : 'unknown error'
  return new BridgeError(
    'SERVICE_UNAVAILABLE',
    `The bridge cannot keep the key of this call in ${file} (${reason}), so the call was not sent. Check that the disk is writable and not full.`,
    {},
    { cause: failure },
  )
}
