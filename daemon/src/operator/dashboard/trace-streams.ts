/**
 * Sends traces of calls and events to pages that show them, as server-sent events. What comes too fast, or while a page has not read the rest, is
 * left out and counted, so that a page costs neither memory nor the time of games.
 */
import type { ServerResponse } from 'node:http'
import type { Clock } from '@sallyport/core/clock'
import type { Figures, TraceBatch } from '@sallyport/core/dashboard-messages'
import type { CallTrace, EventTrace } from '@sallyport/protocol'

type Traces = Omit<TraceBatch, 'left_out'>

/** What makes traces. */
export interface TraceSource {
  /** Reports each finished call and each event until it is closed; makes whole traces meanwhile. Returns what closes it. */
  follow(listener: { onCall(trace: CallTrace): void; onEvent(trace: EventTrace): void }): Promise<() => void>
  /** The kept ones, newest first, in at most `maxBytes` of JSON. */
  newest(selected: { readonly applicationId: undefined; readonly all: true }, maxBytes: number): Traces
}

/** Pages in the foreground that show traces. */
const MAX_STREAMS = 4
/** A call is seen a tenth of a second later. */
const FLUSH_MS = 100
/** A timer runs only while a page shows the charts' numbers. */
const FIGURES_MS = 1000
const MOST_PER_FLUSH = 100
const BACKLOG_BYTES = 1_048_576

interface TraceStreamsDeps {
  readonly clock: Pick<Clock, 'after'>
  readonly traces: TraceSource
  readonly figures: () => Figures
  readonly onUnwatched: () => void
}

export class TraceStreams {
  readonly #clock: Pick<Clock, 'after'>
  readonly #source: TraceSource
  readonly #figures: () => Figures
  readonly #onUnwatched: () => void
  #count = 0

  /** `onUnwatched`: the last page that shows traces has left. */
  constructor({ clock, traces, figures, onUnwatched }: TraceStreamsDeps) {
    this.#figures = figures
    this.#clock = clock
    this.#source = traces
    this.#onUnwatched = onUnwatched
  }

  get isFull(): boolean {
    return this.#count >= MAX_STREAMS
  }

  /** Sends what is kept, oldest first, and then each trace until the page disconnects. The head of the response is sent already. */
  async add(response: ServerResponse): Promise<void> {
    this.#count++
    let calls: CallTrace[] = []
    let events: EventTrace[] = []
    let leftOut = 0
    let cancelFlush: (() => void) | undefined
    const send = (traces: Traces, count: number): void => {
      const batch: TraceBatch = { ...traces, left_out: count }
      response.write(`event: traces\ndata: ${JSON.stringify(batch)}\n\n`)
    }
    const flush = (): void => {
      cancelFlush = undefined
      send({ calls, events }, leftOut)
      calls = []
      events = []
      leftOut = 0
    }
    const take = (room: () => void): void => {
      if (response.writableNeedDrain || calls.length + events.length >= MOST_PER_FLUSH) leftOut++
      else room()
      cancelFlush ??= this.#clock.after(FLUSH_MS, flush)
    }
    const closed = Promise.withResolvers<void>()
    response.once('close', closed.resolve)
    const kept = this.#source.newest({ applicationId: undefined, all: true }, BACKLOG_BYTES)
    send({ calls: kept.calls.toReversed(), events: kept.events.toReversed() }, 0)
    const unfollow = await this.#source.follow({
      onCall: (trace) => take(() => calls.push(trace)),
      onEvent: (trace) => take(() => events.push(trace)),
    })
    let cancelFigures = (): void => {}
    const sendFigures = (): void => {
      if (!response.writableNeedDrain) response.write(`event: figures\ndata: ${JSON.stringify(this.#figures())}\n\n`)
      cancelFigures = this.#clock.after(FIGURES_MS, sendFigures)
    }
    sendFigures()
    await closed.promise
    unfollow()
    cancelFigures()
    cancelFlush?.()
    this.#count--
    if (this.#count === 0) this.#onUnwatched()
  }
}
