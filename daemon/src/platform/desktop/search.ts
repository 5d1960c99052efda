/**
 * One search for a client behind several doors: in their order, yet one that says nothing holds up those after it only for a moment. The first
 * that answers is taken, the others are let go.
 */
import type { Clock } from '@sallyport/core/clock'
import type { StopListener, CancelSignal } from '@sallyport/core/cancel'
import type { Door } from '../../ipc/transport/dial.ts'
import type { Connection } from './connection.ts'

/**
 * `refused`: a socket is there, and nobody listens on it (yet). `silent`: somebody listens, and does not say what a client says (yet).
 * `turned-away`: a client, which does not take this application.
 */
export type NotFound = 'nobody' | 'turned-away' | 'refused' | 'silent'
export type Ready = Readonly<Record<string, unknown>>

export interface FoundClient {
  readonly door: Door
  readonly connection: Connection
  readonly ready: Ready
}
export type Found = FoundClient | NotFound

/** Somebody is being asked. */
export interface Knock {
  /** How long those after it wait for it alone, in ms. */
  readonly patienceMs: number
  /** Never rejects. */
  readonly outcome: Promise<Found>
  giveUp(): void
}

/** What is worth another try comes before what is not. */
const RANK: readonly NotFound[] = ['nobody', 'turned-away', 'refused', 'silent']

class Search implements StopListener {
  readonly found: Promise<Found>
  readonly #clock: Clock
  readonly #doors: Door[]
  readonly #knockAt: (door: Door) => Knock
  readonly #open = new Set<Knock>()
  #outcome: NotFound = 'nobody'
  #isOver = false
  #cancelPatience: () => void = () => {}
  #resolve: (found: Found) => void = () => {}

  constructor(clock: Clock, doors: readonly Door[], knockAt: (door: Door) => Knock) {
    this.#clock = clock
    this.#doors = [...doors]
    this.#knockAt = knockAt
    this.found = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#next()
  }

  /** It is given up. */
  handleEvent(): void {
    this.#end(this.#outcome)
  }

  #next(): void {
    this.#cancelPatience()
    const door = this.#doors.shift()
    if (door === undefined) {
      if (this.#open.size === 0) this.#end(this.#outcome)
      return
    }
    const knock = this.#knockAt(door)
    this.#open.add(knock)
    if (this.#doors.length > 0) this.#cancelPatience = this.#clock.after(knock.patienceMs, () => this.#next())
    void knock.outcome.then((found) => this.#settled(knock, found))
  }

  #settled(knock: Knock, found: Found): void {
    this.#open.delete(knock)
    if (typeof found !== 'object') {
      if (RANK.indexOf(found) > RANK.indexOf(this.#outcome)) this.#outcome = found
      if (!this.#isOver) this.#next()
    } else if (this.#isOver) found.connection.close()
    else this.#end(found)
  }

  #end(found: Found): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelPatience()
    for (const knock of this.#open) knock.giveUp()
    this.#resolve(found)
  }
}

/** Never rejects. `stop`: nobody waits for it any more. */
export async function search(clock: Clock, doors: readonly Door[], knockAt: (door: Door) => Knock, stop?: CancelSignal): Promise<Found> {
  if (stop?.aborted === true) return 'nobody'
  const one = new Search(clock, doors, knockAt)
  stop?.addEventListener('abort', one)
  try {
    return await one.found
  } finally {
    stop?.removeEventListener('abort', one)
  }
}
