/** How metrics and their labels are named in OTLP. Prometheus makes the names of `table.ts` of these, but for those of processes. */
import type { LabelName, MetricName } from '../metrics/table.ts'

interface OtlpName {
  readonly name: string
  /** In the notation of UCUM. */
  readonly unit: string
}

export const METRIC_NAMES: Readonly<Record<MetricName, OtlpName>> = {
  rpc_server_call_duration_seconds: { name: 'rpc.server.call.duration', unit: 's' },
  http_client_request_duration_seconds: { name: 'http.client.request.duration', unit: 's' },
  sallyport_application_calls_total: { name: 'sallyport.application.calls', unit: '{call}' },
  sallyport_rate_limit_wait_seconds: { name: 'sallyport.rate_limit.wait', unit: 's' },
  sallyport_connections: { name: 'sallyport.connections', unit: '{connection}' },
  sallyport_connections_opened_total: { name: 'sallyport.connections.opened', unit: '{connection}' },
  sallyport_games: { name: 'sallyport.games', unit: '{game}' },
  sallyport_subscriptions: { name: 'sallyport.subscriptions', unit: '{subscription}' },
  sallyport_events_published_total: { name: 'sallyport.events.published', unit: '{event}' },
  sallyport_event_deliveries_total: { name: 'sallyport.event.deliveries', unit: '{event}' },
  sallyport_provider_state: { name: 'sallyport.provider.state', unit: '' },
  sallyport_gateway_connections: { name: 'sallyport.gateway.connections', unit: '{connection}' },
  sallyport_webhook_deliveries_total: { name: 'sallyport.webhook.deliveries', unit: '{request}' },
  sallyport_prompts: { name: 'sallyport.prompts', unit: '{prompt}' },
  sallyport_warnings: { name: 'sallyport.warnings', unit: '{warning}' },
  sallyport_otlp_items_total: { name: 'sallyport.otlp.items', unit: '{item}' },
  sallyport_up: { name: 'sallyport.up', unit: '' },
  sallyport_build_info: { name: 'sallyport.build.info', unit: '' },
  process_start_time_seconds: { name: 'process.start_time', unit: 's' },
  process_cpu_seconds_total: { name: 'process.cpu.time', unit: 's' },
  process_resident_memory_bytes: { name: 'process.memory.usage', unit: 'By' },
  nodejs_heap_size_total_bytes: { name: 'nodejs.heap_size.total', unit: 'By' },
  nodejs_heap_size_used_bytes: { name: 'nodejs.heap_size.used', unit: 'By' },
  nodejs_external_memory_bytes: { name: 'nodejs.external_memory', unit: 'By' },
}

/** Labels that the conventions name with dots; the others keep their names. */
export const ATTRIBUTE_NAMES: Readonly<Partial<Record<LabelName, string>>> = {
  error_type: 'error.type',
  http_request_method: 'http.request.method',
  http_response_status_code: 'http.response.status_code',
  rpc_system_name: 'rpc.system.name',
  server_address: 'server.address',
  server_port: 'server.port',
}
