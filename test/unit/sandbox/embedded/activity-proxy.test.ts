/** The activity proxy over real connections: what it passes on, what it refuses, and when it listens. */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startProxyServer } from '@sallyport/sandbox/embedded/proxy-server'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
let game: Server
let gamePort: number
let isOwn: boolean
let received: { readonly request: IncomingMessage; readonly body: string }[]

beforeEach(async () => {
  isOwn = true
  received = []
  harness = await startHarness({ isOwnPeer: async () => isOwn })
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await text(incoming)
    received.push({ request: incoming, body })
    if (incoming.url === '/moved') outgoing.writeHead(302, { location: 'http://evil.example/' }).end()
    else if (incoming.url === '/broken') outgoing.socket?.destroy()
    else outgoing.writeHead(201, { 'content-type': 'text/plain', 'set-cookie': 'a=1' }).end(`${incoming.method} ${incoming.url} ${body}`)
  }
  game = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  const rooms = new WebSocketServer({ server: game, path: '/live' })
  rooms.on('connection', (socket) => socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary })))
  game.listen(0, '127.0.0.1')
  await once(game, 'listening')
  gamePort = (game.address() as AddressInfo).port
})
afterEach(async () => {
  game.close()
  game.closeAllConnections()
  await harness.close()
})

const setMappings = (url_mappings: readonly object[], application_id = APPLICATION) =>
  harness.send('POST', '!sandbox/activities', { json: { application_id, url_mappings } })

/** Maps everything to the game; returns the host of the activity. */
async function run(): Promise<string> {
  const { json } = await setMappings([{ prefix: '/', target: `127.0.0.1:${gamePort}` }])
  return new URL(String(json['url'])).host
}

