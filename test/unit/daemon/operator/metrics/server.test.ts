import { holdPort } from '@sallyport/core/net/held-port'
import { afterEach, describe, expect, test } from 'vitest'
import { serveMetrics } from '#daemon/src/operator/metrics/server.ts'
import { requestOn } from '#test/unit/daemon/operator/dashboard/served.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

async function served(
  read = async () => ({ metrics: [{ name: 'up', type: 'gauge' as const, help: 'Up.', series: [{ labels: {}, value: 1 }] }] }),
) {
  const held = await holdPort(0)
  const log = new RecordingLog()
  close = serveMetrics({ held, clock: new FakeClock(), log, read })
  return {
    log,
    port: held.port,
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET') => requestOn(held.port, path, headers, method),
  }
}

const TEXT = '# HELP up Up.\n# TYPE up gauge\nup 1\n'

test('serves the text of Prometheus under its two names, and nothing for a browser to keep', async () => {
  const { ask, port } = await served()
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`]) {
    const { status, headers, body } = await ask('/metrics?x=1', { host })
    expect({ status, body }).toEqual({ status: 200, body: TEXT })
    expect(headers).toMatchObject({ 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
  expect(await ask('/metrics', {}, 'HEAD')).toMatchObject({ status: 200, body: '', headers: { 'content-length': `${TEXT.length}` } })
})

describe('refuses', () => {
  test.each([
    ['another host name', { host: 'evil.example' }],
    ['its name with another port', { host: '127.0.0.1:1' }],
    ['its name without a port', { host: '127.0.0.1' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of this machine', { origin: 'http://127.0.0.1' }],
  ])('%s', async (_, headers) => {
    const { status, body } = await (await served()).ask('/metrics', headers)
    expect(status).toBe(403)
    expect(body).not.toContain('up 1')
  })
  test.each(['/', '/metrics/', '//metrics', '/api/metrics', '/%6detrics'])('the path %s', async (path) => {
    expect(await (await served()).ask(path)).toMatchObject({ status: 404 })
  })
  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s', async (method) => {
    expect(await (await served()).ask('/metrics', {}, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })
})

test('a fault of the daemon is in its log, not in the answer', async () => {
  const { ask, log } = await served(() => Promise.reject(new Error('planted-value')))
  expect(await ask('/metrics')).toMatchObject({ status: 500, body: 'Sallyport could not read its metrics; its log has the reason.\n' })
  expect(log.lines.map(({ event }) => event)).toEqual(['metrics-failed'])
})
