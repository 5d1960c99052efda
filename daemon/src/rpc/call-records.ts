/** What the bridge keeps for operators: the last calls that failed; and traces of all calls and events, while an operator watches. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { WireError } from '@sallyport/core/errors'
import type { CallTrace, DataOf, EventTrace } from '@sallyport/protocol'
import type { EventWatcher } from '../events/subscription-registry.ts'
import type { CallRecorder, CallSource } from '../ipc/connection/call-watcher.ts'
import type { CallHeader } from '../ipc/connection/envelope.ts'
import type { Session } from '../sessions/session.ts'
import type { EventTraces } from './event-traces.ts'
import { FailedCalls, shortened } from './failed-calls.ts'
import { TraceSampling } from './trace-sampling.ts'
import type { WholeTraces } from './whole-traces.ts'

/** Room in a response for its envelope. */
const ENVELOPE_BYTES = 4096

type Found = DataOf<'INSPECT_CALLS'>

/** Follows calls and events. */
export interface TraceListener {
  /** A call got its response. */
  onCall(trace: CallTrace): void
  /** An event came; who gets it follows in the same turn. */
  onEvent(trace: EventTrace): void
}

interface Selected {
  readonly applicationId: string | undefined
  readonly all: boolean
}

export class CallRecords implements CallRecorder {
  /** Undefined while no operator watches, so that calls cost nothing then. */
  watcher: WholeTraces | undefined
  /** Loaded for the first operator who watches; it keeps its traces after the last one. */
  #whole: WholeTraces | undefined
  #events: EventTraces | undefined
  readonly #watching = new Set<number>()
  readonly #listeners = new Set<TraceListener>()
  #isAlways = false
  readonly #failed = new FailedCalls()
  readonly #samplings: { readonly calls: TraceSampling; readonly events: TraceSampling }
  readonly #pid: number
  readonly #clock: Clock
  readonly #applicationOf: (connectionId: number) => string | undefined
  readonly #hub: { watcher: EventWatcher<Session> | undefined }

  /** `pid`: of the daemon. */
  constructor(
    clock: Clock,
    applicationOf: (connectionId: number) => string | undefined,
    hub: { watcher: EventWatcher<Session> | undefined },
    pid: number,
  ) {
    const sampling = () => new TraceSampling(clock, BUDGETS.tracedPerSecond.value, BUDGETS.tracedPerSecondOfMore.value)
    this.#samplings = { calls: sampling(), events: sampling() }
    this.#pid = pid
    this.#clock = clock
    this.#applicationOf = applicationOf
    this.#hub = hub
  }

  /** The connection is that of an operator, who would see its own READY. */
  leaveOut(connectionId: number): void {
    this.#events?.dropReady(connectionId)
  }

  /** Makes whole traces until this connection of an operator ends. Calls that began before stay without. */
  async watch(connectionId: number): Promise<void> {
    this.leaveOut(connectionId)
    this.#watching.add(connectionId)
    await this.#start()
  }

  /** Makes whole traces, and reports each to the listener, until it is closed. Returns what closes it. */
  async follow(listener: TraceListener): Promise<() => void> {
    this.#listeners.add(listener)
    await this.#start()
    return () => {
      this.#listeners.delete(listener)
      this.#rest()
    }
  }

  /** Makes whole traces also while no operator watches, and keeps fewer of them then. */
  async traceAlways(): Promise<void> {
    this.#isAlways = true
    await this.#start()
  }

  async #start(): Promise<void> {
    const { EventTraces: Events, WholeTraces: Calls } = await import('./traces.ts')
    const most = (): number => (this.#isWatched ? BUDGETS.tracedCalls : BUDGETS.tracedCallsUnwatched).value
    this.#whole ??= new Calls({
      clock: this.#clock,
      applicationOf: this.#applicationOf,
      isOperator: (id) => this.#watching.has(id),
      most,
      sampling: this.#samplings.calls,
      ownPid: this.#pid,
      onFinished: (trace) => this.#listeners.forEach((listener) => listener.onCall(trace)),
    })
    this.#events ??= new Events(this.#clock, most, this.#samplings.events, (trace) =>
      this.#listeners.forEach((listener) => listener.onEvent(trace)),
    )
    if (!this.#isWanted) return
    this.watcher = this.#whole
    this.#hub.watcher = this.#events
  }

  /**
   * What is traced of many calls and events: the smaller share now, and how many were not traced so far. `events`: all that came while an
   * operator watched.
   */
  get sampling(): { readonly share: number; readonly skipped: number; readonly events: number } {
    const { calls, events } = this.#samplings
    return { events: events.seen, share: Math.min(calls.share, events.share), skipped: calls.skipped + events.skipped }
  }

  get #isWanted(): boolean {
    return this.#isAlways || this.#isWatched
  }

  get #isWatched(): boolean {
    return this.#watching.size + this.#listeners.size > 0
  }

  #rest(): void {
    if (!this.#isWanted) this.watcher = this.#hub.watcher = undefined
  }

  endConnection(connectionId: number): void {
    this.#watching.delete(connectionId)
    this.#rest()
    this.#whole?.endConnection(connectionId)
  }

  failed({ id: connection, peer: { pid } }: CallSource, { cmd, sequence }: CallHeader, error: WireError, bytes: number): void {
    const whole = this.#whole?.failed(connection, sequence, error, bytes)
    if (whole === undefined && this.#watching.has(connection)) return
    const slot = this.#failed.next()
    slot.at = this.#clock.now()
    slot.connection = connection
    slot.sequence = sequence
    slot.applicationId = this.#applicationOf(connection)
    slot.pid = pid
    slot.cmd = cmd
    slot.error = shortened(error)
    slot.bytes = bytes
    slot.whole = whole
  }

  find(id: string): Found | undefined {
    const call = this.#whole?.find(id) ?? this.#failed.find(id)
    if (call !== undefined) return { calls: [call], events: [] }
    const event = this.#events?.find(id)
    return event === undefined ? undefined : { calls: [], events: [event] }
  }

  /** The calls that failed and the events, newest first, in at most `maxBytes` of JSON. `all`: also whole calls that succeeded. */
  newest({ applicationId, all }: Selected, maxBytes: number): Found {
    let left = maxBytes - ENVELOPE_BYTES
    const fits = (one: object): boolean => (left -= Buffer.byteLength(JSON.stringify(one)) + 1) > 0
    return {
      calls: this.#calls(applicationId, all).filter(fits),
      events: (this.#events?.newest(applicationId) ?? []).filter(fits),
    }
  }

  #calls(applicationId: string | undefined, all: boolean): readonly CallTrace[] {
    const failed = this.#failed.newest(applicationId)
    const whole = all ? (this.#whole?.newest(applicationId) ?? []) : []
    const ids = new Set(whole.map(({ id }) => id))
    return [...whole, ...failed.filter(({ id }) => !ids.has(id))].toSorted((one, other) => other.at - one.at)
  }
}
