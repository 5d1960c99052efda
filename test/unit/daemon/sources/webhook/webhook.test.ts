/** The webhook source over its own port on loopback. */
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noHistory } from '../../../../../daemon/src/history/history.ts'
import { WebhookSource } from '../../../../../daemon/src/sources/webhook/webhook.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'
import { APPLICATION, eventOf, PING, PUBLIC_KEY, signed } from './sender.ts'

let clock: FakeClock
let source: WebhookSource
let ended: string[]

const open = (port = 0) =>
  new WebhookSource({
    port,
    keyOf: (applicationId) => (applicationId === APPLICATION ? PUBLIC_KEY : undefined),
    clock,
    log: new RecordingLog(),
    ports: {
      tell: () => 0,
      hub: { subscribersOf: () => [] },
      readLobby: async () => [],
      allowedSince: () => false,
      history: noHistory,
      accounts: {
        async note(applicationId, userId, event) {
          ended.push(`${applicationId} ${userId} ${event}`)
          return { state: 'unlinked', signIn: [] }
        },
      },
    },
  })

beforeEach(async () => {
  clock = new FakeClock()
  ended = []
  source = open()
  await source.start()
})
afterEach(() => source.stop())

const post = (message: object, change: RequestInit = {}, path = APPLICATION) => {
  const { body, signature = '', timestamp = '' } = signed(message, clock.now())
  const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp }
  return fetch(`${source.base}${path}`, { method: 'POST', headers, body: new Uint8Array(body), ...change })
}

test('a good delivery is answered 204 without a body, and carried out', async () => {
  const answer = await post(eventOf('APPLICATION_DEAUTHORIZED', { user: { id: '42' } }))
  expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([204, '', 'application/json'])
  await expect.poll(() => ended).toEqual([`${APPLICATION} 42 deauthorized`])
  expect(source.health()).toEqual({ state: 'live' })
})

test.each([
  ['a wrong signature', 401, () => post(PING, { headers: { 'X-Signature-Ed25519': 'ab'.repeat(64), 'X-Signature-Timestamp': '1' } })],
  ['no signature', 401, () => post(PING, { headers: {} })],
  ['another application', 401, () => post(PING, {}, '223456789012345678')],
  ['another method', 405, () => fetch(`${source.base}${APPLICATION}`)],
  ['another path', 404, () => post(PING, {}, `${APPLICATION}/more`)],
  ['a body that is too long', 413, () => post(PING, { body: 'x'.repeat(256 * 1024 + 1) })],
])('%s is answered %i', async (_, status, ask) => {
  const answer = await ask()
  expect([answer.status, await answer.text()]).toEqual([status, ''])
  expect(ended).toEqual([])
})

test('a body that grows without end is cut off', async () => {
  const { port } = new URL(source.base ?? '')
  const socket = connect(Number(port), '127.0.0.1')
  const closed = new Promise<string>((resolve) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  socket.write(`POST /webhooks/${APPLICATION} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  for (let count = 0; count < 5; count++) socket.write(chunk)
  expect(await closed).toMatch(/^HTTP\/1.1 413 /)
})

describe('whoever is slow', () => {
  test('is given up after five seconds, whatever it sent; no timer stays behind', async () => {
    const { port } = new URL(source.base ?? '')
    const socket = connect(Number(port), '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => {})
    socket.write(`POST /webhooks/${APPLICATION} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1`)
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(4_999)
    expect(socket.destroyed).toBe(false)
    clock.advance(1)
    await closed
    await expect.poll(() => clock.pending).toBe(0)
  })
})

test('a port that is taken is said, with what to do', async () => {
  const other = open(Number(new URL(source.base ?? '').port))
  await expect(other.start()).rejects.toMatchObject({
    error: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('--webhook-port') as string,
  })
  expect(other.health()).toEqual({ state: 'idle' })
})
