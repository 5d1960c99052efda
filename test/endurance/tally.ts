/** What came of every call and event of a run: counts, times by the minute, and each thing that should not have been. */

export const MINUTE_MS = 60_000

/** Of one kind, of one minute. */
export interface Percentiles {
  readonly count: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** `call`: SET_ACTIVITY at the daemon. `floor`: the same bytes at a server that only reads and writes them. */
export const TIMED = ['call', 'floor', 'forwarded', 'event'] as const
export type Timed = (typeof TIMED)[number]

export interface Minute {
  /** From the start of the load, in whole minutes. */
  readonly minute: number
  readonly times: Readonly<Partial<Record<Timed, Percentiles>>>
}

/** More sentences than anyone reads would only fill the memory. */
const KEPT_SENTENCES = 50
const DIGITS = 1000

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * DIGITS) / DIGITS
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
}

export class Tally {
  readonly #counts = new Map<string, number>()
  readonly #unexpected: string[] = []
  readonly #minutes: Minute[] = []
  #unexpectedCount = 0
  #times = new Map<Timed, number[]>()
  #startedAt = Number.POSITIVE_INFINITY
  #minute = 0

  /** From now on times are kept. */
  start(nowMs: number): void {
    this.#startedAt = nowMs
  }

  count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times)
  }

  time(what: Timed, ms: number, nowMs: number): void {
    if (nowMs < this.#startedAt) return
    this.#closeMinutes(nowMs)
    const own = this.#times.get(what) ?? []
    this.#times.set(what, own)
    own.push(ms)
  }

  /** Something that fails the run, as a sentence without secrets. */
  unexpected(sentence: string): void {
    this.#unexpectedCount += 1
    if (this.#unexpected.length < KEPT_SENTENCES) this.#unexpected.push(sentence)
  }

  /** No more times are kept; the last minute is closed. */
  stop(): void {
    this.#close()
    this.#startedAt = Number.POSITIVE_INFINITY
  }

  get unexpectedSentences(): readonly string[] {
    const hidden = this.#unexpectedCount - this.#unexpected.length
    return hidden === 0 ? this.#unexpected : [...this.#unexpected, `and ${hidden} more`]
  }

  /** By name. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)))
  }

  get minutes(): readonly Minute[] {
    return this.#minutes
  }

  #closeMinutes(nowMs: number): void {
    const minute = Math.floor((nowMs - this.#startedAt) / MINUTE_MS)
    if (minute === this.#minute) return
    this.#close()
    this.#minute = minute
  }

  #close(): void {
    if (this.#times.size === 0) return
    const times = Object.fromEntries([...this.#times].map(([what, own]) => [what, percentilesOf(own)]))
    this.#minutes.push({ minute: this.#minute, times })
    this.#times = new Map()
  }
}
