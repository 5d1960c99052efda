/**
 * Metrics of the real daemon, after a sign-in and calls. Prometheus reads them with the sample of the guide; promtool, which comes with it, checks
 * the text and the sample. Both are in Debian's package `prometheus`, of 19 MB: too much for each run of CI, so the tests are skipped without it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attributesOf, type Collector, SENT_SOON, startCollector } from '#test/support/collector.ts'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { freePort } from '#test/support/worker-ports.ts'
import { type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from './support/daemon.ts'

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../daemon/docs/guides/metrics.md'), 'utf8')
const [CONFIG = '', RULES = ''] = [...GUIDE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
const GUIDE_PORT = '9643'
const hasPrometheus = ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0)

let at: Folders
let daemon: Daemon
let collector: Collector
let address: string
beforeAll(async () => {
  at = await folders()
  collector = await startCollector()
  daemon = await startDaemon(SOURCE, at, ['--metrics', '0', '--otlp', collector.url], { OTEL_SERVICE_NAME: 'kiosk', ...SENT_SOON })
  address = daemon.ready.metrics ?? ''
  const commands = [
    [0, 'login'],
    [0, 'call', 'GET_CURRENT_USER_GUILDS', '--json'],
    // A call that the daemon refuses has a metric too.
    [4, 'call', 'GET_USER', '{"id":"7"}', '--json'],
  ] as const
  for (const [code, ...words] of commands)
    expect(await sallyport(SOURCE, [...words, '--non-interactive', '--data-dir', at.data], { HOME: at.base })).toMatchObject({ code })
})
afterAll(async () => {
  await at.remove()
  await collector.close()
})

const served = async (): Promise<string> => (await fetch(address)).text()

test('the port and the command have the same metrics of the calls that were made', async () => {
  const text = await served()
  expect(text).toMatch(/^rpc_server_call_duration_seconds_count\{rpc_system_name="sallyport",command_family="users"\} [1-9]/m)
  expect(text).toMatch(
    /^http_client_request_duration_seconds_count\{http_request_method="GET",http_response_status_code="200",server_address="127/m,
  )
  expect(text).toMatch(/^sallyport_build_info\{version="[^"]+",contract="1\.0",platform="sandbox"\} 1$/m)
  const { out } = await sallyport(SOURCE, ['metrics', '--data-dir', at.data], { HOME: at.base })
  const shape = (of: string): readonly string[] => of.split('\n').filter((line) => line.startsWith('# '))
  expect(shape(out)).toEqual(shape(text))
})

describe.skipIf(!hasPrometheus)('with Prometheus', () => {
  test('promtool finds nothing wrong with the text', async () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await served(), encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(spawnSync('promtool', ['check', 'metrics'], { input: '# TYPE calls counter\ncalls{a=} 1\n' }).status).not.toBe(0)
  })

  test('the sample of the guide collects them, and its rules find what they name', async () => {
    const folder = join(at.base, 'prometheus')
    mkdirSync(folder)
    const { port } = new URL(address)
    expect(CONFIG).toContain(`127.0.0.1:${GUIDE_PORT}`)
    // The port is the daemon's, and a test does not wait for a quarter of a minute.
    const config = CONFIG.replace(GUIDE_PORT, port).replace('15s', '1s\n  evaluation_interval: 1s')
    writeFileSync(join(folder, 'prometheus.yml'), config)
    writeFileSync(join(folder, 'sallyport-rules.yml'), RULES)
    const checked = spawnSync('promtool', ['check', 'config', '--lint-fatal', join(folder, 'prometheus.yml')], { encoding: 'utf8' })
    expect(checked.status, checked.stdout + checked.stderr).toBe(0)
    expect(checked.stdout).toContain('6 rules found')

    const listen = `127.0.0.1:${await freePort()}`
    const flags = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`]
    const prometheus = spawn('prometheus', [...flags, `--web.listen-address=${listen}`, '--log.level=warn'], { stdio: 'ignore' })
    try {
      const found = async (query: string): Promise<unknown> => {
        const reply = await fetch(`http://${listen}/api/v1/query?query=${encodeURIComponent(query)}`)
        const { data } = (await reply.json()) as { data: { result: { metric: Record<string, string>; value: [number, string] }[] } }
        return data.result.map(({ metric, value: [, value] }) => ({ ...metric, value }))
      }
      const target = { instance: `127.0.0.1:${port}`, job: 'sallyport' }
      await vi.waitFor(async () => expect(await found('up')).toEqual([{ __name__: 'up', ...target, value: '1' }]), SOON)
      expect(await found('sallyport_up')).toEqual([{ __name__: 'sallyport_up', ...target, value: '1' }])
      expect(await found('sum by (command_family) (rpc_server_call_duration_seconds_count{command_family="users",error_type=""})')).toEqual(
        [{ command_family: 'users', value: expect.stringMatching(/^[1-9]/) }],
      )
      await vi.waitFor(
        async () =>
          expect(await found('sallyport:calls:rate5m{command_family="users"}')).toMatchObject([
            { instance: target.instance, command_family: 'users' },
          ]),
        SOON,
      )
    } finally {
      prometheus.kill('SIGTERM')
      await ended(prometheus)
    }
  })
})

test('a collector gets a span of each call with its requests, and the metrics', async () => {
  const families = () => {
    const { histogram } = collector.metrics.find(({ name }) => name === 'rpc.server.call.duration') ?? {}
    return histogram?.dataPoints.map(({ attributes }) => attributesOf(attributes)['command_family'])
  }
  await expect.poll(() => collector.spans.map(({ name }) => name)).toContain('GET_CURRENT_USER_GUILDS')
  await expect.poll(families).toContain('users')
  expect(await daemon.stop()).toBe(0)
  expect(collector.problems).toEqual([])
  expect(collector.resource).toMatchObject({ 'service.name': 'kiosk', 'process.pid': String(daemon.ready.pid) })
  const call = collector.spans.find(({ name }) => name === 'GET_CURRENT_USER_GUILDS')
  expect(call).toMatchObject({ kind: 'SPAN_KIND_SERVER', parentSpanId: '' })
  expect(attributesOf(call?.attributes ?? [])).toMatchObject({ 'rpc.system.name': 'sallyport', 'rpc.method': 'GET_CURRENT_USER_GUILDS' })
  const [request] = collector.spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId)
  expect(request).toMatchObject({ kind: 'SPAN_KIND_CLIENT', name: 'GET /users/@me/guilds', traceId: call?.traceId })
  expect(attributesOf(request?.attributes ?? [])).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': '200',
    'server.port': new URL(daemon.origin).port,
  })
})
