/**
 * Usage of one resource by program. A program may use up to its own limit, and at most half of what the others leave. A program without
 * usage may take all that is left.
 *
 *   own ≤ ofProgram     own ≤ (ofAll − others) / 2     sum ≤ ofAll
 *
 * Programs of a group also share what two programs may have, by the same rule: containers can be made without end.
 *
 * A row may have lower limits for programs without a grant. What lies between them and the others is a reserve for programs with one.
 */
import { groupOf } from '../identity/program.ts'
import type { ResourceLimits, ResourceRow } from './resources.ts'

/** A group may hold as much as so many programs. */
const GROUP_PROGRAMS = 2

/** What programs of a group hold together. */
interface Group {
  readonly key: string
  held: number
  /** Programs of it with open shares. */
  programs: number
}

/** The usage of one program. Idle ones are removed, so that many names use no memory. */
interface Holding {
  readonly key: string
  readonly group: Group | undefined
  /** Asked only where the limits without a grant are reached. */
  readonly isGranted: IsGranted
  held: number
  /** Shares that are open. */
  shares: number
}

type Usage = Pick<Holding, 'held' | 'group'>

/** Whether a program has a live grant. */
export type IsGranted = () => boolean

const NOT_GRANTED: IsGranted = () => false

/** A paused program resumes below this share of its limit, so that it is not paused again at once. */
const RESUME_SHARE = 0.75

export class Ledger {
  readonly row: ResourceRow
  readonly #accounts = new Map<string, Holding>()
  readonly #groups = new Map<string, Group>()
  #sum = 0
  #refused = 0

  constructor(row: ResourceRow) {
    this.row = row
  }

  get sum(): number {
    return this.#sum
  }

  /** Number of refused charges since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Number of programs with open shares. */
  get holders(): number {
    return this.#accounts.size
  }

  heldBy(key: string): number {
    return this.#accounts.get(key)?.held ?? 0
  }

  /** Whether this amount is left for all programs together. */
  hasRoom(amount: number): boolean {
    return this.#sum + amount <= this.row.ofAll
  }

  /** Whether a program may hold this amount besides. */
  allows(key: string, amount: number, isGranted: IsGranted = NOT_GRANTED): boolean {
    return this.isWithin(1, this.#accounts.get(key) ?? { held: 0, group: this.#groups.get(groupOf(key) ?? '') }, amount, isGranted)
  }

  /** Whether it may with this part of its limit. */
  isWithin(part: number, holding: Usage, amount: number, isGranted: IsGranted): boolean {
    const { row } = this
    const fits = (limits: ResourceLimits) => holding.held + amount <= this.#limitFor(holding, limits) * part
    return fits(row.withoutGrant ?? row) || (row.withoutGrant !== undefined && isGranted() && fits(row))
  }

  /** The limit of a program with this usage. */
  #limitFor({ held, group }: Usage, { ofProgram, ofAll }: ResourceLimits): number {
    const leftOfAll = ofAll - (this.#sum - held)
    const left = group === undefined ? leftOfAll : Math.min(leftOfAll, ofProgram * GROUP_PROGRAMS - (group.held - held))
    return Math.min(ofProgram, held === 0 ? left : Math.floor(left / 2))
  }

  /** Opens a share of this program's usage. Close it with `close`. */
  share(key: string, isGranted: IsGranted = NOT_GRANTED): Share {
    let holding = this.#accounts.get(key)
    if (holding === undefined) {
      holding = { key, group: this.#groupFor(key), isGranted, held: 0, shares: 0 }
      this.#accounts.set(key, holding)
    }
    holding.shares += 1
    return new Share(this, holding)
  }

  /** The group of a program that opens its first share. */
  #groupFor(key: string): Group | undefined {
    const groupKey = groupOf(key)
    if (groupKey === undefined) return undefined
    const group = this.#groups.get(groupKey) ?? { key: groupKey, held: 0, programs: 0 }
    group.programs += 1
    this.#groups.set(groupKey, group)
    return group
  }

  /** For shares only. */
  add(holding: Holding, amount: number): void {
    holding.held += amount
    if (holding.group !== undefined) holding.group.held += amount
    this.#sum += amount
  }

  /** For shares only. */
  recordRefusal(): void {
    this.#refused += 1
  }

  /** For shares only. */
  closeShare(holding: Holding): void {
    holding.shares -= 1
    if (holding.shares > 0) return
    this.#accounts.delete(holding.key)
    if (holding.group === undefined) return
    holding.group.programs -= 1
    if (holding.group.programs === 0) this.#groups.delete(holding.group.key)
  }
}

export class Share {
  readonly #ledger: Ledger
  readonly #account: Holding
  #amount = 0
  #isOpen = true

  constructor(ledger: Ledger, holding: Holding) {
    this.#ledger = ledger
    this.#account = holding
  }

  get amount(): number {
    return this.#amount
  }

  /** Whether the program is far enough below its limit to resume. */
  get canResume(): boolean {
    return this.isWithin(RESUME_SHARE)
  }

  /** Whether the program holds at most this part of its limit. */
  isWithin(part: number): boolean {
    return this.#ledger.isWithin(part, this.#account, 0, this.#account.isGranted)
  }

  /** Whether the program may hold this amount besides. */
  hasRoomFor(amount: number): boolean {
    return this.#ledger.isWithin(1, this.#account, amount, this.#account.isGranted)
  }

  /** Charges an amount. Returns false and charges nothing when that exceeds the program's limit. */
  tryCharge(amount: number): boolean {
    if (!this.#isOpen || !this.hasRoomFor(amount)) {
      this.#ledger.recordRefusal()
      return false
    }
    this.#change(amount)
    return true
  }

  /** Charges an amount that is already in use, up to the total. False when the program is over its limit and must pause. */
  charge(amount: number): boolean {
    if (!this.#isOpen) return true
    const isWithin = this.hasRoomFor(amount)
    if (!isWithin) this.#ledger.recordRefusal()
    this.#change(amount)
    return isWithin
  }

  release(amount: number): void {
    if (this.#isOpen) this.#change(-Math.min(amount, this.#amount))
  }

  /** Releases everything. Idempotent. */
  close(): void {
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
