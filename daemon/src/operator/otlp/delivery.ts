/** What becomes of what is sent to the collector: counted, and logged once per outage. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'

export type OtlpSignal = 'metrics' | 'traces'
export type OtlpResult = 'sent' | 'failed' | 'dropped'

/** What an exporter of the SDK reports. */
interface ExportResult {
  /** 0: the collector took it. */
  readonly code: number
  readonly error?: Error
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
  forceFlush?(): Promise<void>
  shutdown(): Promise<void>
}

interface DeliveryDeps {
  readonly signal: OtlpSignal
  readonly clock: Pick<Clock, 'elapsed'>
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly count: (signal: OtlpSignal, result: OtlpResult, items: number) => void
}

/** The status of an HTTP reply or the code of the system; texts of a collector are not for the log. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  const { code, message = 'no reason given' } = error ?? {}
  return typeof code === 'number' || typeof code === 'string' ? String(code) : message
}

export class Delivery {
  readonly #deps: DeliveryDeps
  #waiting = 0
  #isFailing = false
  /** Since when a message is under way; undefined if none is. */
  #sentAt: number | undefined

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Whether the last message failed, or one is under way for longer than the end of the daemon may wait. */
  get isDead(): boolean {
    const { clock } = this.#deps
    return this.#isFailing || (this.#sentAt !== undefined && clock.elapsed() - this.#sentAt > BUDGETS.otlpStopMs.value)
  }

  /** Takes items that will be sent, unless more than `most` would wait; then they are dropped. Returns whether they were taken. */
  take(items: number, most: number): boolean {
    const isTaken = this.#waiting + items <= most
    if (isTaken) this.#waiting += items
    else this.#deps.count(this.#deps.signal, 'dropped', items)
    return isTaken
  }

  /** The exporter, followed. */
  follow<Items>(exporter: Exporter<Items>, countOf: (items: Items) => number): Required<Exporter<Items>> {
    return {
      export: (items, done) => {
        this.#sentAt ??= this.#deps.clock.elapsed()
        exporter.export(items, (result) => {
          this.#ended(countOf(items), result)
          done(result)
        })
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    }
  }

  #ended(items: number, { code, error }: ExportResult): void {
    const { signal, log, count } = this.#deps
    const hasFailed = code !== 0
    this.#sentAt = undefined
    this.#waiting = Math.max(0, this.#waiting - items)
    count(signal, hasFailed ? 'failed' : 'sent', items)
    if (hasFailed === this.#isFailing) return
    this.#isFailing = hasFailed
    if (hasFailed) log.warn('otlp-failed', { signal, reason: reasonOf(error) })
    else log.info('otlp-works', { signal })
  }
}
