import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BUDGETS } from '@sallyport/core/budgets'
import { systemClock } from '@sallyport/core/clock'
import type { BridgeMetrics, CallTrace } from '@sallyport/protocol'
import { BUCKET_BOUNDS_US } from '#daemon/src/operator/metrics/histogram.ts'
import { type Otlp, type OtlpOptions, startOtlp } from '#daemon/src/operator/otlp/start.ts'
import { attributesOf, type Collector, startCollector } from '#test/support/collector.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { SOON } from '#test/support/soon.ts'

const AT = Date.UTC(2026, 10, 29, 12)
const METRICS: BridgeMetrics = {
  metrics: [
    {
      name: 'rpc_server_call_duration_seconds',
      type: 'histogram',
      help: 'Calls.',
      bounds: BUCKET_BOUNDS_US.map((us) => us / 1_000_000),
      series: [
        {
          labels: { rpc_system_name: 'sallyport', command_family: 'users', error_type: 'INVALID_PAYLOAD' },
          counts: [2, ...Array.from({ length: 17 }, () => 0)],
          count: 2,
          sum: 0.0001,
        },
      ],
    },
    {
      name: 'sallyport_rate_limit_wait_seconds',
      type: 'summary',
      help: 'Waits.',
      series: [{ labels: { bucket: 'abcd' }, count: 3, sum: 1.5 }],
    },
    { name: 'sallyport_connections_opened_total', type: 'counter', help: 'Connections.', series: [{ labels: {}, value: 7 }] },
    { name: 'process_start_time_seconds', type: 'gauge', help: 'Start.', series: [{ labels: {}, value: AT / 1000 }] },
    { name: 'sallyport_prompts', type: 'gauge', help: 'None now.', series: [] },
  ],
}
const CALL: CallTrace = {
  id: 'c1-2',
  kept: 'whole',
  at: AT,
  connection: 1,
  application_id: '42',
  cmd: 'GET_CURRENT_USER_GUILDS',
  result: 'error',
  request: { args: { planted: 'planted-secret' } },
  request_bytes: 60,
  scopes: { required: [['guilds']], missing: [], held: [] },
  token: { kind: 'user', user_id: 'planted-user', reason: 'planted-reason' },
  waits: [{ on: 'a retry', after_ms: 30, ms: 12.5 }],
  requests: [
    { method: 'GET', path: '/users/@me/guilds', status: 502, after_ms: 1, ms: 20 },
    { method: 'GET', path: '/users/@me/guilds', failure: 'timed-out', after_ms: 50, ms: 4 },
  ],
  response_bytes: 190,
  error: { code: 5000, message: 'planted-message' },
  ms: 60.25,
}

let collector: Collector
let log: RecordingLog
let counted: Record<string, number>
beforeEach(async () => {
  collector = await startCollector()
  log = new RecordingLog()
  counted = {}
})
afterEach(async () => {
  vi.unstubAllEnvs()
  expect(collector.problems).toEqual([])
  await collector.close()
})

/** The limit of a stop does not pass, unless a test brings a clock of its own. */
const UNLIMITED = { ...systemClock, after: () => () => {} }

const start = (more: Partial<OtlpOptions> = {}): Otlp =>
  startOtlp({
    url: collector.url,
    signals: ['metrics', 'traces'],
    version: '1.2.3',
    clock: UNLIMITED,
    log,
    read: async () => METRICS,
    count: (signal, result, items) => (counted[`${signal} ${result}`] = (counted[`${signal} ${result}`] ?? 0) + items),
    platformUrl: 'https://platform.example/api/v10',
    applicationLabel: (id) => (id === '42' ? '42' : 'other'),
    ...more,
  })

