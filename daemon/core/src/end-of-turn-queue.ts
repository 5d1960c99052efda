/** Runs work once per added item at the end of the turn of the event loop. */

/** Schedules work for the end of this turn of the event loop. */
export type ScheduleEndOfTurn = (work: () => void) => void

export class EndOfTurnQueue<Item> {
  readonly #schedule: ScheduleEndOfTurn
  readonly #work: (item: Item) => void
  #pending = new Set<Item>()

  constructor(schedule: ScheduleEndOfTurn, work: (item: Item) => void) {
    this.#schedule = schedule
    this.#work = work
  }

  add(item: Item): void {
    this.#pending.add(item)
    if (this.#pending.size === 1) this.#schedule(() => this.#run())
  }

  #run(): void {
    const due = this.#pending
    this.#pending = new Set()
    for (const item of due) this.#work(item)
  }
}
