import { expect, test } from 'vitest'
import { LABELS, type LabelName, METRICS, type MetricName } from '#daemon/src/operator/metrics/table.ts'
import { ATTRIBUTE_NAMES, METRIC_NAMES } from '#daemon/src/operator/otlp/names.ts'

const UNITS: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }
/** Those of clients of Prometheus; those of the conventions differ. */
const OF_PROCESSES: readonly MetricName[] = ['process_cpu_seconds_total', 'process_resident_memory_bytes']

test('Prometheus makes the names of the table of those of OTLP, so dashboards fit both ways', () => {
  const made = (name: MetricName): string => {
    const { name: otlp, unit } = METRIC_NAMES[name]
    return `${otlp.replaceAll('.', '_')}${UNITS[unit] ?? ''}${METRICS[name].type === 'counter' ? '_total' : ''}`
  }
  const names = (Object.keys(METRICS) as MetricName[]).filter((name) => !OF_PROCESSES.includes(name))
  expect(names.map(made)).toEqual(names)
  const labels = Object.keys(LABELS) as LabelName[]
  expect(labels.map((name) => (ATTRIBUTE_NAMES[name] ?? name).replaceAll('.', '_'))).toEqual(labels)
})
