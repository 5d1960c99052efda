/** Emits the table of metrics as a page for operators. */
import { BUCKET_BOUNDS_US } from '#daemon/src/operator/metrics/histogram.ts'
import { LABELS, METRICS, type MetricRow } from '#daemon/src/operator/metrics/table.ts'
import { code, list, page, wrapped } from '#protocol/codegen/emit/text.ts'

const MICROSECONDS = 1_000_000

const INTRO = `What \`sallyport metrics\` prints, and what \`sallyport run --metrics PORT\` serves. The [guide](guides/metrics.md) says how to
collect it. All values count since the start of the daemon. A name keeps its meaning in all releases of a major version.`

const CONVENTIONS = `Names that begin with \`rpc_\` and \`http_\`, and their labels, are those of the conventions of OpenTelemetry, as Prometheus writes
them: \`rpc.server.call.duration\` is \`rpc_server_call_duration_seconds\`. The label \`rpc_method\` is left out, because all buckets for each
command would be too many series; \`command_family\` is in its place. Names that begin with \`process_\` and \`nodejs_\` are those that
clients of Prometheus have.`

const BUCKETS = `The buckets of histograms end at ${BUCKET_BOUNDS_US.map((bound) => bound / MICROSECONDS).join(', ')} seconds.`

const shown = ([name, { type, help, labels }]: readonly [string, MetricRow]): string =>
  `${code(name)} (${type}${labels.length === 0 ? '' : `; ${labels.map(code).join(', ')}`}): ${help}`

export const metricsPage = (): string =>
  page(
    'Metrics',
    wrapped(INTRO),
    list(Object.entries<MetricRow>(METRICS).map(shown)),
    wrapped(BUCKETS),
    '## Labels',
    list(Object.entries(LABELS).map(([name, meaning]) => `${code(name)}: ${meaning}`)),
    wrapped(CONVENTIONS),
  )
