import { once } from 'node:events'
import { storeActivity } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { silentLogger } from '#test/support/silent-logger.ts'
import { holdPort } from '@sallyport/core/net/held-port'
import { LOOPBACK_ORIGINS } from '@sallyport/core/origins'
import { openPresenceFeed, type OpenedPresenceFeed } from '#daemon/src/presence/feed/open.ts'
import type { Presence } from '#daemon/src/presence/sink.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { peersOf } from '#test/support/tcp-peers.ts'

interface Heard {
  readonly socketId: string
  readonly activity: { readonly details: string } | null
}

const clock = new FakeClock()
let bridge: OpenedPresenceFeed
let address: string
beforeEach(async () => {
  const held = await holdPort(0)
  address = `ws://127.0.0.1:${held.port}`
  bridge = openPresenceFeed({ held, origins: LOOPBACK_ORIGINS, clock, log: silentLogger, peers: peersOf('this-user') })
})
afterEach(async () => {
  await bridge.close()
  await expect.poll(() => bridge.sink.subscriberCount).toBe(0)
  expect(clock.pending).toBe(0)
})

const IMAGE = `https://example.test/${'x'.repeat(230)}`
const LONG = 'x'.repeat(128)
const outcome = storeActivity(
  { state: LONG, assets: { large_image: IMAGE, large_text: LONG, small_image: IMAGE, small_text: LONG } },
  { applicationId: '42', nowMs: clock.now() },
)
if ('error' in outcome || outcome.stored === null) throw new Error('nothing is stored')
const { stored } = outcome

function show(applicationId: string, details: string): void {
  const activity = { ...stored.activity, application_id: applicationId, details }
  const presence: Presence = { applicationId, userId: undefined, sessionId: 1, claimedPid: 7, stored: { ...stored, activity }, since: 0 }
  bridge.sink.show(applicationId, presence)
}

/** A page, and all messages that it receives up to the one of `last`. */
async function visit() {
  const page = new WebSocket(address, { headers: { origin: 'http://localhost:3000' } })
  const received: Heard[] = []
  let wake = () => {}
  page.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString('utf8')) as Heard)
    wake()
  })
  await once(page, 'open')
  const until = (isEnough: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      page.once('close', () => reject(new Error('the page was given up')))
      wake = () => isEnough() && resolve()
      wake()
    })
  return { page, received, until }
}

/** More messages than the system buffers for both ends of a connection. */
const MANY = 12_000
const ids = Array.from({ length: MANY }, (_, index) => String(1_000_000_000 + index))

test('a new page receives every presence, however much that is', async () => {
  for (const id of ids) show(id, 'Mending nets')
  const { received, until } = await visit()
  await until(() => received.length === MANY)
  expect(new Set(received.map(({ socketId }) => socketId)).size).toBe(MANY)
})

test('a page that was behind receives only the latest message of each application, in order of time', async () => {
  const { page, received, until } = await visit()
  page.pause()
  const few = ids.slice(0, 2000)
  const rounds = 10
  for (let round = 0; round < rounds; round++) for (const id of few) show(id, `round ${round}`)
  for (const id of few.slice(0, 3)) bridge.sink.show(id, undefined)
  show('42', 'last of all')
  page.ping('still here')
  const answered = once(page, 'pong')
  page.resume()
  await until(() => received.at(-1)?.socketId === '42')
  await answered
  expect(received.length).toBeLessThan(rounds * few.length)
  const newest = new Map(received.map(({ socketId, activity }) => [socketId, activity]))
  expect(newest.get(few[0] ?? '')).toBeNull()
  for (const id of few.slice(3)) expect(newest.get(id)?.details).toBe(`round ${rounds - 1}`)
})

test('a page that caught up receives the next message at once', async () => {
  const { received, until } = await visit()
  show('42', 'one')
  await until(() => received.length === 1)
  show('42', 'two')
  show('43', 'one')
  await until(() => received.length === 3)
  expect(received.map(({ socketId, activity }) => [socketId, activity?.details])).toEqual([
    ['42', 'one'],
    ['42', 'two'],
    ['43', 'one'],
  ])
})
