/** The webhook provider on its own loopback port. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#daemon/src/sessions/session.ts'
import { noHistory } from '#test/support/no-history.ts'
import { WebhookProvider } from '#daemon/src/events/providers/webhook/provider.ts'
import { type HeldPort, holdPort } from '@sallyport/core/net/held-port'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { APPLICATION, eventOf, PING, PUBLIC_KEY, signed } from './sender.ts'

/** An application whose key cannot be looked up. */
const BROKEN = '323456789012345678'

let clock: FakeClock
let log: RecordingLog
let provider: WebhookProvider
let held: HeldPort
/** The URL before the application id. */
let base: string
let ended: string[]
let published: string[]
/** The platform response to a read of a lobby. */
let readLobby: () => Promise<unknown>

const listener = { applicationId: APPLICATION, scopes: new Set(['lobbies.write']), signedIn: { userId: '1' } } as unknown as Session

const open = (at: HeldPort) =>
  new WebhookProvider({
    held: at,
    keyOf: (applicationId) => {
      if (applicationId === BROKEN) throw new Error('no such table')
      return applicationId === APPLICATION ? PUBLIC_KEY : undefined
    },
    clock,
    log,
    deps: {
      publish: ({ name, data }) => published.push(`${name} ${(data as { readonly id: string }).id}`),
      hub: { subscribersOf: () => [listener] },
      api: { asSession: async () => readLobby() },
      authorizedAfter: () => false,
      history: noHistory,
      accounts: {
        async apply({ applicationId, userId }, event) {
          ended.push(`${applicationId} ${userId} ${event}`)
          return { state: 'unlinked', signIn: [] }
        },
      },
    },
  })

beforeEach(async () => {
  clock = new FakeClock()
  log = new RecordingLog()
  ended = []
  published = []
  readLobby = async () => []
  held = await holdPort(0)
  base = `http://127.0.0.1:${held.port}/webhooks/`
  provider = open(held)
  await provider.start()
})
afterEach(() => provider.stop())

const post = (message: object, change: RequestInit = {}, path = APPLICATION) => {
  const { body, signature = '', timestamp = '' } = signed(message, clock.now())
  const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp }
  return fetch(`${base}${path}`, { method: 'POST', headers, body: new Uint8Array(body), ...change })
}

test('a valid delivery is answered with 204 without a body, and handled', { tags: ['1-15'] }, async () => {
  const answer = await post(eventOf('APPLICATION_DEAUTHORIZED', { user: { id: '42' } }))
  expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([204, '', 'application/json'])
  await expect.poll(() => ended).toEqual([`${APPLICATION} 42 deauthorized`])
  expect(provider.health()).toEqual({ state: 'active' })
})

test.each([
  ['a wrong signature', 401, () => post(PING, { headers: { 'X-Signature-Ed25519': 'ab'.repeat(64), 'X-Signature-Timestamp': '1' } })],
  ['no signature', 401, () => post(PING, { headers: {} })],
  ['another application', 401, () => post(PING, {}, '223456789012345678')],
  ['another method', 405, () => fetch(`${base}${APPLICATION}`)],
  ['another path', 404, () => post(PING, {}, `${APPLICATION}/more`)],
  ['a body that is too long', 413, () => post(PING, { body: 'x'.repeat(256 * 1024 + 1) })],
])('%s is answered %i', async (_, status, ask) => {
  const answer = await ask()
  expect([answer.status, await answer.text()]).toEqual([status, ''])
  expect(ended).toEqual([])
})

/** A raw sender; `answer` is all that it receives until the connection ends. */
async function raw(text: string | Buffer = ''): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(held.port, '127.0.0.1')
  const answer = new Promise<string>((resolve) => {
    let received = ''
    socket.setEncoding('utf8').on('data', (part: string) => (received += part))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
  await once(socket, 'connect')
  socket.write(text)
  return { socket, answer }
}

/** A valid delivery in its wire form. */
function onTheWire(message: object, lengthOrChunks: (body: Buffer) => { readonly header: string; readonly body: Buffer }): Buffer {
  const { body, signature = '', timestamp = '' } = signed(message, clock.now())
  const sent = lengthOrChunks(body)
  const head = [
    `POST /webhooks/${APPLICATION} HTTP/1.1`,
    'Host: relay.example',
    `X-Signature-Ed25519: ${signature}`,
    `X-Signature-Timestamp: ${timestamp}`,
    sent.header,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), sent.body])
}
const whole = (body: Buffer) => ({ header: `Content-Length: ${body.length}`, body })
/** One byte in each chunk, so that multi-byte characters are split. */
const chunked = (body: Buffer) => ({
  header: 'Transfer-Encoding: chunked',
  body: Buffer.concat([...[...body].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])), Buffer.from('0\r\n\r\n')]),
})
const deauthorized = (id: string, username = 'ada') => eventOf('APPLICATION_DEAUTHORIZED', { user: { id, username } })

