/** The gateway connection on real sockets: a ws server that compresses, drops, floods and misbehaves; proxies and certificates. */
import { BUDGETS } from '@sallyport/core/budgets'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, createDeflate, createZstdCompress } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { Secret } from '@sallyport/core/secret'
import type { GatewayConnectionOptions } from '#daemon/src/platform/gateway/gateway.ts'
import type { NetworkOptions } from '#daemon/src/platform/api/dispatchers.ts'
import type { TakerOf } from '#daemon/src/platform/gateway/large-payload.ts'
import { afterPause, Arrivals, is, openRealLink, type RealLink } from './real-connection.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closers.splice(0).toReversed()) await close()
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => new Promise((done) => server.close(done)))
  return (server.address() as AddressInfo).port
}

const PACKERS = {
  'zlib-stream': () => ({ packer: createDeflate(), flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => ({ packer: createZstdCompress(), flush: constants.ZSTD_e_flush }),
}

/** The platform side of one connection. */
class PlatformSide {
  readonly query: URLSearchParams
  readonly came = new Arrivals<{ op: number; d: Record<string, unknown> }>()
  readonly closed = new Arrivals<number>()
  readonly socket: WebSocket
  readonly #pack: ((text: string) => Promise<Buffer>) | undefined

  constructor(socket: WebSocket, query: URLSearchParams) {
    this.socket = socket
    this.query = query
    const compress = query.get('compress')
    if (compress === 'zlib-stream' || compress === 'zstd-stream') {
      const { packer, flush } = PACKERS[compress]()
      let parts: Buffer[] = []
      packer.on('data', (part: Buffer) => void parts.push(part))
      this.#pack = (text) =>
        new Promise((resolve) => {
          packer.write(text, () =>
            packer.flush(flush, () => {
              resolve(Buffer.concat(parts))
              parts = []
            }),
          )
        })
    }
    socket.on('message', (data: Buffer) => this.came.put(JSON.parse(data.toString('utf8')) as never))
    socket.on('close', this.closed.put)
    socket.on('error', () => {})
  }

  async say(payload: object): Promise<void> {
    const text = JSON.stringify(payload)
    this.socket.send(this.#pack === undefined ? text : await this.#pack(text))
  }
  hello = (): Promise<void> => this.say({ op: 10, d: { heartbeat_interval: 41_250 } })
}

async function platform(server: Server = createServer()) {
  const port = await listening(server)
  const connections = new Arrivals<PlatformSide>()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) =>
    connections.put(new PlatformSide(socket, new URL(request.url ?? '', 'ws://here').searchParams)),
  )
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate()
  })
  return { port, url: `ws://127.0.0.1:${port}`, connections }
}

const connectTo = (url: string, options: Partial<GatewayConnectionOptions> = {}, egress: NetworkOptions = {}): RealLink => {
  const real = openRealLink({ url: async () => url, ...options }, egress)
  closers.push(() => real.connection.stop())
  return real
}

