/**
 * Sends metrics and traces to a collector by OTLP, with the SDK of OpenTelemetry. A part of the program of its own, loaded when it is on. The
 * SDK itself reads the standard variables of the environment: headers, certificates, time limits, compression, and what describes the service.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { getNumberFromEnv } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, type MetricProducer, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { BridgeMetrics, CallTrace } from '@sallyport/protocol'
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { Delivery, type OtlpResult, type OtlpSignal } from './delivery.ts'
import { metricData } from './metric-data.ts'
import { recordCall, type SpanContext, spanCount } from './spans.ts'

export interface OtlpOptions {
  /** The collector; undefined: the one of the environment. */
  readonly url: string | undefined
  readonly signals: readonly OtlpSignal[]
  readonly version: string
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>
  readonly log: Logger
  readonly read: () => Promise<BridgeMetrics>
  readonly count: (signal: OtlpSignal, result: OtlpResult, items: number) => void
  readonly platformUrl: SpanContext['platformUrl']
  readonly applicationLabel: SpanContext['applicationLabel']
}

/** One signal that is sent. */
interface Sending {
  readonly delivery: Delivery
  /** Sends what waits, and ends. */
  shutdown(): Promise<void>
}

export interface Otlp {
  /** Records a call that has ended; undefined if traces are not sent. */
  readonly onCall: ((call: CallTrace) => void) | undefined
  /** Sends what waits, for a limited time; not if the collector does not answer. */
  stop(): Promise<void>
}

/** Milliseconds of a standard variable. */
const millisecondsOf = (variable: string, preset: number): number => {
  const given = getNumberFromEnv(variable)
  return given !== undefined && given > 0 ? given : preset
}

const exporterOptions = ({ url, version }: OtlpOptions, signal: OtlpSignal) => ({
  ...(url === undefined ? {} : { url: `${url.replace(/\/+$/, '')}/v1/${signal}` }),
  userAgent: `sallyport/${version}`,
})

/** The environment may name all of it otherwise. */
const resourceOf = (version: string): Resource =>
  resourceFromAttributes({
    'service.name': 'sallyport',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  }).merge(detectResources({ detectors: [envDetector] }))

function sendMetrics(options: OtlpOptions, resource: Resource): Sending {
  const { clock, log, read, version } = options
  const delivery = new Delivery({ ...options, signal: 'metrics' })
  const producer: MetricProducer = {
    async collect() {
      const metrics = await read().then(
        (found) => metricData(found, clock.now()),
        (err: unknown) => {
          log.error('metrics-failed', { err })
          return []
        },
      )
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'sallyport', version }, metrics }] }, errors: [] }
    },
  }
  const reader = new PeriodicExportingMetricReader({
    exporter: delivery.follow(new OTLPMetricExporter(exporterOptions(options, 'metrics')), () => 1),
    exportIntervalMillis: millisecondsOf('OTEL_METRIC_EXPORT_INTERVAL', 60_000),
    metricProducers: [producer],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  // A daemon of a short job is known to the collector before its first minute is over.
  void reader.forceFlush()
  return { delivery, shutdown: () => provider.shutdown() }
}

function sendTraces(options: OtlpOptions, resource: Resource): Sending & Pick<Required<Otlp>, 'onCall'> {
  const delivery = new Delivery({ ...options, signal: 'traces' })
  const most = BUDGETS.otlpSpans.value
  const processor = new BatchSpanProcessor({
    exporter: delivery.follow(new OTLPTraceExporter(exporterOptions(options, 'traces')), (spans) => spans.length),
    maxQueueSize: most,
    scheduledDelayMillis: millisecondsOf('OTEL_BSP_SCHEDULE_DELAY', 5000),
  })
  const provider = new TracerProvider({ resource, spanProcessors: [processor] })
  const context = { ...options, tracer: provider.getTracer('sallyport', options.version) }
  return {
    delivery,
    onCall: (call) => {
      // All spans of a call, or none.
      if (delivery.take(spanCount(call), most)) recordCall(call, context)
    },
    shutdown: () => provider.shutdown(),
  }
}

export function startOtlp(options: OtlpOptions): Otlp {
  const { clock, signals, version } = options
  const resource = resourceOf(version)
  const metrics = signals.includes('metrics') ? sendMetrics(options, resource) : undefined
  const traces = signals.includes('traces') ? sendTraces(options, resource) : undefined
  const sendings = [metrics, traces].filter((sending) => sending !== undefined)
  return {
    onCall: traces?.onCall,
    async stop() {
      const isDead = sendings.some(({ delivery }) => delivery.isDead)
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(isDead ? 0 : BUDGETS.otlpStopMs.value, resolve)
      await Promise.race([Promise.allSettled(sendings.map((sending) => sending.shutdown())), late])
      cancel()
    },
  }
}
