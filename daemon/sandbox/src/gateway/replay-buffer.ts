/** The last events of a session, resent when it resumes; bounded by number, size and age. */
import { REPLAY } from './limits.ts'

interface BufferedEvent {
  readonly seq: number
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export class ReplayBuffer {
  readonly #events: BufferedEvent[] = []
  #characters = 0

  get size(): number {
    return this.#events.length
  }

  add(seq: number, text: string, now: number): void {
    this.#events.push({ seq, text, at: now })
    this.#characters += text.length
    this.#evict(now)
  }

  /** The events after `seq`, as they were sent; undefined when the buffer dropped some. `last` is the newest sequence number. */
  after(seq: number, last: number, now: number): readonly string[] | undefined {
    this.#evict(now)
    const missed = this.#events.filter((one) => one.seq > seq)
    return missed.length === last - seq ? missed.map(({ text }) => text) : undefined
  }

  #evict(now: number): void {
    const isExpired = ({ at }: BufferedEvent): boolean =>
      this.#events.length > REPLAY.events || this.#characters > REPLAY.characters || now - at > REPLAY.ageMs
    for (let oldest = this.#events[0]; oldest !== undefined && isExpired(oldest); oldest = this.#events[0]) {
      this.#events.shift()
      this.#characters -= oldest.text.length
    }
  }
}
