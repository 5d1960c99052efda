/** Who heard what: every delivery to every listener, by the mark that its probe carries. */

export interface Delivery {
  /** Game and listener. */
  readonly listener: string
  readonly event: string
  readonly mark: string
  /** All that it said, as text: a guild whose number of online players changed says something new under the same mark. */
  readonly content: string
  /** Number of the connection it came by. */
  readonly link: number
  /** It says how something stands, not that something happened: while sources come back, games are told of that anew. */
  readonly isState: boolean
}

export class Ledger {
  readonly #firsts = new Set<string>()
  readonly #byMark = new Map<string, Set<string>>()
  readonly #twice: Delivery[] = []
  #deliveries = 0
  /** How often everything was whole; odd while it is. */
  #phase = 0

  note(delivery: Delivery): void {
    this.#deliveries += 1
    const { listener, event, mark, content, link, isState } = delivery
    const isSettled = this.#phase % 2 === 1
    const key = [listener, link, event, content, isState ? this.#phase : ''].join(' ')
    if (this.#firsts.has(key) && (isSettled || !isState)) this.#twice.push(delivery)
    this.#firsts.add(key)
    const heard = this.#byMark.get(mark) ?? new Set<string>()
    this.#byMark.set(mark, heard)
    heard.add(listener)
  }

  /** Everything is whole from now on, or something is broken: how things stand may be told once more. */
  setWhole(isWhole: boolean): void {
    if ((this.#phase % 2 === 1) !== isWhole) this.#phase += 1
  }

  /** Listeners that heard this mark. */
  heard(mark: string): ReadonlySet<string> {
    return this.#byMark.get(mark) ?? new Set()
  }

  get deliveries(): number {
    return this.#deliveries
  }

  /** Those that came again by the same connection. */
  get twice(): readonly Delivery[] {
    return this.#twice
  }
}
