/** The metrics of the daemon as those of the OpenTelemetry SDK, which has no instrument for counts that exist already. Pure. */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { BridgeMetrics } from '@sallyport/protocol'
import { ATTRIBUTE_NAMES, METRIC_NAMES } from './names.ts'
import { hrTime } from './times.ts'

type Metric = BridgeMetrics['metrics'][number]
type Series = Metric['series'][number]

const SECOND_MS = 1000

const attributesOf = (labels: Series['labels']): Attributes =>
  Object.fromEntries(Object.entries(labels).map(([name, text]) => [(ATTRIBUTE_NAMES as Record<string, string>)[name] ?? name, text]))

/** A summary without quantiles is a histogram with one bucket, for all values. */
const histogramOf = ({ counts, count = 0, sum = 0 }: Series, bounds: readonly number[] = []) => ({
  buckets: { boundaries: [...bounds], counts: counts === undefined ? [count] : [...counts] },
  count,
  sum,
})

function dataOf(metric: Metric, startTime: HrTime, endTime: HrTime): readonly MetricData[] {
  const { name, type, help, bounds, series } = metric
  const named = (METRIC_NAMES as Partial<Record<string, (typeof METRIC_NAMES)[keyof typeof METRIC_NAMES]>>)[name]
  if (named === undefined || series.length === 0) return []
  const points = <Value>(valueOf: (one: Series) => Value) =>
    series.map((one) => ({ startTime, endTime, attributes: attributesOf(one.labels), value: valueOf(one) }))
  const described = {
    descriptor: { ...named, description: help, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const numbers = () => points(({ value = 0 }) => value)
  if (type === 'counter') return [{ ...described, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() }]
  if (type === 'gauge') return [{ ...described, dataPointType: DataPointType.GAUGE, dataPoints: numbers() }]
  return [{ ...described, dataPointType: DataPointType.HISTOGRAM, dataPoints: points((one) => histogramOf(one, bounds)) }]
}

/** `now`: milliseconds since 1970. All values count since the start of the daemon, which is one of the metrics. */
export function metricData({ metrics }: BridgeMetrics, now: number): MetricData[] {
  const startedAt = metrics.find(({ name }) => name === 'process_start_time_seconds')?.series[0]?.value
  const startTime = hrTime(startedAt === undefined ? now : startedAt * SECOND_MS)
  return metrics.flatMap((metric) => dataOf(metric, startTime, hrTime(now)))
}
