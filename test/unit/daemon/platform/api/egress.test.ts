/** Requests via a real proxy, and to real TLS servers with a private certificate authority. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { Canceller } from '@sallyport/core/cancel'
import type { NetworkOptions } from '#daemon/src/platform/api/dispatchers.ts'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { createHttpSend } from '#daemon/src/platform/api/http.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closers.splice(0).toReversed()) await close()
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that connects every host name to one local port, and records the requests. */
async function proxyTo(target: () => number, isAllowed: (authorization: string | undefined) => boolean = () => true) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('{"through":"proxy"}')
  })
  server.on('connect', (request, client) => {
    asked.push(`CONNECT ${request.url}`)
    client.on('error', () => {})
    // The server no longer lists it among its connections.
    closers.push(() => client.destroy())
    if (!isAllowed(request.headers['proxy-authorization'])) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const upstream = connect(target(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    closers.push(() => upstream.destroy())
  })
  return { asked, url: `http://127.0.0.1:${await listening(server)}` }
}

const send = (egress: NetworkOptions, url: string) => {
  const client = createHttpSend(egress)
  closers.push(() => client.close())
  return client.send({ method: 'GET', url, headers: { authorization: 'Bearer t' } }, new Canceller())
}
const through = (url: string, except = '') => ({ http: new Secret(url), https: new Secret(url), except })
const hello: RequestListener = (request, response) => response.end(JSON.stringify({ host: request.headers.host, path: request.url }))

describe('plain HTTP URLs', () => {
  it('use the proxy', async () => {
    const proxy = await proxyTo(() => 0)
    expect((await send({ proxies: through(proxy.url) }, 'http://api.test/v10/users')).body).toBe('{"through":"proxy"}')
    expect(proxy.asked).toEqual(['GET http://api.test/v10/users'])
  })

  it('of this machine never use it', async () => {
    const port = await listening(createServer(hello))
    const proxy = await proxyTo(() => 0)
    expect(JSON.parse((await send({ proxies: through(proxy.url) }, `http://127.0.0.1:${port}/a`)).body)).toMatchObject({ path: '/a' })
    expect(JSON.parse((await send({ proxies: through(proxy.url) }, `http://localhost:${port}/b`)).body)).toMatchObject({ path: '/b' })
    expect(proxy.asked).toEqual([])
  })

  it('a missing proxy is a failure without sent data', async () => {
    const failure = await send({ proxies: through('http://127.0.0.1:1') }, 'http://api.test/').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(HttpFailure)
    expect(failure).toMatchObject({ kind: 'unreachable' })
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('TLS (needs openssl for the certificates)', () => {
  let folder: string
  let authority: string
  let server: { readonly key: string; readonly cert: string }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sp-tls-'))
    const at = (name: string) => join(folder, name)
    const run = (...words: string[]) => {
      const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    }
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    run('req', '-x509', ...ec, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '3650', '-subj', '/CN=Harbour authority')
    const names = [
      '-addext',
      'subjectAltName=DNS:api.test,DNS:direct.localhost,IP:127.0.0.1',
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ]
    const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-days', '3650']
    run('req', '-x509', ...ec, '-keyout', at('key.pem'), '-out', at('cert.pem'), '-subj', '/CN=api.test', ...names, ...signed)
    authority = readFileSync(at('ca.pem'), 'utf8')
    server = { key: readFileSync(at('key.pem'), 'utf8'), cert: readFileSync(at('cert.pem'), 'utf8') }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const tlsPort = () => listening(createTlsServer(server, hello))

  it('a server with an unknown certificate authority is refused, and accepted when it is configured', async () => {
    const port = await tlsPort()
    await expect(send({}, `https://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'unreachable', sent: false })
    const { body } = await send({ certificates: [authority] }, `https://127.0.0.1:${port}/x`)
    expect(JSON.parse(body)).toMatchObject({ path: '/x' })
  })

  it('an environment variable that disables certificate checks in Node has no effect, with or without a proxy', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const port = await tlsPort()
    await expect(send({}, `https://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'unreachable', sent: false })
    const proxy = await proxyTo(() => port)
    await expect(send({ proxies: through(proxy.url) }, 'https://api.test/')).rejects.toMatchObject({ kind: 'unreachable', sent: false })
    expect(proxy.asked).toEqual(['CONNECT api.test:443'])
  })

  it('uses a proxy tunnel with its credentials, and the proxy does not see the request', async () => {
    const port = await tlsPort()
    const expected = `Basic ${Buffer.from('ada:pass word').toString('base64')}`
    const proxy = await proxyTo(
      () => port,
      (authorization) => authorization === expected,
    )
    const url = proxy.url.replace('//', '//ada:pass%20word@')
    const reply = await send({ proxies: through(url), certificates: [authority] }, 'https://api.test/v10/users')
    expect(JSON.parse(reply.body)).toEqual({ host: 'api.test', path: '/v10/users' })
    expect(proxy.asked).toEqual(['CONNECT api.test:443'])
  })

  it('wrong proxy credentials are a failure that does not repeat them', async () => {
    const proxy = await proxyTo(
      () => 0,
      () => false,
    )
    const url = proxy.url.replace('//', '//ada:pass-word@')
    const failure = await send({ proxies: through(url), certificates: [authority] }, 'https://api.test/').catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unreachable', sent: false })
    expect(inspect(failure, { depth: 9 })).not.toContain('pass-word')
  })

  it('excluded hosts are reached directly', async () => {
    const proxy = await proxyTo(() => 0)
    const failure = await send({ proxies: through(proxy.url, '.invalid') }, 'https://api.invalid/').catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unreachable', sent: false })
    expect(proxy.asked).toEqual([])
  })
})
