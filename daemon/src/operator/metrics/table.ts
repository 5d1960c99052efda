/** The METRICS table: every metric, the source of the text, of the page in the documents and of what the daemon must read. */
import { MOST_LABEL_VALUES } from './meter.ts'

type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

export interface MetricRow<Label extends string = string> {
  readonly type: MetricType
  /** Also the help in the text. */
  readonly help: string
  readonly labels: readonly Label[]
}

const metric = <const Label extends string = never>(type: MetricType, help: string, ...labels: readonly Label[]) =>
  ({ type, help, labels }) as const satisfies MetricRow<Label>

/** What each label says. */
export const LABELS = {
  application_id: `Id of the application that a game named in its handshake. The first ${MOST_LABEL_VALUES} have series of their own, all others are \`other\`.`,
  bucket: `The platform's name of a rate limit, or the name of the operation before the platform has named it. The first ${MOST_LABEL_VALUES} have series of their own, all others are \`other\`.`,
  command_family: 'The page of the reference that has the command, for example `presence`; `_OTHER` for commands that no page has.',
  contract: 'Version of the contract with games.',
  error_type:
    'Absent for a success. Of a call: the name of the error in the reference; after eight errors of a family, further ones are `_OTHER`. Of a request: its status, or why no reply came.',
  event: 'Name of the event in the reference.',
  http_request_method: 'Method of the request.',
  http_response_status_code: 'Status of the reply; absent if none came.',
  platform: 'Name of the platform profile.',
  provider: 'Where events come from or presence goes, as `sallyport status` names it.',
  result:
    'Of webhooks: `ping`, `event`, `duplicate`, `ignored` or `refused`. Of OTLP: `sent`, `failed` or `dropped`, because too many waited.',
  rpc_system_name: 'Always `sallyport`.',
  server_address: 'Host of the platform.',
  server_port: 'Its port.',
  signal: '`metrics` or `traces`.',
  state: 'The state; the series of the current one is 1, the others are 0. Of gateway connections: how many have it.',
  version: 'Version of the daemon.',
} as const

export type LabelName = keyof typeof LABELS

export const METRICS = {
  rpc_server_call_duration_seconds: metric(
    'histogram',
    'Time from the read that brought a call until its response was written, without calls whose game left before. Calls of one read that are answered in it have the time of that read.',
    'rpc_system_name',
    'command_family',
    'error_type',
  ),
  http_client_request_duration_seconds: metric(
    'histogram',
    'Time of a request to the platform until its reply was complete, or until it failed.',
    'http_request_method',
    'http_response_status_code',
    'error_type',
    'server_address',
    'server_port',
  ),
  sallyport_application_calls_total: metric('counter', 'Calls of the games of an application.', 'application_id'),
  sallyport_rate_limit_wait_seconds: metric(
    'summary',
    'Waits of calls for a rate limit of the platform. Calls that did not wait are not counted.',
    'bucket',
  ),
  sallyport_connections: metric('gauge', 'Open connections, also those of command lines and the tray.'),
  sallyport_connections_opened_total: metric('counter', 'Connections since the start.'),
  sallyport_games: metric('gauge', 'Connected games: connections after their handshake, without the tray.'),
  sallyport_subscriptions: metric('gauge', 'Subscriptions of games to events with their arguments; the same one of two games counts once.'),
  sallyport_events_published_total: metric(
    'counter',
    'Events from providers and from the daemon itself, also those without a subscriber, and copies from a second provider.',
    'event',
  ),
  sallyport_event_deliveries_total: metric('counter', 'Events that games received: one for each game.', 'event'),
  sallyport_provider_state: metric('gauge', 'State of each provider.', 'provider', 'state'),
  sallyport_gateway_connections: metric('gauge', 'Gateway connections by their state.', 'state'),
  sallyport_webhook_deliveries_total: metric('counter', 'Requests to the webhook port.', 'result'),
  sallyport_prompts: metric('gauge', 'Prompts that wait for the user.'),
  sallyport_warnings: metric('gauge', 'Warnings that `sallyport status` shows now.'),
  sallyport_otlp_items_total: metric(
    'counter',
    'What became of what `--otlp` sends: spans, or messages with all metrics.',
    'signal',
    'result',
  ),
  sallyport_up: metric('gauge', '1 while the daemon runs. A file of `sallyport metrics` has 0 when none runs.'),
  sallyport_build_info: metric('gauge', 'Always 1; its labels are versions.', 'version', 'contract', 'platform'),
  process_start_time_seconds: metric('gauge', 'When the daemon started, in seconds since 1970.'),
  process_cpu_seconds_total: metric('counter', 'CPU time of the daemon, of user and system.'),
  process_resident_memory_bytes: metric('gauge', 'Memory of the daemon, with the pages of its file that the kernel keeps.'),
  nodejs_heap_size_total_bytes: metric('gauge', 'Heap that V8 has reserved.'),
  nodejs_heap_size_used_bytes: metric('gauge', 'Heap that is in use.'),
  nodejs_external_memory_bytes: metric('gauge', 'Memory outside the heap that its objects hold.'),
} as const satisfies Record<string, MetricRow<LabelName>>

export type MetricName = keyof typeof METRICS
export type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number]