describe.each(['none', 'zlib-stream', 'zstd-stream'] as const)('with compression %s', (compress) => {
  test('a session starts, is dropped, is resumed at the URL from READY, and misses no event', async () => {
    const begun = await platform()
    const resumed = await platform()
    const dropped = connectTo(begun.url, { compress })
    const { connection, clock, states, dispatches } = dropped
    const first = await begun.connections.next()
    expect(first.query.toString()).toBe(`v=10&encoding=json${compress === 'none' ? '' : `&compress=${compress}`}`)
    await first.hello()
    expect(await first.came.until(({ op }) => op === 2)).toMatchObject({ d: { token: 'Bot planted-token', intents: 1 } })
    await first.say({ op: 0, t: 'READY', s: 1, d: { session_id: 'abc', resume_gateway_url: resumed.url } })
    await states.until(is('live'))
    const content = 'ä€😀'.repeat(30_000)
    await first.say({ op: 0, t: 'GUILD_CREATE', s: 2, d: { content } })
    expect(await dispatches.until(({ t }) => t === 'GUILD_CREATE')).toEqual({ t: 'GUILD_CREATE', s: 2, d: { content } })

    first.socket.terminate()
    await states.until(is('waiting'))
    const second = await afterPause(dropped, resumed.connections.next())
    expect(second.query.toString()).toBe(first.query.toString())
    await second.hello()
    expect((await second.came.until(({ op }) => op === 6)).d).toEqual({ token: 'Bot planted-token', session_id: 'abc', seq: 2 })
    for (let s = 3; s < 40; s++) await second.say({ op: 0, t: 'CHANNEL_CREATE', s, d: { s } })
    await second.say({ op: 0, t: 'RESUMED', s: 40, d: {} })
    for (let s = 3; s < 40; s++) expect(await dispatches.next()).toEqual({ t: 'CHANNEL_CREATE', s, d: { s } })
    expect((await dispatches.next()).t).toBe('RESUMED')
    expect(connection.state.name).toBe('live')

    await connection.send(8, { guild_id: '1' })
    expect(await second.came.until(({ op }) => op === 8)).toEqual({ op: 8, d: { guild_id: '1' } })
    await connection.stop()
    expect(await second.closed.next()).toBe(1000)
    expect(clock.pending).toBe(0)
  })

  test('a large READY comes in turns, before what follows it and before the close, and nothing comes after the stop', async () => {
    const { url, connections } = await platform()
    const turn = { count: 0, isCounting: true }
    const countTurns = (): void => {
      turn.count++
      if (turn.isCounting) setImmediate(countTurns)
    }
    const taken: unknown[] = []
    const turns = new Set<number>()
    const takerOf: TakerOf = (t, key) =>
      t !== 'READY' || key !== 'relationships'
        ? undefined
        : {
            take(element) {
              taken.push(element)
              turns.add(turn.count)
            },
            result: () => taken.length,
          }
    const { connection, dispatches, states } = connectTo(url, { compress, takerOf })
    const relationships = Array.from({ length: 20_000 }, (_, id) => ({
      id: `${id}`,
      type: 1,
      user: { id: `${id}`, username: `user ${id}` },
    }))
    const large = { op: 0, t: 'READY', s: 1, d: { session_id: 'abc', relationships, presences: [] } }
    const begin = async () => {
      const side = await connections.next()
      await side.hello()
      await side.came.until(({ op }) => op === 2)
      return side
    }
    const first = await begin()
    countTurns()
    await first.say(large)
    await first.say({ op: 0, t: 'CHANNEL_CREATE', s: 2, d: {} })
    first.socket.close(4009)
    expect(await dispatches.next()).toEqual({ t: 'READY', s: 1, d: { session_id: 'abc', relationships: 20_000, presences: [] } })
    expect(await dispatches.next()).toMatchObject({ t: 'CHANNEL_CREATE', s: 2 })
    await states.until(is('waiting'))
    expect(taken).toEqual(relationships)
    expect(turns.size).toBeGreaterThan(10)
    turn.isCounting = false
    await connection.stop()
  })

  test('a stop ends the parsing of a large message', async () => {
    const { url, connections } = await platform()
    let taken = 0
    const stopped = Promise.withResolvers<void>()
    const real: RealLink = connectTo(url, {
      compress,
      takerOf: () => ({
        take() {
          if (taken++ === 0) void real.connection.stop().then(stopped.resolve)
        },
        result: () => undefined,
      }),
    })
    const side = await connections.next()
    await side.hello()
    await side.came.until(({ op }) => op === 2)
    const relationships = Array.from({ length: 20_000 }, (_, id) => ({ id: `${id}`, type: 1, user: { id: `${id}` } }))
    await side.say({ op: 0, t: 'READY', s: 1, d: { session_id: 'abc', relationships } })
    await side.closed.next()
    await stopped.promise
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(10_000)
  })

  test('messages just before a close are received first', async () => {
    const { url, connections } = await platform()
    const { connection, states, dispatches } = connectTo(url, { compress })
    const side = await connections.next()
    await side.hello()
    await side.came.until(({ op }) => op === 2)
    await side.say({ op: 0, t: 'READY', s: 1, d: { session_id: 'abc' } })
    await side.say({ op: 0, t: 'GUILD_CREATE', s: 2, d: { content: 'x'.repeat(100_000) } })
    side.socket.close(4004, 'Authentication failed.')
    await states.until(is('ended'))
    expect([(await dispatches.next()).t, (await dispatches.next()).t]).toEqual(['READY', 'GUILD_CREATE'])
    expect(connection.state).toMatchObject({ name: 'ended', closeCode: 4004 })
  })

  test('the READY of an account with very many relationships is taken', async () => {
    const { url, connections } = await platform()
    const { states, dispatches } = connectTo(url, { compress })
    const side = await connections.next()
    await side.hello()
    await side.came.until(({ op }) => op === 2)
    const relationships = Array.from({ length: 1_000 }, (_, id) => ({ id: String(id), nickname: 'x'.repeat(20_000) }))
    await side.say({ op: 0, t: 'READY', s: 1, d: { session_id: 'abc', relationships } })
    await states.until(is('live'))
    expect(((await dispatches.next()).d as { readonly relationships: unknown }).relationships).toHaveLength(1_000)
  })

  test('an oversized message ends the session, and a new one begins after ten minutes', async () => {
    const { url, connections } = await platform()
    const flooded = connectTo(url, { compress })
    const { states, dispatches } = flooded
    const side = await connections.next()
    await side.hello()
    await side.came.until(({ op }) => op === 2)
    await side.say({ op: 0, t: 'READY', s: 1, d: { session_id: 'abc' } })
    await states.until(is('live'))
    await side.say({ op: 0, t: 'GUILD_CREATE', s: 2, d: 'x'.repeat(BUDGETS.gatewayMessageBytes.value) })
    const reason = expect.stringMatching(/^The gateway sent a message of more than 64 MiB.* every 10 minutes\.$/)
    expect(await states.until(is('waiting'))).toEqual({ name: 'waiting', reason })
    const since = flooded.clock.now()
    const again = await afterPause(flooded, connections.next())
    expect(flooded.clock.now() - since).toBeGreaterThanOrEqual(BUDGETS.gatewayTooLargeMs.value)
    await again.hello()
    expect((await again.came.until(({ op }) => op === 2)).op).toBe(2)
    expect((await dispatches.next()).t).toBe('READY')
  })
})

