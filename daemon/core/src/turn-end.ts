/** What is done once for each thing that asked for it, however often it asked, when a turn of the event loop is over. */

/** Runs work when this turn of the event loop is over. */
export type Defer = (work: () => void) => void

export class TurnEnd<Item> {
  readonly #defer: Defer
  readonly #work: (item: Item) => void
  #waiting = new Set<Item>()

  constructor(defer: Defer, work: (item: Item) => void) {
    this.#defer = defer
    this.#work = work
  }

  add(item: Item): void {
    this.#waiting.add(item)
    if (this.#waiting.size === 1) this.#defer(() => this.#run())
  }

  #run(): void {
    const due = this.#waiting
    this.#waiting = new Set()
    for (const item of due) this.#work(item)
  }
}