interface Sent {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

/** Names below localhost need a browser to resolve them. */
async function send(host: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const port = Number(host.split(':')[1])
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

describe('an application with mappings', () => {
  test('has an address of its own, and its requests reach the server with method, query and body', { tags: ['9.2-19'] }, async () => {
    const host = await run()
    expect(host).toMatch(new RegExp(`^${APPLICATION}\\.localhost:\\d+$`))
    const answer = await send(host, '/.proxy/scores?page=2', { method: 'PUT', body: 'nets', headers: { origin: `http://${host}` } })
    expect(answer).toMatchObject({ status: 201, text: 'PUT /scores?page=2 nets', headers: { 'set-cookie': ['a=1'] } })
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(received[0]?.request.headers.host).toBe(`127.0.0.1:${gamePort}`)
  })

  test('a large body is streamed both ways', async () => {
    const body = 'x'.repeat(3_000_000)
    expect(await send(await run(), '/upload', { method: 'POST', body })).toMatchObject({ status: 201, text: `POST /upload ${body}` })
  })

  test('a redirect is returned, not followed', async () => {
    expect(await send(await run(), '/moved')).toMatchObject({ status: 302, headers: { location: 'http://evil.example/' } })
  })

  test('websockets reach the server, and end with it', async () => {
    const host = await run()
    const headers = { host, origin: `http://${host}` }
    const socket = new WebSocket(`ws://127.0.0.1:${host.split(':')[1]}/.proxy/live`, { headers })
    await once(socket, 'open')
    socket.send('ahoy')
    expect(String((await once(socket, 'message'))[0])).toBe('ahoy')
    socket.send(Buffer.alloc(200_000, 7))
    expect(((await once(socket, 'message')) as [Buffer])[0]).toHaveLength(200_000)
    socket.close(4321)
    expect((await once(socket, 'close'))[0]).toBe(4321)
  })

  test('the page that runs it gives the game the query of the platform, and names the bridge', async () => {
    const host = await run()
    harness.sandbox.connectActivities('ws://127.0.0.1:6463')
    const { text: page, headers, status } = await send(host, '/.activity?custom_id=deck')
    expect(status).toBe(200)
    const address = /data-address="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const query = Object.fromEntries(new URL(address, `http://${host}`).searchParams)
    expect(query).toMatchObject({ platform: 'desktop', custom_id: 'deck', frame_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(query['instance_id']).toBe(`i-${APPLICATION}-gc-${query['guild_id']}-${query['channel_id']}`)
    expect(page).toContain(`data-frame="${query['frame_id']}"`)
    expect(headers['content-security-policy']).toContain('connect-src ws://127.0.0.1:6463;')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(received).toEqual([])
  })
})

describe('it refuses with a sentence', () => {
  test('a host that is no application of it', async () => {
    const host = await run()
    const port = host.split(':')[1]
    for (const other of [`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example', `evil.localhost:${port}`, `${APPLICATION}.localhost:1`])
      expect(await send(host, '/', { headers: { host: other } }), other).toMatchObject({
        status: 404,
        text: expect.stringContaining('APPLICATION_ID'),
      })
    expect(received).toEqual([])
  })

  test('an application without mappings, and a path without one', async () => {
    const host = await run()
    const other = host.replace(APPLICATION, OTHER_APPLICATION)
    expect(await send(other, '/')).toMatchObject({ status: 404, text: expect.stringContaining('has no URL mappings') })
    await setMappings([{ prefix: '/api', target: `127.0.0.1:${gamePort}` }])
    expect(await send(host, '/scores')).toMatchObject({ status: 404, text: expect.stringContaining('map the prefix /') })
  })

  test('a server that does not answer', async () => {
    const host = await run()
    expect(await send(host, '/broken')).toMatchObject({
      status: 502,
      text: expect.stringContaining(`127.0.0.1:${gamePort} does not answer`),
    })
    game.close()
    game.closeAllConnections()
    expect(await send(host, '/')).toMatchObject({ status: 502, text: expect.stringContaining('ECONNREFUSED') })
  })

  test('a server that sends nothing, and a client that reads nothing is closed', async () => {
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const target = `127.0.0.1:${(silent.address() as AddressInfo).port}`
    const proxy = await startProxyServer({
      port: 0,
      idleMs: 1_000,
      apiOrigin: harness.sandbox.origin,
      mappingsOf: () => [{ prefix: '/', target }],
      page: () => ({ status: 200, headers: {}, body: '' }),
      isOwnPeer: async () => true,
    })
    expect(await send(`1.localhost:${proxy.port}`, '/')).toMatchObject({ status: 504, text: `${target} did not answer in time.\n` })
    const idle = connect(proxy.port, '127.0.0.1')
    await once(idle, 'close')
    await proxy.close()
    silent.close()
  })

  test('requests of other pages, except a link to the activity', async () => {
    const host = await run()
    const refused = { status: 403, text: expect.stringContaining('Only pages of this activity') }
    expect(await send(host, '/', { headers: { origin: 'https://evil.example' } })).toMatchObject(refused)
    expect(await send(host, '/', { headers: { origin: `http://${OTHER_APPLICATION}.localhost:${host.split(':')[1]}` } })).toMatchObject(
      refused,
    )
    expect(await send(host, '/', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } })).toMatchObject(refused)
    expect(await send(host, '/', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })).toMatchObject({
      status: 201,
    })
    const page = new WebSocket(`ws://127.0.0.1:${host.split(':')[1]}/live`, { headers: { host, origin: 'https://evil.example' } })
    expect(((await once(page, 'error')) as [Error])[0].message).toContain('403')
  })

  test('programs of another user', async () => {
    const host = await run()
    isOwn = false
    expect(await send(host, '/')).toMatchObject({ status: 403, text: expect.stringContaining('another user') })
    expect(received).toEqual([])
  })

  test('a websocket that the server does not open', async () => {
    const host = await run()
    const socket = new WebSocket(`ws://127.0.0.1:${host.split(':')[1]}/scores`, { headers: { host, origin: `http://${host}` } })
    expect(((await once(socket, 'error')) as [Error])[0].message).toMatch(/50[02]|502/)
  })
})

describe('it listens', () => {
  test('once an application has mappings, on the chosen port, and the state report lists them', async () => {
    const before = harness.sandbox.profile.activityProxyHost
    expect(before).toBe(`localhost:${new URL(harness.sandbox.origin).port}`)
    const host = await run()
    expect(harness.sandbox.profile.activityProxyHost).toBe(host.replace(`${APPLICATION}.`, ''))
    const { json } = await harness.send('GET', '!sandbox/state')
    expect(json['applications']).toMatchObject([{ id: APPLICATION, url_mappings: [{ prefix: '/', target: `127.0.0.1:${gamePort}` }] }])
    expect(await setMappings([])).toMatchObject({ status: 204 })
    expect(await send(host, '/')).toMatchObject({ status: 404 })
  })

  test('from the start if an application had mappings before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sp-'))
    const dataFile = join(folder, 'sandbox.sqlite')
    const first = await startHarness({ dataFile })
    const url_mappings = [{ prefix: '/', target: `127.0.0.1:${gamePort}` }]
    await first.send('POST', '!sandbox/activities', { json: { application_id: APPLICATION, url_mappings } })
    await first.close()
    const second = await startHarness({ dataFile })
    expect(await send(`${APPLICATION}.${second.sandbox.profile.activityProxyHost}`, '/')).toMatchObject({ status: 201 })
    await second.close()
    await rm(folder, { recursive: true })
  })

