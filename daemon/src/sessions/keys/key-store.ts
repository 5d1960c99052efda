/**
 * Keeps calls with a key for ten minutes, in a file that outlives the daemon. A key is never dropped before its time: where a program keeps too many,
 * its next call is refused.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { Renewable } from '@sallyport/core/storage/renewable'
import { LIMITS } from '@sallyport/protocol'
import type { Accounting } from '../../accounting/accounting.ts'
import type { Share } from '../../accounting/ledger.ts'
import { type CallRow, KeyTable } from './key-table.ts'
import type { StoredState } from './stored-call.ts'

interface KeyStoreDeps {
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside'>
  readonly clock: Clock
  readonly log: Logger
  readonly accounting: Pick<Accounting, 'shareOf'>
  /** Which key of the vault seals results. */
  readonly vaultKeyId: string
}

/** What a program keeps. */
interface Shares {
  readonly keys: Share
  /** Of results. */
  readonly bytes: Share
}

/** A call in memory. Its times are monotonic, because the system time may jump while the game waits; `createdAt` is for the next daemon. */
type Entry = { -readonly [Member in keyof CallRow]: CallRow[Member] } & {
  /** Before the start of this daemon, by the system time; the start itself if that time was set back since. */
  readonly madeAt: number
  /** Until when it is kept: no shorter than it should be, also when the system time jumped between two daemons. */
  readonly overAt: number
}
/** A call that is kept. */
export type KeptCall = Pick<Entry, 'argumentsHash' | 'state'>

const FILE = 'calls.sqlite'
const KEPT_MS = LIMITS.callKeyMs.value

