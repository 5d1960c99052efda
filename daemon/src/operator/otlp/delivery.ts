/** What becomes of what is sent to the collector: counted, and logged once per outage. */
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

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Whether the last attempt failed. */
  get isFailing(): boolean {
    return this.#isFailing
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
      export: (items, done) =>
        exporter.export(items, (result) => {
          this.#ended(countOf(items), result)
          done(result)
        }),
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    }
  }

  #ended(items: number, { code, error }: ExportResult): void {
    const { signal, log, count } = this.#deps
    const hasFailed = code !== 0
    this.#waiting = Math.max(0, this.#waiting - items)
    count(signal, hasFailed ? 'failed' : 'sent', items)
    if (hasFailed === this.#isFailing) return
    this.#isFailing = hasFailed
    if (hasFailed) log.warn('otlp-failed', { signal, reason: reasonOf(error) })
    else log.info('otlp-works', { signal })
  }
}
