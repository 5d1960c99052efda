/**
 * The HTTP listener of the activity proxy: `http://<application id>.localhost:PORT`. Bodies and websockets are streamed both ways.
 * Redirects are returned, not followed. It listens on loopback only, and all waits are bounded.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { ActivityMapping } from '@sallyport/protocol'
import { PROXY_CONNECTIONS_MAX } from '../constants.ts'
import type { SandboxReply } from '../http/exchange.ts'
import { askedOnce, type IsOwnPeer } from '../http/peer.ts'
import { NO_CHECKING, listening } from '../http/server.ts'
import { activityPolicy, requestHeaders, responseHeaders } from './headers.ts'
import { ACTIVITY_PAGE_PATH, mapPath } from './mappings.ts'

export interface ProxyServerOptions {
  /** 0 for any free port. */
  readonly port: number
  /** A connection without bytes for this time is closed, in ms. */
  readonly idleMs: number
  /** Origin of the sandbox, whose API activities may call. */
  readonly apiOrigin: string
  /** The URL mappings of an application; undefined if it has none. */
  readonly mappingsOf: (applicationId: string) => readonly ActivityMapping[] | undefined
  /** The page that runs the activity. */
  readonly page: (applicationId: string, query: URLSearchParams) => SandboxReply
  readonly isOwnPeer: IsOwnPeer
}

/** Why a request is not passed on. */
interface Refusal {
  readonly status: number
  readonly message: string
}

interface Passed {
  readonly applicationId: string
  readonly host: string
  readonly target: URL
}

const HOST = /^([1-9][0-9]{0,19})\.localhost:([0-9]{1,5})$/i

/** Other pages of the browser must not use the proxy; a link to an activity may. */
function isForeign({ origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode }: IncomingMessage['headers'], host: string): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return true
  return site === 'cross-site' && mode !== 'navigate'
}

const refusal = (status: number, message: string): Refusal => ({ status, message })