describe('an invalid server', () => {
  test('a port without a listener', async () => {
    const { port } = await platform()
    await closers.pop()?.()
    await closers.pop()?.()
    const { states } = connectTo(`ws://127.0.0.1:${port}`)
    const { reason } = await states.until(is('waiting'))
    expect(reason).toBe('The gateway cannot be reached (ECONNREFUSED): the connection was lost.')
  })

  test.each([200, 401, 502])('an HTTP server that responds %d', async (status) => {
    const port = await listening(createServer((_request, response) => response.writeHead(status).end('no')))
    const { states, log } = connectTo(`ws://127.0.0.1:${port}/secret-path`)
    const { reason } = await states.until(is('waiting'))
    expect(reason).toBe(`The gateway cannot be reached (${status}): the connection was lost.`)
    expect(log.text).not.toContain('secret-path')
  })

  test('invalid compressed data is closed with 4002', async () => {
    const { url, connections } = await platform()
    const { states } = connectTo(url, { compress: 'zlib-stream' })
    const side = await connections.next()
    side.socket.send(Buffer.from('garbage\0\0\xff\xff', 'latin1'))
    const { reason } = await states.until(is('waiting'))
    expect(reason).toBe('The gateway sent an invalid payload: Z_DATA_ERROR.')
    expect(await side.closed.next()).toBe(4002)
  })

  test('a connection to a silent peer can be stopped', async () => {
    const accepted = new Arrivals<true>()
    const server = createServer()
    server.on('connection', (socket) => {
      closers.push(() => socket.destroy())
      accepted.put(true)
    })
    server.on('upgrade', () => {})
    const port = await listening(server)
    const { connection, clock } = connectTo(`ws://127.0.0.1:${port}`)
    await accepted.next()
    await connection.stop()
    expect(clock.pending).toBe(0)
  })

  test('a connection that is stopped before ws is loaded opens no socket', async () => {
    const { url } = await platform()
    const { connection, clock } = connectTo(url)
    await Promise.resolve()
    await Promise.resolve()
    await connection.stop()
    expect(clock.pending).toBe(0)
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('TLS and proxies (needs openssl for the certificates)', () => {
  let folder: string
  let own: { readonly key: string; readonly cert: string }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sp-gateway-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const words = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '3650',
      '-subj',
      '/CN=gw',
    ]
    const { status, stderr } = spawnSync(
      'openssl',
      [...words, '-keyout', key, '-out', cert, '-addext', 'subjectAltName=DNS:gateway.test,DNS:other.test,DNS:localhost'],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(stderr)
    own = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Connects every host name to one port, and records the requests. */
  async function proxyTo(port: number) {
    const asked = new Arrivals<string>()
    const server = createServer()
    server.on('connect', (request, client) => {
      asked.put(`${request.url} ${request.headers['proxy-authorization']}`)
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      for (const socket of [client, upstream]) {
        socket.on('error', () => {})
        closers.push(() => socket.destroy())
      }
    })
    return { asked, url: `http://ada:pass-word@127.0.0.1:${await listening(server)}` }
  }

  const through = (url: string, except = '') => ({ http: new Secret(url), https: new Secret(url), except })

  test('a configured certificate authority is trusted, no other', async () => {
    const { port, connections } = await platform(createTlsServer(own))
    const refused = connectTo(`wss://localhost:${port}`)
    expect((await refused.states.until(is('waiting'))).reason).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/)
    connectTo(`wss://localhost:${port}`, {}, { certificates: [own.cert] })
    const side = await connections.next()
    await side.hello()
    expect((await side.came.next()).op).toBe(2)
  })

  test('an environment variable that disables certificate checks in Node has no effect', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { port } = await platform(createTlsServer(own))
    const refused = connectTo(`wss://localhost:${port}`)
    expect((await refused.states.until(is('waiting'))).reason).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/)
    const proxy = await proxyTo(port)
    const tunnelled = connectTo('wss://gateway.test', {}, { proxies: through(proxy.url) })
    expect((await tunnelled.states.until(is('waiting'))).reason).toMatch(/SELF_SIGNED_CERT/)
  })

  test('the proxy gets a tunnel request with its credentials, which are in no log', async () => {
    const { port, connections } = await platform(createTlsServer(own))
    const proxy = await proxyTo(port)
    const { log } = connectTo('wss://gateway.test', {}, { proxies: through(proxy.url), certificates: [own.cert] })
    expect(await proxy.asked.next()).toBe(`gateway.test:443 Basic ${Buffer.from('ada:pass-word').toString('base64')}`)
    const side = await connections.next()
    await side.hello()
    expect((await side.came.next()).op).toBe(2)
    expect(log.text).not.toContain('pass-word')
  })

  test('no proxy is used for this machine and for excluded hosts', async () => {
    const { port, connections } = await platform(createTlsServer(own))
    const dead = 'http://127.0.0.1:1'
    connectTo(`wss://localhost:${port}`, {}, { proxies: through(dead), certificates: [own.cert] })
    await connections.next()
    const { states } = connectTo('wss://gateway.test', {}, { proxies: through(dead, 'other.test'), certificates: [own.cert] })
    expect((await states.until(is('waiting'))).reason).toMatch(/ECONNREFUSED/)
  })
})
