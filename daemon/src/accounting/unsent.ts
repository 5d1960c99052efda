/**
 * Bytes that peers have not read, by program. A peer that does not read makes the daemon hold its responses and events.
 *
 *   half of the limit ──▶ the program's connections with unsent bytes are not read
 *   over the limit    ──▶ the program loses its connection with the most
 *   no room at all    ──▶ the program with the most loses its connection with the most; first one without a grant
 */
import type { IsGranted, Ledger, Share } from './ledger.ts'
import type { ResourceLimits } from './resources.ts'

/** A connection that holds unsent bytes. */
interface Holder {
  readonly unsentBytes: number
  readonly member: { applyBackpressure(): void; drop(): void }
}

/** The unsent bytes of one program. */
export interface Unread<Connection extends Holder> {
  readonly connections: ReadonlySet<Connection>
  readonly share: Share
  readonly isGranted: IsGranted
  /** Its connections with unsent bytes are not read. */
  isOver: boolean
}

/** Parts of the limit at which reading pauses and resumes. */
const PAUSE_PART = 1 / 2
const RESUME_PART = 3 / 8

const sumOf = (programs: readonly Unread<Holder>[]): number => programs.reduce((sum, { share }) => sum + share.amount, 0)

function largestOf<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): Item | undefined {
  let largest: Item | undefined
  for (const item of items) if (sizeOf(item) > (largest === undefined ? 0 : sizeOf(largest))) largest = item
  return largest
}

export class Unsent<Connection extends Holder> {
  readonly #ledger: Ledger
  /** All programs with connections. */
  readonly #programs: () => readonly Unread<Connection>[]

  /** Bytes that programs without a grant had left at the last look at all programs, and what was charged since. Less than the former needs none. */
  #leftAtLook = 0
  #sinceLook = 0

  constructor(ledger: Ledger, programs: () => readonly Unread<Connection>[]) {
    this.#ledger = ledger
    this.#programs = programs
  }

  /** The unsent bytes of a connection of this program changed. */
  change(program: Unread<Connection>, bytes: number): void {
    const { share } = program
    if (bytes < 0) share.release(-bytes)
    else {
      share.charge(bytes)
      while (this.#isOver(program, 1) && this.#dropLargest(program));
      this.#sinceLook += bytes
      if (this.#isLookDue) this.#makeRoom()
    }
    const isOver = this.#isOver(program, program.isOver ? RESUME_PART : PAUSE_PART)
    if (isOver === program.isOver) return
    program.isOver = isOver
    for (const { member } of [...program.connections]) member.applyBackpressure()
  }

  get #withoutGrant(): ResourceLimits {
    const { row } = this.#ledger
    return row.withoutGrant ?? row
  }

  /** Whether the program holds more than this part of its limit. */
  #isOver({ share, isGranted }: Unread<Connection>, part: number): boolean {
    const held = share.amount
    if (held <= this.#withoutGrant.ofProgram * part) return false
    return held > this.#ledger.row.ofProgram * part || !isGranted()
  }

  get #isLookDue(): boolean {
    const { sum, row } = this.#ledger
    return sum > row.ofAll || (sum > this.#withoutGrant.ofAll && this.#sinceLook > this.#leftAtLook)
  }

  #makeRoom(): void {
    const programs = this.#programs()
    const strangers = programs.filter(({ isGranted }) => !isGranted())
    while (sumOf(strangers) > this.#withoutGrant.ofAll && this.#dropLargestOf(strangers));
    while (this.#ledger.sum > this.#ledger.row.ofAll && (this.#dropLargestOf(strangers) || this.#dropLargestOf(programs)));
    this.#leftAtLook = this.#withoutGrant.ofAll - sumOf(strangers)
    this.#sinceLook = 0
  }

  #dropLargestOf(programs: readonly Unread<Connection>[]): boolean {
    const largest = largestOf(programs, ({ share }) => share.amount)
    return largest !== undefined && this.#dropLargest(largest)
  }

  /** False if the program has no connection with unsent bytes. */
  #dropLargest({ connections }: Unread<Connection>): boolean {
    const largest = largestOf(connections, ({ unsentBytes }) => unsentBytes)
    largest?.member.drop()
    return largest !== undefined
  }
}
