/** The HTTP listener: accepted callers, limits, and no timers while idle. */
import { createHook } from 'node:async_hooks'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, rawRequest, startHarness } from '../harness.ts'

let harness: Harness
let isOwn: boolean
beforeEach(async () => {
  isOwn = true
  harness = await startHarness({ isOwnPeer: async () => isOwn })
})
afterEach(() => harness.close())

const host = () => new URL(harness.sandbox.origin).host
const port = () => Number(new URL(harness.sandbox.origin).port)

describe('callers', () => {
  it.each(['evil.example', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example:80'])(
    'with the Host %s are refused everywhere',
    async (name) => {
      for (const path of ['/', '/sandbox/state', '/oauth2/authorize', '/api/v10/users/@me']) {
        expect((await rawRequest(harness.sandbox.origin, { path, headers: { host: name } })).status).toBe(403)
      }
    },
  )

  it('may use localhost', async () => {
    expect((await rawRequest(harness.sandbox.origin, { path: '/', headers: { host: `localhost:${port()}` } })).status).toBe(200)
  })

  it.each(['GET /', 'POST /sandbox/activities', 'GET /sandbox/state', 'POST /oauth2/authorize', 'GET /api/v10/gateway', 'GET /nowhere'])(
    'that are programs of another user are refused: %s',
    async (line) => {
      isOwn = false
      const [method = '', path = ''] = line.split(' ')
      const { status, body } = await rawRequest(harness.sandbox.origin, { method, path, headers: { host: host() } })
      expect([status, JSON.parse(body)]).toEqual([
        403,
        { message: 'This sandbox belongs to another user of this machine; start your own.', code: 0 },
      ])
    },
  )

  it('from pages of other origins cannot use the control interface', async () => {
    const asked = (headers: Record<string, string>) =>
      rawRequest(harness.sandbox.origin, {
        method: 'POST',
        path: '/sandbox/faults',
        headers: { host: host(), 'content-type': 'application/json', ...headers },
        body: '{"status":500}',
      })
    expect((await asked({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await asked({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await asked({ origin: harness.sandbox.origin })).status).toBe(201)
  })
})

describe('bounds', () => {
  const token = `Bot sandbox-bot-${APPLICATION}`

  it('a body of more than 1 MiB gets 413, announced or not', async () => {
    const body = JSON.stringify({ secret: 'x'.repeat(1_048_576) })
    const headers = { host: host(), authorization: token, 'content-type': 'application/json' }
    expect(
      (
        await rawRequest(harness.sandbox.origin, {
          method: 'PUT',
          path: '/api/v10/lobbies',
          headers: { ...headers, 'content-length': String(body.length) },
          body,
        })
      ).status,
    ).toBe(413)
    expect(
      (
        await rawRequest(harness.sandbox.origin, {
          method: 'PUT',
          path: '/api/v10/lobbies',
          headers: { ...headers, 'transfer-encoding': 'chunked' },
          body,
        })
      ).status,
    ).toBe(413)
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(200)
  })

  it('a body that is too large and goes on gets its 413 all the same', async () => {
    const socket = connect(port(), '127.0.0.1')
    const answered = new Promise<string>((resolve, reject) => {
      socket.once('data', (bytes) => resolve(String(bytes)))
      socket.once('close', () => reject(new Error('closed without an answer')))
    })
    const size = 1_048_577
    socket.write(
      `PUT /api/v10/lobbies HTTP/1.1\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`,
    )
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  it('a body that never ends is given up, and others are served meanwhile', async () => {
    const socket = connect(port(), '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write(`PUT /api/v10/lobbies HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 10\r\n\r\n{`)
    while (harness.clock.pending === 0) expect((await harness.send('GET', '/users/@me', { token })).status).toBe(200)
    harness.clock.advance(30_000)
    await closed
  })
})

it('starts no timer that wakes the process', async () => {
  const repeats: unknown[] = []
  const hook = createHook({
    init(_, type, __, resource) {
      if (type === 'Timeout') repeats.push((resource as { _repeat?: unknown })._repeat)
    },
  }).enable()
  const another = await startHarness()
  // Shows that the hook sees timers.
  clearInterval(setInterval(() => {}, 12_345))
  hook.disable()
  await another.close()
  expect(repeats.filter((repeat) => repeat !== null)).toEqual([12_345])
})

it('reports a port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port: used } = taken.address() as AddressInfo
  await expect(startHarness({ port: used })).rejects.toMatchObject({
    error: 'SERVICE_UNAVAILABLE',
    message: `The sandbox's port ${used} is in use; choose another one, or 0 for any.`,
  })
  taken.close()
})

it('has a profile whose addresses are its own', async () => {
  const { profile, origin } = harness.sandbox
  expect(profile).toMatchObject({
    name: 'sandbox',
    ipcPrefix: 'discord-ipc',
    baseUrl: `${origin}/api/v10`,
    authorizeUrl: `${origin}/oauth2/authorize`,
    tokenUrl: `${origin}/api/v10/oauth2/token`,
    revokeUrl: `${origin}/api/v10/oauth2/token/revoke`,
  })
})
