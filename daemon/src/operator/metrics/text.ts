/** Writes metrics in the text format of Prometheus, version 0.0.4. Pure. */
import type { BridgeMetrics } from '@sallyport/protocol'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Metric = BridgeMetrics['metrics'][number]
type Labels = Readonly<Record<string, string>>

const inHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const inLabel = (text: string): string => inHelp(text).replaceAll('"', '\\"')

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${inLabel(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

/** Buckets of the text hold all that is not above their bound. */
function bucketLines({ name, bounds = [] }: Metric, labels: Labels, counts: readonly number[]): readonly string[] {
  let total = 0
  return counts.map((count, index) => {
    total += count
    return line(`${name}_bucket`, { ...labels, le: index < bounds.length ? String(bounds[index]) : '+Inf' }, total)
  })
}

function linesOf(metric: Metric, more: Labels): readonly string[] {
  const { name, type, help, series } = metric
  const values = series.flatMap(({ labels: own, value, counts = [], count = 0, sum = 0 }) => {
    const labels = { ...more, ...own }
    if (value !== undefined) return [line(name, labels, value)]
    return [...bucketLines(metric, labels, counts), line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)]
  })
  return [`# HELP ${name} ${inHelp(help)}`, `# TYPE ${name} ${type}`, ...values]
}

/** `more`: labels of every line. */
export const prometheusText = ({ metrics }: BridgeMetrics, more: Labels = {}): string =>
  metrics.flatMap((metric) => `${linesOf(metric, more).join('\n')}\n`).join('')
