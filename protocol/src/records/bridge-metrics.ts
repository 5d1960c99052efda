/** The metrics of the bridge, for its operator. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

const MetricSeries = once(() =>
  tolerant({
    labels: z.record(z.string(), z.string()),
    value: z.number().optional().meta({ description: 'Of a counter or a gauge.' }),
    counts: z
      .array(z.number())
      .optional()
      .meta({ description: 'Of a histogram: what each bucket has alone, then what is above the last bound.' }),
    count: z.number().optional().meta({ description: 'Of a histogram or a summary.' }),
    sum: z.number().optional().meta({ description: 'Of a histogram or a summary.' }),
  }),
)

const Metric = once(() =>
  tolerant({
    name: z.string().meta({ description: 'As Prometheus has it; seconds and bytes are units.' }),
    type: z.enum(['counter', 'gauge', 'histogram', 'summary']),
    help: z.string(),
    bounds: z.array(z.number()).optional().meta({ description: 'Of a histogram: upper bounds of its buckets, included.' }),
    series: z.array(MetricSeries()),
  }),
)

export const BridgeMetrics = once(() =>
  tolerant({ metrics: z.array(Metric()) }).meta({
    id: 'BridgeMetrics',
    description: 'Metrics of the bridge since its start, for its operator; games do not receive them.',
    audience: 'operator',
  }),
)
export type BridgeMetrics = z.output<ReturnType<typeof BridgeMetrics>>