describe('what the collector gets', () => {
  test('of a call: a span with a child for each request, and an event for each wait', async () => {
    const otlp = start({ signals: ['traces'] })
    otlp.onCall?.(CALL)
    await otlp.stop()
    const named = collector.spans.map((span) => ({ ...span, attributes: attributesOf(span.attributes) }))
    expect(named).toHaveLength(3)
    const parent = named.find(({ name }) => name === 'GET_CURRENT_USER_GUILDS')
    expect(parent).toMatchObject({
      kind: 'SPAN_KIND_SERVER',
      parentSpanId: '',
      startTimeUnixNano: `${AT}000000`,
      endTimeUnixNano: `${AT + 60}250000`,
      status: { code: 'STATUS_CODE_ERROR' },
    })
    expect(parent?.attributes).toEqual({
      'rpc.system.name': 'sallyport',
      'rpc.method': 'GET_CURRENT_USER_GUILDS',
      command_family: 'users',
      'sallyport.call.id': 'c1-2',
      application_id: '42',
      'sallyport.request.bytes': '60',
      'sallyport.response.bytes': '190',
      'sallyport.scopes.missing': { values: [] },
      'sallyport.token.kind': 'user',
      'error.type': 'OAUTH2_ERROR',
      'rpc.response.status_code': '5000',
    })
    expect(parent?.events.map(({ name, attributes }) => [name, attributesOf(attributes)])).toEqual([
      ['sallyport.wait', { 'sallyport.wait.on': 'a retry', 'sallyport.wait.ms': 12.5 }],
    ])
    const server = { 'server.address': 'platform.example', 'server.port': '443' }
    const request = { 'http.request.method': 'GET', 'url.template': '/users/@me/guilds', ...server }
    const children = named.filter(({ name }) => name === 'GET /users/@me/guilds')
    expect(children.map(({ attributes }) => attributes)).toEqual([
      { ...request, 'http.response.status_code': '502', 'error.type': '502' },
      { ...request, 'error.type': 'timed-out', 'http.request.resend_count': '1' },
    ])
    for (const child of children)
      expect(child).toMatchObject({
        kind: 'SPAN_KIND_CLIENT',
        traceId: parent?.traceId,
        parentSpanId: parent?.spanId,
        status: { code: 'STATUS_CODE_ERROR' },
      })
    expect(collector.text).not.toContain('planted')
  })

  test('nothing that a game chose: neither its command nor a new application', async () => {
    const otlp = start({ signals: ['traces'] })
    otlp.onCall?.({ ...CALL, cmd: 'PLANTED_COMMAND', application_id: '9988776655443322', requests: [] })
    await otlp.stop()
    expect(collector.spans.map(({ name, attributes }) => [name, attributesOf(attributes)])).toEqual([
      ['_OTHER', expect.objectContaining({ 'rpc.method': '_OTHER', command_family: '_OTHER', application_id: 'other' })],
    ])
    expect(collector.text).not.toMatch(/PLANTED|9988776655443322/)
  })

  test('of metrics: at the start and at the end, with the names of the conventions', async () => {
    const otlp = start({ signals: ['metrics'] })
    expect(otlp.onCall).toBeUndefined()
    await vi.waitFor(() => expect(collector.metrics).not.toEqual([]), SOON)
    await otlp.stop()
    expect(counted).toEqual({ 'metrics sent': 2 })
    expect(collector.metrics.map(({ name, unit }) => [name, unit])).toEqual([
      ['rpc.server.call.duration', 's'],
      ['sallyport.rate_limit.wait', 's'],
      ['sallyport.connections.opened', '{connection}'],
      ['process.start_time', 's'],
    ])
    const [calls, waits, opened, started] = collector.metrics
    expect(calls?.histogram?.dataPoints).toMatchObject([{ count: '2', sum: 0.0001, explicitBounds: METRICS.metrics[0]?.bounds }])
    expect(attributesOf(calls?.histogram?.dataPoints[0]?.attributes ?? [])).toEqual({
      'rpc.system.name': 'sallyport',
      command_family: 'users',
      'error.type': 'INVALID_PAYLOAD',
    })
    expect(waits?.histogram?.dataPoints).toMatchObject([{ count: '3', sum: 1.5, bucketCounts: ['3'], explicitBounds: [] }])
    expect(opened?.sum).toMatchObject({ isMonotonic: true, dataPoints: [{ asDouble: 7 }] })
    expect(started?.gauge).toMatchObject({ dataPoints: [{ asDouble: AT / 1000 }] })
  })

  test('of the service: what the environment says, and else its own', async () => {
    vi.stubEnv('OTEL_SERVICE_NAME', 'kiosk')
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'site=pier,service.instance.id=seat-7')
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=planted-key')
    await start({ url: undefined }).stop()
    expect(collector.resource).toMatchObject({
      'service.name': 'kiosk',
      'service.version': '1.2.3',
      'service.instance.id': 'seat-7',
      site: 'pier',
    })
    expect(collector.headers[0]).toMatchObject({ 'x-key': 'planted-key', 'content-type': 'application/json' })
    expect(collector.text).not.toContain('planted-key')
  })
})

describe('a collector that takes nothing', () => {
  test('and does not answer costs the stop no time either, once a second is over', async () => {
    const waits: number[] = []
    const clock = { now: () => AT, elapsed: vi.fn(() => 0), after: (ms: number, task: () => void) => (waits.push(ms), task(), () => {}) }
    collector.status = 0
    const young = start({ clock })
    await vi.waitFor(() => expect(collector.text).not.toBe(''), SOON)
    await young.stop()
    const old = start({ clock })
    await vi.waitFor(() => expect(collector.headers).toHaveLength(2), SOON)
    clock.elapsed.mockReturnValue(BUDGETS.otlpStopMs.value + 1)
    await old.stop()
    expect(waits).toEqual([BUDGETS.otlpStopMs.value, 0])
  })

  test('is said once, counted, and costs the stop no time; a call beyond the queue is dropped whole', async () => {
    collector.status = 400
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1')
    vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '20')
    const waits: number[] = []
    const otlp = start({ clock: { ...systemClock, after: (ms, task) => (waits.push(ms), systemClock.after(ms, task)) } })
    otlp.onCall?.(CALL)
    await vi.waitFor(() => expect(counted).toMatchObject({ 'traces failed': 3 }), SOON)
    await vi.waitFor(() => expect(counted['metrics failed']).toBeGreaterThan(1), SOON)
    const calls = Math.floor(BUDGETS.otlpSpans.value / 3)
    for (let call = 0; call < calls + 2; call++) otlp.onCall?.(CALL)
    expect(counted).toMatchObject({ 'traces dropped': 6 })
    await otlp.stop()
    expect(waits).toEqual([0])
    expect(log.lines).toEqual(
      expect.arrayContaining([
        { level: 'warn', event: 'otlp-failed', fields: { signal: 'traces', reason: '400' } },
        { level: 'warn', event: 'otlp-failed', fields: { signal: 'metrics', reason: '400' } },
      ]),
    )
    expect(log.lines).toHaveLength(2)
  })

  test('and then works again, which is said too', async () => {
    collector.status = 400
    vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '20')
    const otlp = start({ signals: ['metrics'] })
    await vi.waitFor(() => expect(log.lines).toHaveLength(1), SOON)
    collector.status = 200
    await vi.waitFor(() => expect(log.lines.at(-1)).toEqual({ level: 'info', event: 'otlp-works', fields: { signal: 'metrics' } }), SOON)
    await otlp.stop()
  })

  test('metrics that cannot be read are an error of the daemon', async () => {
    const failure = new Error('of the test')
    await start({ signals: ['metrics'], read: () => Promise.reject(failure) }).stop()
    expect(log.lines[0]).toEqual({ level: 'error', event: 'metrics-failed', fields: { err: failure } })
  })
})
