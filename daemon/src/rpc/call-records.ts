/** The calls that the bridge keeps: the last that failed; and whole traces of all calls, while an operator watches. */
import type { Clock } from '@sallyport/core/clock'
import type { WireError } from '@sallyport/core/errors'
import type { CallTrace } from '@sallyport/protocol'
import type { CallRecorder, CallSource } from '../ipc/connection/call-watcher.ts'
import type { CallHeader } from '../ipc/connection/envelope.ts'
import { FailedCalls, shortened } from './failed-calls.ts'
import type { WholeTraces } from './whole-traces.ts'

/** Room in a response for its envelope. */
const ENVELOPE_BYTES = 4096

export class CallRecords implements CallRecorder {
  /** Undefined while no operator watches, so that calls cost nothing then. */
  watcher: WholeTraces | undefined
  /** Loaded for the first operator who watches; it keeps its traces after the last one. */
  #whole: WholeTraces | undefined
  readonly #watching = new Set<number>()
  readonly #failed = new FailedCalls()
  readonly #clock: Clock
  readonly #applicationOf: (connectionId: number) => string | undefined

  constructor(clock: Clock, applicationOf: (connectionId: number) => string | undefined) {
    this.#clock = clock
    this.#applicationOf = applicationOf
  }

  /** Makes whole traces until this connection ends. Calls that began before stay without. */
  async watch(connectionId: number): Promise<void> {
    this.#watching.add(connectionId)
    const { WholeTraces: Traces } = await import('./whole-traces.ts')
    this.#whole ??= new Traces(this.#clock, this.#applicationOf, (id) => this.#watching.has(id))
    if (this.#watching.size > 0) this.watcher = this.#whole
  }

  endConnection(connectionId: number): void {
    this.#watching.delete(connectionId)
    if (this.#watching.size === 0) this.watcher = undefined
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

  find(id: string): CallTrace | undefined {
    return this.#whole?.find(id) ?? this.#failed.find(id)
  }

  /** The calls that failed, newest first, in at most `maxBytes` of JSON. */
  newest(applicationId: string | undefined, maxBytes: number): CallTrace[] {
    let left = maxBytes - ENVELOPE_BYTES
    return this.#failed.newest(applicationId).filter((call) => (left -= Buffer.byteLength(JSON.stringify(call)) + 1) > 0)
  }
}
