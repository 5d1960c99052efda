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

/** What a program keeps. */
interface Usage {
  keys: number
  /** Of results. */
  bytes: number
}

/** A call in memory. Its times are monotonic, because the system time may jump while the game waits; `createdAt` is for the next daemon. */
type Entry = { -readonly [Member in keyof CallRow]: CallRow[Member] } & {
  /** Before the start of this daemon, by the system time; the start itself if that time was set back since. */
  readonly madeAt: number
  /** Until when it is kept: no shorter than it should be, also when the system time jumped between two daemons. */
  readonly overAt: number
}
/** A call that is kept. */
export type KeptCall = Pick<Entry, 'argumentsHash' | 'madeAt' | 'state'>

const FILE = 'calls.sqlite'
const KEPT_MS = LIMITS.callKeyMs.value

export class KeyStore {
  readonly #deps: KeyStoreDeps
  readonly #table: Renewable<KeyTable>
  /** The first one first. */
  readonly #calls = new Map<string, Entry>()
  readonly #usage = new Map<string, Usage>()
  readonly #total: Usage = { keys: 0, bytes: 0 }
  #lastNumber = 0
  /** Undefined while none is kept. */
  #cancelSweep: (() => void) | undefined

  /** Throws SERVICE_UNAVAILABLE if the file cannot be used. */
  constructor(deps: KeyStoreDeps) {
    this.#deps = deps
    const { health, clock, vaultKeyId } = deps
    this.#table = new Renewable({
      open: () => new KeyTable(health.pathOf(FILE), vaultKeyId),
      setAside: (reason) => health.setAside(FILE, reason),
      refill: (table) => this.#refill(table),
    })
    const now = clock.elapsed()
    const wallNow = clock.now()
    for (const row of this.#strictly((table) => table.load())) {
      const ageMs = wallNow - row.createdAt
      // Of one from the future nothing is known but that it is older than this daemon.
      this.#add({ ...row, madeAt: ageMs < 0 ? Number.NEGATIVE_INFINITY : now - ageMs, overAt: now + KEPT_MS })
    }
  }

  find(id: string): KeptCall | undefined {
    const found = this.#calls.get(id)
    return found === undefined || this.#isOver(found, this.#deps.clock.elapsed()) ? undefined : found
  }

  /** The sealed result of a call that is kept. Throws SERVICE_UNAVAILABLE if the disk refuses. */
  result(id: string): Uint8Array | undefined {
    const found = this.#calls.get(id)
    return found === undefined ? undefined : this.#strictly((table) => table.result(found.number))
  }

  /** Stores that a call is about to be sent. Throws RATE_LIMITED if the program keeps too many, SERVICE_UNAVAILABLE if the disk refuses. */
  begin(id: string, program: string, argumentsHash: string): void {
    const now = this.#deps.clock.elapsed()
    if (this.#isFull(program)) {
      this.#sweep(now)
      if (this.#isFull(program)) throw this.#tooMany(program, now)
    }
    // One that is over, and not yet deleted.
    if (this.#calls.has(id)) this.forget(id)
    const createdAt = this.#deps.clock.now()
    const call: Entry = {
      number: this.#lastNumber + 1,
      id,
      program,
      argumentsHash,
      createdAt,
      state: 'sent',
      bytes: 0,
      madeAt: now,
      overAt: now + KEPT_MS,
    }
    this.#strictly((table) => table.insert(call))
    this.#add(call)
  }

  /** Stores how it ended; a result that is too large is `taken`. A failure is logged: the call stays as it was, so no repeat is made. */
  end(id: string, state: StoredState, result?: Uint8Array): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    const bytes = result?.length ?? 0
    // What is over takes no room from what is not.
    if (bytes > 0 && !this.#hasRoom(call.program, bytes)) this.#trySweep()
    const fits = bytes === 0 || this.#hasRoom(call.program, bytes)
    try {
      this.#table.use((table) => table.end(call.number, fits ? state : 'taken', fits ? result : undefined))
      call.state = fits ? state : 'taken'
      if (fits) this.#keepBytes(call, bytes)
    } catch (failure) {
      this.#deps.log.error('call-key-not-stored', { err: failure })
    }
  }

  /** The call did nothing, so a repeat may make it. */
  forget(id: string): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    try {
      this.#table.use((table) => table.delete(call.number, call.number))
      this.#remove(call)
    } catch (failure) {
      this.#deps.log.error('call-key-not-stored', { err: failure })
    }
  }

  close(): void {
    this.#cancelSweep?.()
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

  #isOver({ overAt }: Entry, now: number): boolean {
    return now >= overAt
  }

  #isFull(program: string): boolean {
    const { keys, bytes } = this.#usageOf(program)
    return keys >= LIMITS.callKeys.value || bytes >= LIMITS.callKeyBytes.value || this.#total.keys >= BUDGETS.callKeys.value
  }

  #hasRoom(program: string, bytes: number): boolean {
    return this.#usageOf(program).bytes + bytes <= LIMITS.callKeyBytes.value && this.#total.bytes + bytes <= BUDGETS.callKeyBytes.value
  }

  #usageOf(program: string): Usage {
    return this.#usage.get(program) ?? { keys: 0, bytes: 0 }
  }

  #add(call: Entry): void {
    this.#calls.set(call.id, call)
    this.#lastNumber = call.number
    this.#count(call.program, 1, call.bytes)
    this.#cancelSweep ??= this.#sweepLater()
  }

  #keepBytes(call: Entry, bytes: number): void {
    this.#count(call.program, 0, bytes - call.bytes)
    call.bytes = bytes
  }

  #remove({ id, program, bytes }: CallRow): void {
    this.#calls.delete(id)
    this.#count(program, -1, -bytes)
  }

  #count(program: string, keys: number, bytes: number): void {
    const usage = this.#usageOf(program)
    usage.keys += keys
    usage.bytes += bytes
    this.#total.keys += keys
    this.#total.bytes += bytes
    if (usage.keys === 0) this.#usage.delete(program)
    else this.#usage.set(program, usage)
  }

  #tooMany(program: string, now: number): BridgeError {
    const waitMs = Math.max(SECOND_MS, this.#firstOverAt(program, now) - now)
    return new BridgeError(
      'RATE_LIMITED',
      `The bridge keeps at most ${LIMITS.callKeys.value} calls with a key, and ${LIMITS.callKeyBytes.value} bytes of their results, for one program. This call was not sent.`,
      { retry_after: waitMs / SECOND_MS },
    )
  }

  #firstOverAt(program: string, otherwise: number): number {
    for (const call of this.#calls.values()) if (call.program === program) return call.overAt
    return otherwise
  }

  /** Also while no more calls come: no result stays on the disk for long. Seldom, because an idle daemon wakes for it. */
  #sweepLater(): () => void {
    const { clock } = this.#deps
    return clock.after(BUDGETS.callKeySweepMs.value, () => {
      this.#trySweep()
      this.#cancelSweep = this.#calls.size === 0 ? undefined : this.#sweepLater()
    })
  }

  #trySweep(): void {
    try {
      this.#sweep(this.#deps.clock.elapsed())
    } catch {
      // It is logged, and the next one tries again.
    }
  }

  /** Deletes the first calls, which are kept no longer. Throws SERVICE_UNAVAILABLE if the disk refuses. */
  #sweep(now: number): void {
    const over: Entry[] = []
    for (const call of this.#calls.values()) {
      if (!this.#isOver(call, now)) break
      over.push(call)
    }
    const [first, last] = [over[0], over.at(-1)]
    if (first === undefined || last === undefined) return
    this.#strictly((table) => table.delete(first.number, last.number))
    for (const call of over) this.#remove(call)
  }

  /** The old file was damaged, so the results are gone. An error that is gone says no longer that the call did nothing. */
  #refill(table: KeyTable): void {
    for (const call of this.#calls.values()) {
      if (call.state === 'error') call.state = 'sent'
      if (call.state === 'value') call.state = 'taken'
      this.#keepBytes(call, 0)
    }
    table.refill(this.#calls.values())
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
