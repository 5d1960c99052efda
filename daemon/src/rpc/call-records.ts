/** What the bridge keeps for operators: the last calls that failed; and traces of all calls and events, while an operator watches. */
import type { Clock } from '@sallyport/core/clock'
import type { WireError } from '@sallyport/core/errors'
import type { DataOf } from '@sallyport/protocol'
import type { EventWatcher } from '../events/subscription-registry.ts'
import type { CallRecorder, CallSource } from '../ipc/connection/call-watcher.ts'
import type { CallHeader } from '../ipc/connection/envelope.ts'
import type { Session } from '../sessions/session.ts'
import type { EventTraces } from './event-traces.ts'
import { FailedCalls, shortened } from './failed-calls.ts'
import type { WholeTraces } from './whole-traces.ts'

/** Room in a response for its envelope. */
const ENVELOPE_BYTES = 4096

type Found = DataOf<'INSPECT_CALLS'>

export class CallRecords implements CallRecorder {
  /** Undefined while no operator watches, so that calls cost nothing then. */
  watcher: WholeTraces | undefined
  /** Loaded for the first operator who watches; it keeps its traces after the last one. */
  #whole: WholeTraces | undefined
  #events: EventTraces | undefined
  readonly #watching = new Set<number>()
  readonly #failed = new FailedCalls()
  readonly #clock: Clock
  readonly #applicationOf: (connectionId: number) => string | undefined
  readonly #hub: { watcher: EventWatcher<Session> | undefined }

  constructor(
    clock: Clock,
    applicationOf: (connectionId: number) => string | undefined,
    hub: { watcher: EventWatcher<Session> | undefined },
  ) {
    this.#clock = clock
    this.#applicationOf = applicationOf
    this.#hub = hub
  }

  /** Makes whole traces until this connection ends. Calls that began before stay without. */
  async watch(connectionId: number): Promise<void> {
    this.#watching.add(connectionId)
    const { EventTraces: Events, WholeTraces: Calls } = await import('./traces.ts')
    this.#whole ??= new Calls(this.#clock, this.#applicationOf, (id) => this.#watching.has(id))
    this.#events ??= new Events(this.#clock)
    if (this.#watching.size === 0) return
    this.watcher = this.#whole
    this.#hub.watcher = this.#events
  }

  endConnection(connectionId: number): void {
    this.#watching.delete(connectionId)
    if (this.#watching.size === 0) this.watcher = this.#hub.watcher = undefined
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

  /** The calls that failed and the events, newest first, in at most `maxBytes` of JSON. */
  newest(applicationId: string | undefined, maxBytes: number): Found {
    let left = maxBytes - ENVELOPE_BYTES
    const fits = (one: object): boolean => (left -= Buffer.byteLength(JSON.stringify(one)) + 1) > 0
    return {
      calls: this.#failed.newest(applicationId).filter(fits),
      events: (this.#events?.newest(applicationId) ?? []).filter(fits),
    }
  }
}