test.each([
  ['any content type', { headers: { 'Content-Type': 'text/plain' } }],
  ['none', { headers: {} }],
])('the signature decides, not what the body is said to be: %s', async (_, { headers }) => {
  const { body, signature = '', timestamp = '' } = signed(deauthorized('42'), clock.now())
  const answer = await post(PING, {
    headers: { ...headers, 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp },
    body: new Uint8Array(body),
  })
  expect(answer.status).toBe(204)
  await expect.poll(() => ended).toEqual([`${APPLICATION} 42 deauthorized`])
})

test('the interactions endpoint answers a ping with PONG, an interaction with 202, and a wrong signature with 401', async () => {
  const send = async (message: object, headers?: Record<string, string>) => {
    const answer = await post(message, headers === undefined ? {} : { headers }, `../interactions/${APPLICATION}`)
    return [answer.status, await answer.text()]
  }
  const common = { id: '1', application_id: APPLICATION, token: 'of-ada', version: 1 }
  const rest = { app_permissions: '0', entitlements: [], authorizing_integration_owners: {}, attachment_size_limit: 1 }
  expect(await send({ ...common, type: 1 })).toEqual([200, '{"type":1}'])
  expect(await send({ ...common, ...rest, type: 2 })).toEqual([202, ''])
  expect(await send({ ...common, type: 1 }, { 'X-Signature-Ed25519': 'ab'.repeat(64), 'X-Signature-Timestamp': '1' })).toEqual([401, ''])
  await expect.poll(() => published).toEqual(['INTERACTION_CREATE 1'])
})

test('a body may come in any number of chunks', async () => {
  const { answer } = await raw(onTheWire(deauthorized('42', 'Ålesund 🛟'), chunked))
  expect(await answer).toMatch(/^HTTP\/1.1 204 /)
  await expect.poll(() => ended).toEqual([`${APPLICATION} 42 deauthorized`])
})

test('one connection carries one delivery; later bytes are ignored', async () => {
  const { answer } = await raw(Buffer.concat([onTheWire(deauthorized('42'), whole), onTheWire(deauthorized('43'), whole)]))
  expect((await answer).match(/HTTP\/1.1 204 /g)).toHaveLength(1)
  await expect.poll(() => ended).toEqual([`${APPLICATION} 42 deauthorized`])
})

test('the response does not wait for the handler', async () => {
  const asked = new Promise<void>((resolve) => {
    readLobby = () => new Promise(() => resolve())
  })
  const answer = await post(eventOf('LOBBY_MESSAGE_CREATE', { id: '1', lobby_id: '7', content: 'Ahoy' }))
  expect(answer.status).toBe(204)
  await asked
  expect((await post(deauthorized('42'))).status).toBe(204)
  await expect.poll(() => ended).toEqual([`${APPLICATION} 42 deauthorized`])
})

test('an endless body is cut off', async () => {
  const { socket, answer } = await raw()
  socket.write(`POST /webhooks/${APPLICATION} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  for (let count = 0; count < 5; count++) socket.write(chunk)
  expect(await answer).toMatch(/^HTTP\/1.1 413 /)
})

describe('a slow client', () => {
  test('is cut off after five seconds, and leaves no timer', async () => {
    const { socket, answer } = await raw(`POST /webhooks/${APPLICATION} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1`)
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(4_999)
    expect(socket.destroyed).toBe(false)
    clock.advance(1)
    expect(await answer).toBe('')
    await expect.poll(() => clock.pending).toBe(0)
  })
  test('is evicted when there are many of them', async () => {
    const many = await Promise.all(Array.from({ length: 64 }, () => raw('POST /webhooks/1 HTTP/1.1\r\n')))
    await expect.poll(() => clock.pending).toBe(64)
    expect((await post(deauthorized('42'))).status).toBe(204)
    expect(await Promise.any(many.map(({ answer }) => answer))).toBe('')
    await expect.poll(() => many.filter(({ socket }) => socket.destroyed).length).toBe(1)
    expect((await post(deauthorized('43'))).status).toBe(204)
    for (const { socket } of many) socket.destroy()
    await expect.poll(() => clock.pending).toBe(0)
  })
})

test('an internal failure is logged, and its status requests a repetition', async () => {
  expect((await post(PING, {}, BROKEN)).status).toBe(500)
  expect(log.problems.map(({ event }) => event)).toEqual(['webhook-failed'])
  expect((await post(PING)).status).toBe(204)
})
