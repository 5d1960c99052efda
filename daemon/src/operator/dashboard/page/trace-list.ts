/** The calls and events that the page has received: bounded, searchable, newest first. Pure. */
import type { TraceBatch } from '@sallyport/core/dashboard-messages'
import type { CallTrace, EventTrace } from '@sallyport/protocol'

export const MOST_ROWS = 5_000
export const MOST_BYTES = 20 * 1024 * 1024
/** Rows that the user keeps. */
export const MOST_KEPT = 100

export type TraceResult = 'success' | 'error' | 'event'

/** A call or an event. */
export interface TraceRow {
  /** `c12-345`, or `e7`. */
  readonly id: string
  readonly result: TraceResult
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The command or the event. */
  readonly name: string
  readonly applications: readonly string[]
  readonly ms: number | undefined
  /** Everything in it as text, in lower case, for a search. */
  readonly text: string
  readonly trace: { readonly call: CallTrace } | { readonly event: EventTrace }
}

export interface TraceFilter {
  /** Words that all must be in the row. */
  readonly text: string
  readonly application: string | undefined
  readonly result: TraceResult | undefined
}

const ofCall = (call: CallTrace): TraceRow => ({
  id: call.id,
  result: call.result === 'error' ? 'error' : 'success',
  at: call.at,
  name: call.cmd,
  applications: call.application_id === undefined ? [] : [call.application_id],
  ms: call.ms,
  text: JSON.stringify(call).toLowerCase(),
  trace: { call },
})

const ofEvent = (event: EventTrace): TraceRow => ({
  id: event.id,
  result: 'event',
  at: event.at,
  name: event.event,
  applications: [...new Set([...event.to, ...event.withheld].flatMap(({ application_id: id }) => id ?? []))],
  ms: undefined,
  text: JSON.stringify(event).toLowerCase(),
  trace: { event },
})

/** A daemon that started again counts its connections from the start, so an id alone is none. */
export const keyOf = ({ id, at }: TraceRow): string => `${at} ${id}`

/** Newest first. */
export function matching(rows: readonly TraceRow[], { text, application, result }: TraceFilter): readonly TraceRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows
    .filter(
      (row) =>
        (result === undefined || row.result === result) &&
        (application === undefined || row.applications.includes(application)) &&
        words.every((word) => row.text.includes(word)),
    )
    .toReversed()
}

/** The applications of the rows, each once, sorted. */
export const applicationsOf = (rows: readonly TraceRow[]): readonly string[] =>
  [...new Set(rows.flatMap(({ applications }) => applications))].toSorted()

export class TraceList {
  #rows: readonly TraceRow[] = []
  readonly #keys = new Set<string>()
  /** Keys of rows that neither `clear` nor the bound removes. */
  readonly #kept = new Set<string>()
  #bytes = 0
  #leftOut = 0

  /** Oldest first. A later change makes a new list. */
  get rows(): readonly TraceRow[] {
    return this.#rows
  }

  /** How many the daemon did not send, since the last `clear`. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** After the connection was lost, the daemon sends again what it has kept: each is taken once. */
  add({ calls, events, left_out: leftOut }: TraceBatch): void {
    this.#leftOut += leftOut
    const added = [...calls.map(ofCall), ...events.map(ofEvent)].filter((row) => !this.#keys.has(keyOf(row)))
    for (const row of added) {
      this.#keys.add(keyOf(row))
      this.#bytes += row.text.length
    }
    const rows = [...this.#rows, ...added.toSorted((one, other) => one.at - other.at)]
    let left = rows.length
    this.#rows = rows.filter((row) => {
      if ((left <= MOST_ROWS && this.#bytes <= MOST_BYTES) || this.isKept(row)) return true
      left--
      this.#forget(row)
      return false
    })
  }

  isKept(row: TraceRow): boolean {
    return this.#kept.has(keyOf(row))
  }

  get canKeepMore(): boolean {
    return this.#kept.size < MOST_KEPT
  }

  /** Keeps a row, or no more. */
  keep(row: TraceRow, isKept: boolean): void {
    if (!isKept) this.#kept.delete(keyOf(row))
    else if (this.canKeepMore) this.#kept.add(keyOf(row))
  }

  /** Leaves the kept ones. */
  clear(): void {
    this.#rows = this.#rows.filter((row) => {
      if (this.isKept(row)) return true
      this.#forget(row)
      return false
    })
    this.#leftOut = 0
  }

  #forget(row: TraceRow): void {
    this.#keys.delete(keyOf(row))
    this.#bytes -= row.text.length
  }
}
