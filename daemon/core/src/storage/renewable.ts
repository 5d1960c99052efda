/** A database that is replaced by a new one as soon as SQLite finds it damaged: at its opening, at a read, at a write. */
import { isDamage } from './sqlite.ts'

interface RenewableDeps<Table> {
  /** Opens or creates the file. */
  readonly open: () => Table
  /** Moves the damaged file. */
  readonly setAside: (reason: unknown) => void
  /** Stores in the new file what memory still has. */
  readonly refill?: (table: Table) => void
}

export class Renewable<Table extends { close(): unknown }> {
  readonly #deps: RenewableDeps<Table>
  #table: Table | undefined

  constructor(deps: RenewableDeps<Table>) {
    this.#deps = deps
  }

  /** Opens the file at the first use. Throws what `open` and `work` throw; after damage it throws only if the new file fails too. */
  use<T>(work: (table: Table) => T): T {
    try {
      return work((this.#table ??= this.#deps.open()))
    } catch (failure) {
      if (!isDamage(failure)) throw failure
      return work(this.#renew(failure))
    }
  }

  close(): void {
    this.#table?.close()
    this.#table = undefined
  }

  #renew(reason: unknown): Table {
    const { open, setAside, refill } = this.#deps
    try {
      this.close()
    } catch {
      // SQLite closes a damaged file, and may say again that it is damaged.
    }
    this.#table = undefined
    setAside(reason)
    this.#table = open()
    refill?.(this.#table)
    return this.#table
  }
}
