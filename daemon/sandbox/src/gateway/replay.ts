/** What a session can repeat after a break: its last events, bounded by number, size and age. Pure but for what it holds. */
import { REPLAY } from './limits.ts'

interface Kept {
  readonly seq: number
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export class Replay {
  readonly #kept: Kept[] = []
  #characters = 0

  get size(): number {
    return this.#kept.length
  }

  add(seq: number, text: string, now: number): void {
    this.#kept.push({ seq, text, at: now })
    this.#characters += text.length
    this.#forget(now)
  }

  /** The events after this one, as they were sent; undefined when some of them are forgotten. `last` is the newest there ever was. */
  after(seq: number, last: number, now: number): readonly string[] | undefined {
    this.#forget(now)
    const missed = this.#kept.filter((one) => one.seq > seq)
    return missed.length === last - seq ? missed.map(({ text }) => text) : undefined
  }

  #forget(now: number): void {
    const isTooMuch = ({ at }: Kept): boolean =>
      this.#kept.length > REPLAY.events || this.#characters > REPLAY.characters || now - at > REPLAY.ageMs
    for (let oldest = this.#kept[0]; oldest !== undefined && isTooMuch(oldest); oldest = this.#kept[0]) {
      this.#kept.shift()
      this.#characters -= oldest.text.length
    }
  }
}
