/** Reads all metrics. It is loaded when an operator asks for them. A metric of the table that is not read here does not compile, and the reverse. */
import type { BridgeMetrics, BridgeState } from '@sallyport/protocol'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { GatewayState } from '../../platform/gateway/gateway.ts'
import { UNNAMED } from './call-times.ts'
import { BUCKET_BOUNDS_US, type Histogram } from './histogram.ts'
import type { Meter } from './meter.ts'
import { type LabelOf, type MetricName, type MetricRow, METRICS } from './table.ts'

const MICROSECONDS = 1_000_000
const MILLISECONDS = 1000
const ERROR_STATUS = 400
const PROVIDER_STATES = ['idle', 'active', 'unavailable', 'failing'] as const satisfies readonly ProviderHealth['state'][]
const GATEWAY_STATES = ['connecting', 'live', 'waiting', 'ended'] as const satisfies readonly GatewayState['name'][]

export interface MetricSources {
  readonly meter: Pick<Meter, 'calls' | 'connections' | 'applications' | 'events' | 'waits' | 'requests' | 'exports'>
  readonly gameCount: () => number
  readonly subscriptionCount: () => number
  readonly gatewayStates: () => readonly GatewayState['name'][]
  /** The parts of the state that are metrics too. */
  readonly state: () => Pick<
    BridgeState,
    'version' | 'contract' | 'platform' | 'started_at' | 'counters' | 'prompts' | 'providers' | 'warnings' | 'omitted'
  >
  readonly process: Pick<NodeJS.Process, 'cpuUsage' | 'memoryUsage'>
}

type Series = BridgeMetrics['metrics'][number]['series'][number]
/** A label may be absent. */
type SeriesOf<Name extends MetricName> = Omit<Series, 'labels'> & { readonly labels: Readonly<Partial<Record<LabelOf<Name>, string>>> }
type Readings = { readonly [Name in MetricName]: readonly SeriesOf<Name>[] }

const only = (value: number) => [{ labels: {}, value }]

const timesOf = (times: Histogram) => {
  const { counts } = times
  return { counts, count: counts.reduce((sum, count) => sum + count, 0), sum: times.sumMicroseconds / MICROSECONDS }
}

function requestLabels(key: string): SeriesOf<'http_client_request_duration_seconds'>['labels'] {
  const [method = UNNAMED, result, origin] = key.split(' ')
  // All series beyond the bound.
  if (result === undefined || origin === undefined) return { http_request_method: UNNAMED }
  const { hostname, port, protocol } = new URL(origin)
  const status = Number(result)
  return {
    http_request_method: method,
    ...(Number.isNaN(status) ? {} : { http_response_status_code: result }),
    ...(status < ERROR_STATUS ? {} : { error_type: result }),
    server_address: hostname,
    server_port: port === '' ? (protocol === 'https:' ? '443' : '80') : port,
  }
}

/** Lists of the state are cut to a number of rows. */
const lengthOf = (list: readonly unknown[], omitted = 0): number => list.length + omitted

function read({ meter, process: own, ...sources }: MetricSources): Readings {
  const { counters, omitted, prompts, providers, started_at: startedAt, warnings, ...build } = sources.state()
  const memory = own.memoryUsage()
  const cpu = own.cpuUsage()
  const gateway = sources.gatewayStates()
  const webhooks = {
    ping: counters.webhook_pings,
    event: counters.webhook_events,
    duplicate: counters.webhook_duplicates,
    ignored: counters.webhook_ignored,
    refused: counters.webhook_refused,
  }
  return {
    rpc_server_call_duration_seconds: meter.calls.all().map(({ family, error, times }) => ({
      labels: { rpc_system_name: 'sallyport', command_family: family, ...(error === undefined ? {} : { error_type: error }) },
      ...timesOf(times),
    })),
    http_client_request_duration_seconds: [...meter.requests.entries()].map(([key, times]) => ({
      labels: requestLabels(key),
      ...timesOf(times),
    })),
    sallyport_application_calls_total: [...meter.applications.entries()].map(([id, { calls }]) => ({
      labels: { application_id: id },
      value: calls,
    })),
    sallyport_rate_limit_wait_seconds: [...meter.waits.entries()].map(([bucket, { count, ms }]) => ({
      labels: { bucket },
      count,
      sum: ms / MILLISECONDS,
    })),
    sallyport_connections: only(meter.connections),
    sallyport_connections_opened_total: only(counters.connections),
    sallyport_games: only(sources.gameCount()),
    sallyport_subscriptions: only(sources.subscriptionCount()),
    sallyport_events_published_total: [...meter.events.entries()].map(([event, { published }]) => ({
      labels: { event },
      value: published,
    })),
    sallyport_event_deliveries_total: [...meter.events.entries()].map(([event, { delivered }]) => ({
      labels: { event },
      value: delivered,
    })),
    sallyport_provider_state: providers.flatMap(({ name: provider, state: current }) =>
      PROVIDER_STATES.map((state) => ({ labels: { provider, state }, value: Number(state === current) })),
    ),
    sallyport_gateway_connections: GATEWAY_STATES.map((state) => ({
      labels: { state },
      value: gateway.filter((one) => one === state).length,
    })),
    sallyport_webhook_deliveries_total: Object.entries(webhooks).flatMap(([result, value]) =>
      value === undefined ? [] : [{ labels: { result }, value }],
    ),
    sallyport_prompts: only(lengthOf(prompts, omitted.prompts)),
    sallyport_warnings: only(lengthOf(warnings, omitted.warnings)),
    sallyport_otlp_items_total: [...meter.exports.entries()].map(([key, { items }]) => {
      const [signal = UNNAMED, result = UNNAMED] = key.split(' ')
      return { labels: { signal, result }, value: items }
    }),
    sallyport_up: only(1),
    sallyport_build_info: [{ labels: { version: build.version, contract: build.contract, platform: build.platform }, value: 1 }],
    process_start_time_seconds: only(startedAt / MILLISECONDS),
    process_cpu_seconds_total: only((cpu.user + cpu.system) / MICROSECONDS),
    process_resident_memory_bytes: only(memory.rss),
    nodejs_heap_size_total_bytes: only(memory.heapTotal),
    nodejs_heap_size_used_bytes: only(memory.heapUsed),
    nodejs_external_memory_bytes: only(memory.external),
  }
}

const BOUNDS = BUCKET_BOUNDS_US.map((bound) => bound / MICROSECONDS)

export function readMetrics(sources: MetricSources): BridgeMetrics {
  const readings: Readonly<Record<string, readonly { readonly labels: Readonly<Record<string, string | undefined>> }[]>> = read(sources)
  return {
    metrics: Object.entries<MetricRow>(METRICS).map(([name, { type, help }]) => ({
      name,
      type,
      help,
      ...(type === 'histogram' ? { bounds: BOUNDS } : {}),
      series: readings[name] as Series[],
    })),
  }
}
