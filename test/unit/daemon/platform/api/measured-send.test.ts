import { expect, test } from 'vitest'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import type { HttpSend } from '#daemon/src/platform/api/forwarder-port.ts'
import { measuredSend } from '#daemon/src/platform/api/measured-send.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { reply } from './fake-platform.ts'

const request = (url: string) => ({ method: 'GET', url, headers: {} })
const signal = new AbortController().signal

function measured(send: (clock: FakeClock) => Promise<never> | ReturnType<HttpSend>) {
  const clock = new FakeClock()
  const seen: unknown[] = []
  const meter = { requested: (...all: unknown[]) => void seen.push(all) }
  return { seen, send: measuredSend(() => send(clock), meter, clock) }
}

test.each([
  ['https://api.example/v10/guilds?token=planted', 'https://api.example'],
  ['http://127.0.0.1:8080/api', 'http://127.0.0.1:8080'],
  ['https://api.example', 'https://api.example'],
])('of %s it reports the origin %s alone', async (url, origin) => {
  const { seen, send } = measured(async (clock) => {
    clock.advance(30)
    return reply(204)
  })
  expect(await send(request(url), signal)).toMatchObject({ status: 204 })
  expect(seen).toEqual([['GET', origin, 204, 30]])
})

test('reports why no reply came, and leaves the failure as it is', async () => {
  const failure = new HttpFailure('timed-out', true)
  const { seen, send } = measured(() => Promise.reject(failure))
  await expect(send(request('https://a.example/'), signal)).rejects.toBe(failure)
  const other = measured(() => Promise.reject(new Error('planted')))
  await expect(other.send(request('https://a.example/'), signal)).rejects.toThrow('planted')
  expect([...seen, ...other.seen]).toEqual([
    ['GET', 'https://a.example', 'timed-out', 0],
    ['GET', 'https://a.example', '_OTHER', 0],
  ])
})
