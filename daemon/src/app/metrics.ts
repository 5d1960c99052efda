/** Opens the metrics: what reads them, and the port on which Prometheus does. Both are loaded when they are used. */
import type { BridgeMetrics } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { Logger } from '@sallyport/core/logger'
import type { MetricSources } from '../operator/metrics/read.ts'

export type ReadMetrics = () => Promise<BridgeMetrics>

export const metricsReader =
  (sources: Omit<MetricSources, 'process'>): ReadMetrics =>
  async () => {
    const { readMetrics } = await import('../operator/metrics/read.ts')
    return readMetrics({ ...sources, process })
  }

interface MetricsParts {
  /** Undefined when it is off. */
  readonly held: HeldPort | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly read: ReadMetrics
  readonly scope: AsyncDisposableStack
}

/** Serves the metrics, unless their port is off. */
export async function openMetrics({ held, clock, log, read, scope }: MetricsParts): Promise<void> {
  if (held === undefined) return
  const { serveMetrics } = await import('../operator/metrics/server.ts')
  scope.defer(serveMetrics({ held, clock, read, log: log.child({ part: 'metrics' }) }))
}
