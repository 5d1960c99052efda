/** Every delivery to every listener, by the mark that its probe carries. */

export interface Delivery {
  /** Game and listener. */
  readonly listener: string
  readonly event: string
  readonly mark: string
  /** All of its data, as text. A guild with a new number of online players has new content under the same mark. */
  readonly content: string
  /** Number of the connection it came by. */
  readonly connection: number
  /** The event reports a state, not an occurrence. Providers send the state again while they recover. */
  readonly isState: boolean
}

export class Ledger {
  readonly #firsts = new Set<string>()
  readonly #byMark = new Map<string, Set<string>>()
  readonly #duplicates: Delivery[] = []
  #deliveries = 0
  /** Number of changes between broken and whole; odd while whole. */
  #phase = 0

  note(delivery: Delivery): void {
    this.#deliveries += 1
    const { listener, event, mark, content, connection, isState } = delivery
    const isSettled = this.#phase % 2 === 1
    const key = [listener, connection, event, content, isState ? this.#phase : ''].join(' ')
    if (this.#firsts.has(key) && (isSettled || !isState)) this.#duplicates.push(delivery)
    this.#firsts.add(key)
    const listeners = this.#byMark.get(mark) ?? new Set<string>()
    this.#byMark.set(mark, listeners)
    listeners.add(listener)
  }

  /** True: everything works from now on. False: something is broken, so states may be sent once more. */
  setWhole(isWhole: boolean): void {
    if ((this.#phase % 2 === 1) !== isWhole) this.#phase += 1
  }

  /** Listeners that received this mark. */
  listenersOf(mark: string): ReadonlySet<string> {
    return this.#byMark.get(mark) ?? new Set()
  }

  get deliveries(): number {
    return this.#deliveries
  }

  /** Deliveries that came again on the same connection. */
  get duplicates(): readonly Delivery[] {
    return this.#duplicates
  }
}