  test('not on a port in use: the mappings are refused with the reason', async () => {
    const owner = createTcpServer().listen(0, '127.0.0.1')
    await once(owner, 'listening')
    const { port } = owner.address() as AddressInfo
    const other = await startHarness({ activityPort: port })
    const mappings = { application_id: APPLICATION, url_mappings: [{ prefix: '/', target: 'localhost:3000' }] }
    const refused = await other.send('POST', '!sandbox/activities', { json: mappings })
    expect(refused).toMatchObject({ status: 400, json: { code: 50035, message: expect.stringContaining(`port ${port} is in use`) } })
    expect((await other.send('GET', '!sandbox/state')).json['applications']).toEqual([])
    owner.close()
    await once(owner, 'close')
    expect(await other.send('POST', '!sandbox/activities', { json: mappings })).toMatchObject({ status: 200 })
    await other.close()
  })

  test('until the sandbox closes, which ends open connections', async () => {
    const host = await run()
    const port = Number(host.split(':')[1])
    const silent = connect(port, '127.0.0.1')
    await once(silent, 'connect')
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { host, origin: `http://${host}` } })
    await once(socket, 'open')
    const ended = Promise.all([once(silent, 'close'), once(socket, 'close')])
    await harness.sandbox.close()
    await ended
  })
})

describe('the form', () => {
  const submit = (url_mappings: string, application_id = APPLICATION) =>
    harness.form('/sandbox/page/activity', { application_id, url_mappings })

  test('sets mappings, and links to the activity', async () => {
    const shown = await submit(`/api localhost:${gamePort}/backend\n/ 127.0.0.1:${gamePort}`)
    expect(shown.status).toBe(200)
    const address = /href="([^"]+)">Run/.exec(shown.text)?.[1] ?? ''
    expect(address).toMatch(new RegExp(`^http://${APPLICATION}\\.localhost:\\d+/\\.activity$`))
    expect((await harness.send('GET', '!sandbox/page/activity')).text).toContain(address)
    expect((await submit('')).text).not.toContain('Run 1')
  })

  test.each([
    ['a target of another machine', '/ game.example:80', 'The target in line 1 must be a server of this machine'],
    ['a prefix that is no path', '/ localhost:3000\napi localhost:3000', 'The prefix in line 2 must be a path'],
  ])('shows what is wrong with %s', async (_, mappings, expected) => {
    const shown = await submit(mappings)
    expect(shown.status).toBe(400)
    expect(shown.text).toContain(expected)
  })

  test('takes no orders of other pages', async () => {
    const { status } = await harness.form('/sandbox/page/activity', { application_id: APPLICATION }, { origin: 'https://evil.example' })
    expect(status).toBe(403)
    expect((await harness.send('POST', '!sandbox/activities', { headers: { origin: 'https://evil.example' }, json: {} })).status).toBe(403)
  })
})
