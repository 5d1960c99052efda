/**
 * Who holds how much of one resource. A program may hold its own most, and no more than half of what all others leave. A program that holds
 * nothing gets what it asks for first while there is room.
 *
 *   own ≤ ofProgram     own ≤ (ofAll − others) / 2     sum ≤ ofAll
 */
import type { ResourceRow } from './resources.ts'

/** The account of one program. Idle ones are forgotten, so that ever new names cost nothing. */
interface Account {
  readonly key: string
  held: number
  /** Shares that are open. */
  shares: number
}

/** A program that had to wait goes on below this share of what it may hold, so that it is not stopped again at once. */
const EASED_SHARE = 0.75

export class Ledger {
  readonly row: ResourceRow
  readonly #accounts = new Map<string, Account>()
  #sum = 0
  #refused = 0

  constructor(row: ResourceRow) {
    this.row = row
  }

  get sum(): number {
    return this.#sum
  }

  /** How often more was asked for than there is, since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Accounts of programs that hold something, or could soon. */
  get accounts(): number {
    return this.#accounts.size
  }

  heldBy(key: string): number {
    return this.#accounts.get(key)?.held ?? 0
  }

  /** Whether there is so much left for all together. */
  hasRoom(amount: number): boolean {
    return this.#sum + amount <= this.row.ofAll
  }

  /** What a program that holds so much may hold in all. */
  mostFor(held: number): number {
    const { ofProgram, ofAll } = this.row
    const left = ofAll - (this.#sum - held)
    return Math.min(ofProgram, held === 0 ? left : Math.floor(left / 2))
  }

  /** Opens a part of the account of this program. Ended with `end`. */
  share(key: string): Share {
    let account = this.#accounts.get(key)
    if (account === undefined) {
      account = { key, held: 0, shares: 0 }
      this.#accounts.set(key, account)
    }
    account.shares += 1
    return new Share(this, account)
  }

  /** For shares alone. */
  add(account: Account, amount: number): void {
    account.held += amount
    this.#sum += amount
  }

  /** For shares alone. */
  noteRefusal(): void {
    this.#refused += 1
  }

  /** For shares alone. */
  closeShare(account: Account): void {
    account.shares -= 1
    if (account.shares === 0) this.#accounts.delete(account.key)
  }
}

export class Share {
  readonly #ledger: Ledger
  readonly #account: Account
  #amount = 0
  #isOpen = true

  constructor(ledger: Ledger, account: Account) {
    this.#ledger = ledger
    this.#account = account
  }

  get amount(): number {
    return this.#amount
  }

  /** Whether the program is well below what it may hold, so that it need not wait any longer. */
  get isEased(): boolean {
    const { held } = this.#account
    return held <= this.#ledger.mostFor(held) * EASED_SHARE
  }

  /** Charges more. False, and nothing is charged, when that is more than the program may hold. */
  take(amount: number): boolean {
    const { held } = this.#account
    if (!this.#isOpen || held + amount > this.#ledger.mostFor(held)) {
      this.#ledger.noteRefusal()
      return false
    }
    this.#change(amount)
    return true
  }

  /** Charges what is used already, up to what there is for all. False when that is more than the program may hold: it must wait. */
  use(amount: number): boolean {
    if (!this.#isOpen) return true
    const { held } = this.#account
    const isWithin = held + amount <= this.#ledger.mostFor(held)
    if (!isWithin) this.#ledger.noteRefusal()
    this.#change(amount)
    return isWithin
  }

  give(amount: number): void {
    if (this.#isOpen) this.#change(-Math.min(amount, this.#amount))
  }

  /** Gives everything back; once is enough, and twice does no harm. */
  end(): void {
    if (!this.#isOpen) return
    this.#change(-this.#amount)
    this.#isOpen = false
    this.#ledger.closeShare(this.#account)
  }

  #change(amount: number): void {
    this.#amount += amount
    this.#ledger.add(this.#account, amount)
  }
}
