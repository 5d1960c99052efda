/** Whole traces of calls, made while an operator watches. Secrets, and values that may be some, are removed before anything is kept. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { CallSteps, ChosenToken, RefusedExchange, TracedRequest } from '@sallyport/core/current-call'
import type { WireError } from '@sallyport/core/errors'
import { redacted } from '@sallyport/core/redacted'
import type { CallTrace } from '@sallyport/protocol'
import type { CallSource, CallWatcher } from '../ipc/connection/call-watcher.ts'
import { callIdOf, type CallHeader, type Envelope } from '../ipc/connection/envelope.ts'
import { keepable } from './keepable.ts'
import { masked } from './masked-arguments.ts'
import type { TraceSampling } from './trace-sampling.ts'
import { tracedReply } from './traced-reply.ts'

type Trace = { -readonly [Key in keyof CallTrace]: CallTrace[Key] }

const MOST_STEPS = 64
/** Also of an operator who does not watch. */
const READS: ReadonlySet<string> = new Set(['INSPECT_CALLS', 'INSPECT_FRAMES'])
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

const kept = (value: unknown): unknown => keepable(value)?.value

/** A call that has no response yet, or had one. What is reported after the response is not part of it. */
class OpenCall implements CallSteps {
  readonly trace: Trace
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #startedAt: number

  constructor(trace: Trace, clock: Pick<Clock, 'elapsed'>) {
    this.trace = trace
    this.#clock = clock
    this.#startedAt = clock.elapsed()
  }