export async function startProxyServer(options: ProxyServerOptions) {
  const { apiOrigin, idleMs, mappingsOf, page } = options
  const tunnels = new Set<Duplex>()
  const isOwnPeer = askedOnce(options.isOwnPeer)
  const server = createServer(NO_CHECKING)

  /** The application and the host that the browser names. */
  async function namedBy(incoming: IncomingMessage): Promise<Pick<Passed, 'applicationId' | 'host'> | Refusal> {
    const host = incoming.headers.host?.toLowerCase() ?? ''
    const [, applicationId, port] = HOST.exec(host) ?? []
    if (applicationId === undefined || Number(port) !== incoming.socket.localPort)
      return refusal(404, 'Activities are at http://APPLICATION_ID.localhost with the port of this proxy.')
    if (!(await isOwnPeer(incoming.socket)))
      return refusal(403, 'This proxy belongs to another user of this machine; start your own sandbox.')
    if (isForeign(incoming.headers, host)) return refusal(403, 'Only pages of this activity may use its proxy.')
    return { applicationId, host }
  }

  function mapped(incoming: IncomingMessage, applicationId: string): URL | Refusal {
    const mappings = mappingsOf(applicationId)
    if (mappings === undefined)
      return refusal(404, `Application ${applicationId} has no URL mappings. Set them on the page ${apiOrigin}/sandbox/page/activity.`)
    const found = mapPath(incoming.url ?? '/', mappings)
    if ('url' in found) return found.url
    return found.problem === 'unmapped'
      ? refusal(404, `No URL mapping of application ${applicationId} has a prefix of this path. Add one, or map the prefix /.`)
      : refusal(400, 'The target of the request must be a path.')
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on('error', () => incoming.destroy())
    const named = await namedBy(incoming)
    if ('status' in named) return refuse(incoming, outgoing, named)
    const { applicationId, host } = named
    const mark = incoming.url?.indexOf('?') ?? -1
    if (incoming.method === 'GET' && (mark < 0 ? incoming.url : incoming.url?.slice(0, mark)) === ACTIVITY_PAGE_PATH) {
      const reply = page(applicationId, new URLSearchParams(mark < 0 ? '' : incoming.url?.slice(mark)))
      outgoing.writeHead(reply.status, reply.headers).end(reply.body)
      return
    }
    const target = mapped(incoming, applicationId)
    if ('status' in target) return refuse(incoming, outgoing, target)
    passOn(incoming, outgoing, { applicationId, host, target })
  }

  function passOn(incoming: IncomingMessage, outgoing: ServerResponse, { host, target }: Passed): void {
    const upstream = request(target, { ...ONE_CONNECTION, method: incoming.method, headers: requestHeaders(incoming.headers, target.host) })
    upstream.setTimeout(idleMs, () => upstream.destroy(new Error(TIMEOUT)))
    // From here on the timeout of the server's side covers both sides.
    incoming.socket.setTimeout(0)
    outgoing.once('finish', () => incoming.socket.setTimeout(idleMs))
    upstream.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, responseHeaders(response.headers, activityPolicy(host, apiOrigin)))
      pipeline(response, outgoing, () => upstream.destroy())
    })
    upstream.on('error', (cause: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) outgoing.destroy()
      else refuse(incoming, outgoing, unreachable(target, cause))
    })
    outgoing.once('close', () => upstream.destroy())
    // Not `pipeline`: a failed upstream must leave the connection open for its refusal.
    incoming.pipe(upstream)
  }

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy())
    const named = await namedBy(incoming)
    if ('status' in named) return refuseUpgrade(socket, named)
    const target = mapped(incoming, named.applicationId)
    if ('status' in target) return refuseUpgrade(socket, target)
    const headers = { ...requestHeaders(incoming.headers, target.host), connection: 'Upgrade', upgrade: 'websocket' }
    const upstream = request(target, { ...ONE_CONNECTION, headers })
    upstream.setTimeout(idleMs, () => upstream.destroy(new Error(TIMEOUT)))
    incoming.socket.setTimeout(0)
    socket.once('close', () => upstream.destroy())
    upstream.on('error', (cause: NodeJS.ErrnoException) => refuseUpgrade(socket, unreachable(target, cause)))
    upstream.once('response', (response) => {
      response.resume()
      refuseUpgrade(socket, refusal(502, `${target.host} answered ${response.statusCode} instead of opening a websocket.`))
    })
    upstream.once('upgrade', (response, far, farHead) => {
      tunnels.add(socket).add(far)
      far.setTimeout(0)
      socket.write(upgradeReply(response))
      socket.write(farHead)
      far.write(head)
      pipeline(socket, far, socket, () => {
        far.destroy()
        socket.destroy()
        tunnels.delete(socket)
        tunnels.delete(far)
      })
    })
    upstream.end()
  }

  server.on('request', (incoming, outgoing) => void handle(incoming, outgoing).catch(() => incoming.destroy()))
  server.on('upgrade', (incoming, socket, head) => void upgrade(incoming, socket, head).catch(() => socket.destroy()))
  server.maxConnections = PROXY_CONNECTIONS_MAX
  server.setTimeout(idleMs)
  await listening(server, options.port)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const tunnel of tunnels) tunnel.destroy()
      }),
  }
}

const TIMEOUT = 'timeout'
/** A connection for each request, so that none stays open. */
const ONE_CONNECTION = { agent: false } as const

const unreachable = ({ host }: URL, { code, message }: NodeJS.ErrnoException): Refusal =>
  message === TIMEOUT
    ? refusal(504, `${host} did not answer in time.`)
    : refusal(502, `${host} does not answer (${code ?? 'broken response'}). Start the game's server there, or change the URL mapping.`)

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** An unread body must not be parsed as the next request. */
const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, { status, message }: Refusal): void =>
  void outgoing.writeHead(status, { ...PLAIN, ...(incoming.complete ? {} : { connection: 'close' }) }).end(`${message}\n`)

function refuseUpgrade(socket: Duplex, { status, message }: Refusal): void {
  if (socket.destroyed) return
  const head = [`HTTP/1.1 ${status} Refused`, ...Object.entries(PLAIN).map(([name, value]) => `${name}: ${value}`), 'connection: close']
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}\n`, () => socket.destroy())
}

/** The switch to a websocket, with the headers that complete its handshake. */
function upgradeReply({ headers }: IncomingMessage): string {
  const names = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions', 'set-cookie']
  const lines = names.flatMap((name) => [headers[name] ?? []].flat().map((value) => `${name}: ${value}`))
  return ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: websocket', ...lines, '', ''].join('\r\n')
}
