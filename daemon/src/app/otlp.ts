/** Opens what sends metrics and traces to a collector. Its part of the program is loaded only when it is on. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Settings } from '../config/load.ts'
import type { Meter } from '../operator/metrics/meter.ts'
import type { CallRecords } from '../rpc/call-records.ts'
import type { ReadMetrics } from './metrics.ts'

interface OtlpParts {
  readonly settings: Pick<Settings, 'otlp' | 'otlpSignals' | 'isIsolated'>
  readonly profile: Pick<PlatformProfile, 'baseUrl'>
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
  readonly meter: Pick<Meter, 'applications' | 'exported'>
  readonly read: ReadMetrics
  readonly calls: Pick<CallRecords, 'follow'>
  readonly scope: AsyncDisposableStack
}

export async function openOtlp({ settings, profile, version, clock, log, meter, read, calls, scope }: OtlpParts): Promise<void> {
  const { otlp: address, otlpSignals, isIsolated } = settings
  if (address === 'off' || isIsolated) return
  const { startOtlp } = await import('../operator/otlp/start.ts')
  const otlp = startOtlp({
    url: address === 'env' ? undefined : address,
    signals: otlpSignals === 'all' ? ['metrics', 'traces'] : [otlpSignals],
    version,
    clock,
    log: log.child({ part: 'otlp' }),
    read,
    count: (signal, result, items) => meter.exported(signal, result, items),
    platformUrl: profile.baseUrl,
    applicationLabel: (id) => meter.applications.labelOf(id),
  })
  if (otlp.onCall !== undefined) scope.defer(await calls.follow({ onCall: otlp.onCall, onEvent: () => {} }))
  scope.defer(() => otlp.stop())
}