export class KeyStore {
  readonly #deps: KeyStoreDeps
  readonly #table: Renewable<KeyTable>
  /** The first one first. */
  readonly #calls = new Map<string, Entry>()
  readonly #shares = new Map<string, Shares>()
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
    for (const row of this.#load()) {
      const ageMs = wallNow - row.createdAt
      // Of one from the future nothing is known but that it is older than this daemon.
      this.#add({ ...row, madeAt: ageMs < 0 ? Number.NEGATIVE_INFINITY : now - ageMs, overAt: now + KEPT_MS })
    }
  }

  #load(): readonly CallRow[] {
    try {
      return this.#strictly((table) => table.load(), REFUSALS.list)
    } catch (failure) {
      // The next call with a key opens the file again.
      this.#table.close()
      throw failure
    }
  }

  find(id: string): KeptCall | undefined {
    const found = this.#calls.get(id)
    return found === undefined || this.#isOver(found, this.#deps.clock.elapsed()) ? undefined : found
  }

  /**
   * Milliseconds since a call that may be sent again was first sent, by the clock that says the most: one stands still while the machine sleeps, another
   * can be set back. Infinity if it is unknown.
   */
  ageOf(id: string): number {
    const call = this.#calls.get(id)
    if (call?.sinceBoot === undefined) return Number.POSITIVE_INFINITY
    const { clock } = this.#deps
    const bootMs = clock.sinceBoot() - call.sinceBoot
    // The machine was started again.
    if (bootMs < 0) return Number.POSITIVE_INFINITY
    return Math.max(bootMs, clock.elapsed() - call.madeAt, clock.now() - call.createdAt)
  }

  /** The sealed result of a call that is kept. Throws SERVICE_UNAVAILABLE if the disk refuses. */
  result(id: string): Uint8Array | undefined {
    const found = this.#calls.get(id)
    return found === undefined ? undefined : this.#strictly((table) => table.result(found.number), REFUSALS.result)
  }

  /**
   * Stores that a call is about to be sent. `isRepeated`: it may be sent again. Throws RATE_LIMITED if too many are kept, SERVICE_UNAVAILABLE if the
   * disk refuses.
   */
  begin(id: string, program: string, argumentsHash: string, isRepeated: boolean): void {
    const { clock } = this.#deps
    const now = clock.elapsed()
    // One that is over, and not yet deleted.
    if (this.#calls.has(id)) this.forget(id)
    if (!this.#hasRoomForKey(program)) this.#sweep(now)
    if (!this.#hasRoomForKey(program)) throw this.#tooMany(program, now)
    const call: Entry = {
      number: this.#lastNumber + 1,
      id,
      program,
      argumentsHash,
      createdAt: clock.now(),
      sinceBoot: isRepeated ? Math.floor(clock.sinceBoot()) : undefined,
      state: 'sent',
      bytes: 0,
      madeAt: now,
      overAt: now + KEPT_MS,
    }
    this.#strictly((table) => table.insert(call), REFUSALS.begin)
    this.#add(call)
  }

  /**
   * Stores how it ended. A call with a result that is too large is `taken`, and one with such an error is forgotten, because it did nothing. A failure is
   * logged: no repeat is made until the end of the time for which it is kept.
   */
  end(id: string, state: StoredState, result?: Uint8Array): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    const bytes = result?.length ?? 0
    const fits = bytes === 0 || this.#hasRoomForResult(call, bytes)
    if (!fits && state === 'error') return this.forget(id)
    try {
      this.#table.use((table) => table.end(call.number, fits ? state : 'taken', fits ? result : undefined))
      call.state = fits ? state : 'taken'
      if (fits) this.#keepBytes(call, bytes)
    } catch (failure) {
      call.state = 'unstored'
      this.#deps.log.error('call-key-not-stored', { err: failure })
    }
  }

  /** The call did nothing, so a repeat may make it. If the disk refuses, the daemon after this one takes it for one that may have been sent. */
  forget(id: string): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    this.#remove(call)
    try {
      this.#table.use((table) => table.delete(call.number, call.number))
    } catch (failure) {
      this.#deps.log.error('call-key-not-stored', { err: failure })
    }
  }

  close(): void {
    this.#cancelSweep?.()
    this.#table.close()
  }

  /** Nothing may be sent without its key on the disk, and no result is made up. */
  #strictly<T>(work: (table: KeyTable) => T, refusal: Refusal): T {
    try {
      return this.#table.use(work)
    } catch (failure) {
      // It says already what to do.
      if (failure instanceof NewerDataError) throw failure
      const { health, log } = this.#deps
      log.error('call-key-not-stored', { err: failure })
      throw refused(health.pathOf(FILE), refusal, failure)
    }
  }

  #isOver({ overAt }: Entry, now: number): boolean {
    return now >= overAt
  }

  #hasRoomForKey(program: string): boolean {
    return this.#sharesOf(program).keys.hasRoomFor(1)
  }

  /** What is over takes no room from what is not. */
  #hasRoomForResult({ program }: CallRow, bytes: number): boolean {
    if (this.#sharesOf(program).bytes.hasRoomFor(bytes)) return true
    this.#trySweep()
    return this.#sharesOf(program).bytes.hasRoomFor(bytes)
  }

  #sharesOf(program: string): Shares {
    let shares = this.#shares.get(program)
    if (shares === undefined) {
      const { accounting } = this.#deps
      shares = { keys: accounting.shareOf('callKeys', program), bytes: accounting.shareOf('callKeyBytes', program) }
      this.#shares.set(program, shares)
    }
    return shares
  }

  #add(call: Entry): void {
    // A daemon that could not delete it has made it again.
    const before = this.#calls.get(call.id)
    if (before !== undefined) this.#remove(before)
    this.#calls.set(call.id, call)
    this.#lastNumber = call.number
    const { keys, bytes } = this.#sharesOf(call.program)
    keys.charge(1)
    bytes.charge(call.bytes)
    this.#cancelSweep ??= this.#sweepLater()
  }

  #keepBytes(call: Entry, bytes: number): void {
    const share = this.#sharesOf(call.program).bytes
    share.release(call.bytes)
    share.charge(bytes)
    call.bytes = bytes
  }

  #remove({ id, program, bytes: ofResult }: CallRow): void {
    this.#calls.delete(id)
    const { keys, bytes } = this.#sharesOf(program)
    keys.release(1)
    bytes.release(ofResult)
    if (keys.amount === 0) this.#closeShares(program)
  }

  #closeShares(program: string): void {
    const shares = this.#shares.get(program)
    this.#shares.delete(program)
    shares?.keys.close()
    shares?.bytes.close()
  }

  #tooMany(program: string, now: number): BridgeError {
    const own = this.#sharesOf(program).keys.amount
    if (own === 0) this.#closeShares(program)
    const isOwn = own >= LIMITS.callKeys.value
    const first = [...this.#calls.values()].find((call) => !isOwn || call.program === program)
    const waitS = Math.max(SECOND_MS, (first?.overAt ?? now) - now) / SECOND_MS
    const reason = isOwn
      ? `The bridge keeps at most ${LIMITS.callKeys.value} calls with a key for one program`
      : 'The bridge keeps too many calls with a key for all programs'
    return new BridgeError('RATE_LIMITED', `${reason}. This call was not sent; make it again in ${Math.ceil(waitS)} s.`, {
      retry_after: waitS,
    })
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
    this.#strictly((table) => table.delete(first.number, last.number), REFUSALS.sweep)
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

/** What the bridge cannot do with its file, and what that means for the call. */
interface Refusal {
  readonly task: string
  readonly so: string
}

const REFUSALS = {
  begin: { task: 'keep the key of this call', so: 'This call was not sent.' },
  list: {
    task: 'read which calls were made before',
    so: 'This call was not sent now, and may have been made before: make it again with the same key.',
  },
  result: { task: 'read the result of this call', so: 'This call was made before: make it again with the same key.' },
  sweep: { task: 'delete the keys of old calls', so: 'This call was not sent.' },
} as const satisfies Readonly<Record<string, Refusal>>

function refused(file: string, { task, so }: Refusal, failure: unknown): BridgeError {
  const reason = failure instanceof Error ? failure.message : 'unknown error'
  const message =
    failure instanceof BridgeError
      ? `${reason} ${so}`
      : `The bridge cannot ${task} in ${file} (${reason}). ${so} Check that the disk is writable and not full.`
  return new BridgeError('SERVICE_UNAVAILABLE', message, {}, { cause: failure })
}
