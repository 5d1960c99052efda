/** Traces of events, made while an operator watches: who brought one, which connections got it, and why others did not. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import { redacted } from '@sallyport/core/redacted'
import type { EventTrace } from '@sallyport/protocol'
import type { EventSteps, EventWatcher, Withheld } from '../events/subscription-registry.ts'
import type { Session } from '../sessions/session.ts'
import { keepable } from './keepable.ts'
import type { TraceSampling } from './trace-sampling.ts'

type Trace = { -readonly [Key in keyof EventTrace]: EventTrace[Key] }

const receiver = ({ applicationId, connection: { id } }: Session) => ({ connection: id, application_id: applicationId })
const hasRoom = (list: readonly unknown[]): boolean => list.length < BUDGETS.tracedReceivers.value

class Steps implements EventSteps<Session> {
  readonly #trace: Trace

  constructor(trace: Trace) {
    this.#trace = trace
  }

  delivered(session: Session): void {
    this.#trace.delivered++
    if (hasRoom(this.#trace.to)) this.#trace.to.push(receiver(session))
  }

  withheld(session: Session, reason: Withheld): void {
    if (hasRoom(this.#trace.withheld)) this.#trace.withheld.push({ ...receiver(session), reason })
  }
}

/** Its arguments, and those of a subscriber that it may name. */
const BYTES_BESIDE_DATA = 256
const BYTES_OF_RECEIVER = 64

export class EventTraces implements EventWatcher<Session> {
  /** By id, oldest first. */
  readonly #kept = new Map<string, { readonly trace: EventTrace; readonly bytes: number }>()
  #bytes = 0
  #last = 0
  readonly #clock: Pick<Clock, 'now'>
  readonly #most: () => number
  readonly #sampling: TraceSampling
  readonly #onTraced: (trace: EventTrace) => void

  /** `most`: how many are kept. `onTraced`: gets a trace in which the subscribers follow in the same turn. */
  constructor(clock: Pick<Clock, 'now'>, most: () => number, sampling: TraceSampling, onTraced: (trace: EventTrace) => void) {
    this.#clock = clock
    this.#most = most
    this.#sampling = sampling
    this.#onTraced = onTraced
  }

  arrived(
    { name, args, origin = 'bridge' }: Parameters<EventWatcher<Session>['arrived']>[0],
    data: unknown,
  ): EventSteps<Session> | undefined {
    if (!this.#sampling.takes()) return undefined
    const kept = keepable(redacted(data))
    const trace: Trace = {
      id: `e${++this.#last}`,
      at: this.#clock.now(),
      event: name,
      args: redacted(args),
      origin,
      ...(kept === undefined ? {} : { data: kept.value }),
      delivered: 0,
      to: [],
      withheld: [],
    }
    // The subscribers follow, and are counted as if all were named.
    const bytes = (kept?.bytes ?? 0) + BYTES_BESIDE_DATA + 2 * BUDGETS.tracedReceivers.value * BYTES_OF_RECEIVER
    this.#kept.set(trace.id, { trace, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#kept.size <= this.#most() && this.#bytes <= BUDGETS.tracedBytes.value) break
      this.#kept.delete(oldest)
      this.#bytes -= freed
    }
    this.#onTraced(trace)
    return new Steps(trace)
  }

  /** Drops the trace of the READY of an operator, which is no event of a game. */
  dropReady(connectionId: number): void {
    for (const [id, { trace, bytes }] of this.#kept) {
      if (trace.event !== 'READY' || trace.to[0]?.connection !== connectionId) continue
      this.#kept.delete(id)
      this.#bytes -= bytes
    }
  }

  find(id: string): EventTrace | undefined {
    return this.#kept.get(id)?.trace
  }

  /** Newest first. With an application, those that one of its connections got or missed. */
  newest(applicationId: string | undefined): EventTrace[] {
    return [...this.#kept.values()]
      .map(({ trace }) => trace)
      .filter(({ to, withheld }) => applicationId === undefined || [...to, ...withheld].some((one) => one.application_id === applicationId))
      .toReversed()
  }
}
