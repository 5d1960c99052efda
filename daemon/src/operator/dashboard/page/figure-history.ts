/** What the charts show: a row for each second, of the last minutes. Pure. */
import type { Figures } from '@sallyport/core/dashboard-messages'
import type { CallTrace } from '@sallyport/protocol'

/** One second. Undefined: nothing is known. */
export interface Second {
  /** Seconds since the epoch. */
  readonly at: number
  readonly calls: number | undefined
  readonly events: number | undefined
  /** Of the calls that were traced, in ms. */
  readonly median: number | undefined
  readonly p99: number | undefined
  readonly mebibytes: number
}

export const MOST_SECONDS = 300
const SECOND_MS = 1000
const MEBIBYTE = 1024 * 1024
const P99 = 0.99

/** `sorted`: ascending. The least value that the part of all values does not exceed. */
export const percentile = (sorted: readonly number[], part: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)]

export class FigureHistory {
  #seconds: readonly Second[] = []
  #last: { readonly figures: Figures; readonly at: number } | undefined
  #durations: number[] = []

  /** Oldest first. A later change makes a new list. */
  get seconds(): readonly Second[] {
    return this.#seconds
  }

  get buckets(): Figures['buckets'] {
    return this.#last?.figures.buckets ?? []
  }

  /** The part of calls and events that is traced now, and how many were not traced since the daemon started. */
  get share(): number {
    return this.#last?.figures.share ?? 1
  }

  addCalls(calls: readonly CallTrace[]): void {
    for (const { ms } of calls) if (ms !== undefined) this.#durations.push(ms)
  }

  /** `at`: in ms since the epoch. */
  add(figures: Figures, at: number): void {
    const last = this.#last
    // Another daemon counts from the start, and after a pause nothing is known of each second.
    const isNext = last !== undefined && figures.calls >= last.figures.calls && at - last.at < 3 * SECOND_MS && at > last.at
    const perSecond = (of: 'calls' | 'events'): number | undefined =>
      isNext ? ((figures[of] - last.figures[of]) * SECOND_MS) / (at - last.at) : undefined
    const durations = this.#durations.toSorted((one, other) => one - other)
    this.#durations = []
    this.#last = { figures, at }
    const second: Second = {
      at: at / SECOND_MS,
      calls: perSecond('calls'),
      events: perSecond('events'),
      median: percentile(durations, 1 / 2),
      p99: percentile(durations, P99),
      mebibytes: figures.memory / MEBIBYTE,
    }
    this.#seconds = [...this.#seconds, second].slice(-MOST_SECONDS)
  }
}
