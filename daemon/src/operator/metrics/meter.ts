/** What the daemon counts for its metrics. Parts of the daemon report here; `read.ts` reads it for an operator. */
import type { Clock } from '@sallyport/core/clock'
import type { EventMeter } from '../../events/event-meter.ts'
import type { HttpMeter } from '../../platform/api/measured-send.ts'
import type { WaitMeter } from '../../platform/api/wait-meter.ts'
import { BoundedLabels } from './bounded-labels.ts'
import { CallTimes } from './call-times.ts'
import { Histogram } from './histogram.ts'

/** Values of a label that games or the platform choose. */
export const MOST_LABEL_VALUES = 200

const MICROSECONDS = 1000

export class Meter implements EventMeter, HttpMeter, WaitMeter {
  readonly calls: CallTimes
  #connections = 0
  readonly applications = new BoundedLabels(MOST_LABEL_VALUES, () => ({ calls: 0 }))
  readonly events = new BoundedLabels(MOST_LABEL_VALUES, () => ({ published: 0, delivered: 0 }))
  readonly waits = new BoundedLabels(MOST_LABEL_VALUES, () => ({ count: 0, ms: 0 }))
  /** By method, result and origin, separated by spaces. */
  readonly requests = new BoundedLabels(MOST_LABEL_VALUES, () => new Histogram())

  /** By signal and result, separated by a space. */
  readonly exports = new BoundedLabels(MOST_LABEL_VALUES, () => ({ items: 0 }))

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.calls = new CallTimes(clock)
  }

  /** Open now, also without a handshake. */
  get connections(): number {
    return this.#connections
  }

  connected(): void {
    this.#connections++
  }

  disconnected(): void {
    this.#connections--
  }

  called(applicationId: string): void {
    this.applications.of(applicationId).calls++
  }

  published(event: string): void {
    this.events.of(event).published++
  }

  delivered(event: string, count: number): void {
    this.events.of(event).delivered += count
  }

  requested(method: string, origin: string, result: number | string, ms: number): void {
    this.requests.of(`${method} ${result} ${origin}`).observe(ms * MICROSECONDS)
  }

  /** Items of OTLP: spans, or messages with metrics. */
  exported(signal: string, result: string, items: number): void {
    this.exports.of(`${signal} ${result}`).items += items
  }

  waited(bucket: string, ms: number): void {
    const waits = this.waits.of(bucket)
    waits.count++
    waits.ms += ms
  }
}
