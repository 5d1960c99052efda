/** Which games each event must reach, and whether it reached each of them once. */
import type { Player } from './player.ts'
import type { Tally } from './tally.ts'
import type { Troubles } from './trouble.ts'

interface Raised {
  readonly at: number
  readonly isFor: (player: Player) => boolean
  readonly reached: Map<Player, number>
  /** It may have happened or not. */
  isForgiven: boolean
}

/** Time for an event to reach a game. */
const WAIT_MS = 15_000
/** A game that subscribed a moment ago may miss an event that the platform sent already. */
const FRESH_MS = 3_000

export class Deliveries {
  readonly #players: readonly Player[]
  readonly #tally: Tally
  readonly #troubles: Troubles
  readonly #raised = new Map<string, Raised>()
  #marks = 0

  constructor(players: readonly Player[], tally: Tally, troubles: Troubles) {
    this.#players = players
    this.#tally = tally
    this.#troubles = troubles
  }

  /** A text that no other event carries. */
  mark(text: string): string {
    return `${text} ${++this.#marks}`
  }

  /** The event is about to happen. */
  raise(mark: string, isFor: (player: Player) => boolean): void {
    this.#raised.set(mark, { at: performance.now(), isFor, reached: new Map(), isForgiven: false })
  }

  forgive(mark: string): void {
    const raised = this.#raised.get(mark)
    if (raised !== undefined) raised.isForgiven = true
  }

  note(player: Player, mark: string): void {
    this.#tally.count('events')
    const raised = this.#raised.get(mark)
    // The state at the subscription carries the mark of an earlier change.
    if (raised === undefined) return
    const now = performance.now()
    this.#tally.time('event', now - raised.at, now)
    raised.reached.set(player, (raised.reached.get(player) ?? 0) + 1)
  }

  /** Judges what was raised long enough ago. */
  judge(): void {
    const now = performance.now()
    for (const [mark, raised] of this.#raised) {
      if (raised.at + WAIT_MS > now) continue
      this.#raised.delete(mark)
      if (!raised.isForgiven) for (const player of this.#players) this.#judgeOne(mark, raised, player)
    }
  }

  #judgeOne(mark: string, { at, isFor, reached }: Raised, player: Player): void {
    const { listeningSince, account } = player
    const times = reached.get(player) ?? 0
    if (!isFor(player)) {
      if (times > 0) this.#tally.unexpected(`"${mark}" reached ${player.name}, whom it is not for`)
      return
    }
    if (listeningSince === undefined || listeningSince + FRESH_MS > at || this.#troubles.delaysEvents(account, at)) return
    if (times !== 1) this.#tally.unexpected(`"${mark}" reached ${player.name} ${times} times`)
  }
}