  /** Since the message of the game. */
  get ms(): number {
    return rounded(this.#clock.elapsed() - this.#startedAt)
  }

  scopesChecked(requires: readonly (readonly string[])[], held: ReadonlySet<string>): void {
    const missing = requires.map((set) => set.filter((scope) => !held.has(scope)))
    const least = missing.toSorted((one, other) => one.length - other.length)[0] ?? []
    this.trace.scopes = { required: requires.map((set) => [...set]), missing: [...least], held: [...held] }
  }

  tokenChosen(token: ChosenToken): void {
    if (this.#isOpen) this.trace.token = { ...token }
  }

  waited(on: string, ms: number): void {
    this.trace.waits = this.#withStep(this.trace.waits, { on, ...this.#ended(ms) })
  }

  requested(request: TracedRequest, refused?: RefusedExchange): void {
    const reply = refused === undefined ? {} : { reply: tracedReply(refused) }
    this.trace.requests = this.#withStep(this.trace.requests, { ...request, ...reply, ...this.#ended(request.ms) })
  }

  /** The times of a step that ends now. */
  #ended(ms: number): { readonly after_ms: number; readonly ms: number } {
    return { after_ms: Math.max(0, rounded(this.#clock.elapsed() - this.#startedAt - ms)), ms: rounded(ms) }
  }

  get #isOpen(): boolean {
    return this.trace.result === 'pending'
  }

  #withStep<Step>(steps: Step[] = [], step: Step): Step[] {
    return this.#isOpen && steps.length < MOST_STEPS ? [...steps, step] : steps
  }
}

interface WholeTracesDeps {
  readonly clock: Clock
  readonly applicationOf: (connectionId: number) => string | undefined
  /** Whose calls are not traced, because it would see its own reads. */
  readonly isOperator: (connectionId: number) => boolean
  /** How many are kept. */
  readonly most: () => number
  readonly sampling: TraceSampling
  /** The daemon, which makes the calls of the dashboard: they are always traced. */
  readonly ownPid: number
  readonly onFinished: (trace: CallTrace) => void
}

export class WholeTraces implements CallWatcher {
  readonly #open = new Map<string, OpenCall>()
  /** Finished ones by id, oldest first, with their bytes as JSON. */
  readonly #finished = new Map<string, { readonly trace: CallTrace; readonly bytes: number }>()
  #bytes = 0
  readonly #clock: Clock
  readonly #applicationOf: (connectionId: number) => string | undefined
  readonly #isOperator: (connectionId: number) => boolean
  readonly #most: () => number
  readonly #sampling: TraceSampling
  readonly #ownPid: number
  readonly #onFinished: (trace: CallTrace) => void

  constructor(deps: WholeTracesDeps) {
    this.#isOperator = deps.isOperator
    this.#most = deps.most
    this.#clock = deps.clock
    this.#applicationOf = deps.applicationOf
    this.#sampling = deps.sampling
    this.#ownPid = deps.ownPid
    this.#onFinished = deps.onFinished
  }

  find(id: string): CallTrace | undefined {
    return this.#open.get(id)?.trace ?? this.#finished.get(id)?.trace
  }

  /** The finished ones, newest first. */
  newest(applicationId: string | undefined): readonly CallTrace[] {
    const traces = Array.from(this.#finished.values(), ({ trace }) => trace).toReversed()
    return applicationId === undefined ? traces : traces.filter((trace) => trace.application_id === applicationId)
  }

  began({ id: connection, peer: { pid } }: CallSource, envelope: Envelope, bytes: number): void {
    const { cmd, nonce, args, evt, sequence, key } = envelope
    if (this.#isOperator(connection) || READS.has(cmd)) return
    if (pid !== this.#ownPid && !this.#sampling.takes()) return
    const id = callIdOf(connection, sequence)
    const message = {
      cmd,
      nonce,
      ...(args === undefined ? {} : { args }),
      ...(evt === undefined ? {} : { evt }),
      ...(key === undefined ? {} : { key }),
    }
    const request = kept(masked(redacted(message)))
    const applicationId = this.#applicationOf(connection)
    const open = new OpenCall(
      {
        id,
        kept: 'whole',
        at: this.#clock.now(),
        connection,
        ...(applicationId === undefined ? {} : { application_id: applicationId }),
        ...(pid === undefined ? {} : { pid }),
        cmd,
        result: 'pending',
        ...(request === undefined ? {} : { request }),
        request_bytes: bytes,
      },
      this.#clock,
    )
    envelope.steps = open
    this.#open.set(id, open)
  }

  answered({ id }: CallSource, { sequence }: CallHeader, data: unknown, bytes: number): void {
    // A call that is not traced costs no more than this.
    if (this.#open.size === 0) return
    const callId = callIdOf(id, sequence)
    if (!this.#open.has(callId)) return
    const response = kept(redacted(data))
    this.#finish(callId, { result: 'success', response_bytes: bytes, ...(response === undefined ? {} : { response }) })
  }

  /** Undefined for a call that began while no operator watched. */
  failed(connection: number, sequence: number, error: WireError, bytes: number): CallTrace | undefined {
    // While none is open, also a failure costs nothing.
    if (this.#open.size === 0) return undefined
    const callId = callIdOf(connection, sequence)
    if (!this.#open.has(callId)) return undefined
    const { errors, ...known } = redacted(error) as WireError
    const details = kept(errors)
    const shown = { ...known, ...(details === undefined ? {} : { errors: details }) } as CallTrace['error']
    return this.#finish(callId, { result: 'error', error: shown, response_bytes: bytes })
  }

  /** Its open calls get no response. */
  endConnection(connectionId: number): void {
    for (const [id, { trace }] of this.#open) if (trace.connection === connectionId) this.#open.delete(id)
  }

  #finish(id: string, end: Pick<CallTrace, 'result'> & Partial<CallTrace>): CallTrace | undefined {
    const open = this.#open.get(id)
    if (open === undefined) return undefined
    this.#open.delete(id)
    const trace = Object.assign(open.trace, end, { ms: open.ms })
    const bytes = Buffer.byteLength(JSON.stringify(trace))
    this.#finished.set(id, { trace, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#finished) {
      if (this.#finished.size <= this.#most() && this.#bytes <= BUDGETS.tracedBytes.value) break
      this.#finished.delete(oldest)
      this.#bytes -= freed
    }
    this.#onFinished(trace)
    return trace
  }
}
