import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from '#test/support/silent-logger.ts'
import { Secret } from '@sallyport/core/secret'
import { createForwarder } from '#daemon/src/platform/api/forwarder.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { createHttpSend, type HttpClient } from '#daemon/src/platform/api/http.ts'
import { row } from './rows.ts'

/** Deadline that is long enough for a busy machine. */
const PATIENCE_MS = 300_000

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, server }
}

function client(): HttpClient {
  const made = createHttpSend()
  closers.push(() => made.close())
  return made
}

const get = (url: string) => ({ method: 'GET', url, headers: {} })
const never = new AbortController().signal

describe('createHttpSend', () => {
  it('sends method, path, query, headers and body, and returns status, headers and body', async () => {
    const { url } = await serve((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        response.writeHead(418, { 'x-rate': '1' }).end(JSON.stringify([request.method, request.url, request.headers['x-a'], body]))
      })
    })
    const reply = await client().send({ method: 'POST', url: `${url}/a%2Fb?c=d`, headers: { 'x-a': 'b' }, body: '"ü"' }, never)
    expect(reply).toMatchObject({ status: 418, headers: { 'x-rate': '1' } })
    expect(JSON.parse(reply.body)).toEqual(['POST', '/a%2Fb?c=d', 'b', '"ü"'])
  })

  it('decodes a character that arrives in two chunks', async () => {
    const { url } = await serve((_, response) => {
      const bytes = Buffer.from('aüb')
      response.write(bytes.subarray(0, 2))
      setImmediate(() => response.end(bytes.subarray(2)))
    })
    expect((await client().send(get(url), never)).body).toBe('aüb')
  })

  it('does not follow redirects, so a token goes to no other host', async () => {
    const { url } = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    expect(await client().send(get(url), never)).toMatchObject({ status: 302, headers: { location: '/elsewhere' } })
  })

  it('can be loaded before the first request, and not after it is closed', async () => {
    const { url } = await serve((_, response) => response.end('x'))
    const made = client()
    made.prepare()
    made.prepare()
    expect((await made.send(get(url), never)).body).toBe('x')
    await made.close()
    made.prepare()
    await expect(made.send(get(url), never)).rejects.toMatchObject({ kind: 'aborted' })
  })

  it('reuses connections', async () => {
    const { url, server } = await serve((_, response) => response.end('x'))
    let connections = 0
    server.on('connection', () => (connections += 1))
    const { send } = client()
    for (let index = 0; index < 20; index += 1) await send(get(url), never)
    // Two, because a connection is idle for one event-loop turn after each reply.
    expect(connections).toBeLessThanOrEqual(2)
  })

  it('reports a request without a server as not sent', async () => {
    const { url, server } = await serve(() => {})
    await new Promise((done) => server.close(done))
    await expect(client().send(get(url), never)).rejects.toMatchObject({ kind: 'unreachable', sent: false })
  })

  it('reports a request on a broken connection as possibly received', async () => {
    const { url } = await serve((request) => request.socket.destroy())
    await expect(client().send(get(url), never)).rejects.toMatchObject({ kind: 'interrupted', sent: true })
  })

  it('rejects an incomplete reply', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    await expect(client().send(get(url), never)).rejects.toMatchObject({ kind: 'interrupted', sent: true })
  })

  it('rejects a reply that is not HTTP', async () => {
    const server = createTcpServer((socket) => socket.end('hello, who is there?\r\n\r\n'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    closers.push(() => server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(client().send(get(`http://127.0.0.1:${port}`), never)).rejects.toMatchObject({ kind: 'interrupted', sent: true })
  })

  it.each([true, false])('rejects an oversized reply (with content length: %s), and closes the connection', async (isAnnounced) => {
    const gone = Promise.withResolvers<void>()
    const { url } = await serve((request, response) => {
      request.socket.on('close', () => gone.resolve())
      if (isAnnounced) response.writeHead(200, { 'content-length': String(9 * 1024 * 1024) })
      const chunk = Buffer.alloc(1024 * 1024, 97)
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pour)
      }
      pour()
    })
    await expect(client().send(get(url), never)).rejects.toMatchObject({ kind: 'too-large', sent: true })
    await gone.promise
  })

  it('closes the connection when its signal fires', async () => {
    const [arrived, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url } = await serve((request) => {
      request.socket.on('close', () => gone.resolve())
      arrived.resolve()
    })
    const leaving = new AbortController()
    const outcome = client().send(get(url), leaving.signal)
    const failure = expect(outcome).rejects.toMatchObject({ kind: 'aborted', sent: true })
    await arrived.promise
    leaving.abort()
    await failure
    await gone.promise
    await expect(client().send(get(url), leaving.signal)).rejects.toMatchObject({ kind: 'aborted', sent: false })
  })

  it('drops a request that was cancelled while it waited for a connection', async () => {
    const waiting: (() => void)[] = []
    const seen: string[] = []
    const arrived = Promise.withResolvers<void>()
    const { url } = await serve((request, response) => {
      seen.push(request.url ?? '')
      waiting.push(() => response.end('x'))
      if (seen.length === 64) arrived.resolve()
    })
    const { send } = client()
    const busy = Array.from({ length: 64 }, () => send(get(`${url}/busy`), never))
    await arrived.promise
    const leaving = new AbortController()
    const late = expect(send(get(`${url}/late`), leaving.signal)).rejects.toMatchObject({ kind: 'aborted', sent: false })
    leaving.abort()
    await late
    for (const finish of waiting) finish()
    await Promise.all(busy)
    const after = send(get(`${url}/after`), never)
    while (waiting.length < 65) await new Promise(setImmediate)
    waiting[64]?.()
    await after
    expect(seen).not.toContain('/late')
  })

  it('serves 2,000 concurrent calls on at most 64 connections, none lost', async () => {
    let [open, most] = [0, 0]
    const { url, server } = await serve((_, response) => response.end('{"id":"x"}'))
    server.on('connection', (socket) => {
      open += 1
      most = Math.max(most, open)
      socket.on('close', () => (open -= 1))
    })
    const forwarder = createForwarder({
      profile: { baseUrl: url, userAgent: 'a' },
      send: client().send,
      clock: systemClock,
      log: silentLogger,
      warnings: new Warnings(systemClock, silentLogger),
      random: () => 0,
    })
    const who = { kind: 'user', applicationId: 'a', userId: 'u', token: new Secret('token-12345') } as const
    const calls = Array.from({ length: 2000 }, () =>
      forwarder.forward(row(), { channel_id: '1' }, who, new AbortController().signal, Date.now() + PATIENCE_MS),
    )
    expect((await Promise.all(calls)).every((value) => (value as { id: string }).id === 'x')).toBe(true)
    expect(most).toBeLessThanOrEqual(64)
    await forwarder.close()
  })

  it('closes its connections and rejects later requests', async () => {
    const { url } = await serve((_, response) => response.end('x'))
    const made = createHttpSend()
    await made.send(get(url), never)
    await made.close()
    await expect(made.send(get(url), never)).rejects.toMatchObject({ sent: false })
    const unused = createHttpSend()
    await unused.close()
  })
})
