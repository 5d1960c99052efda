/** The HTTP listener: loopback only, all waits bounded, no timers while idle. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { HeldPort } from '@sallyport/core/net/held-port'
import { CONNECTIONS_MAX, SOCKET_IDLE_MS } from '../constants.ts'
import { portError } from '../addresses.ts'
import type { SandboxReply, SandboxRequest } from './exchange.ts'
import { readBody } from './body.ts'
import { askedOnce, type IsOwnPeer } from './peer.ts'

/** The reply and an optional connection fault. */
export interface Outcome {
  readonly reply: SandboxReply
  readonly drop?: 'before-reply' | 'mid-reply'
}

/** Handles a request; `body` reads it on demand. Rejects only when the client disconnected. */
export type Serve = (head: Omit<SandboxRequest, 'body'>, body: () => Promise<Buffer>, port: number, signal: AbortSignal) => Promise<Outcome>

/** Handles an upgrade request. */
export type Upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void

/** For a server that listens itself. Node checks slow requests every 30 s even without limits; this interval delays the check by 24 days. */
export const NO_CHECKING = { headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 2 ** 31 - 1 }

interface HttpOptions {
  readonly clock: Clock
  readonly isOwnPeer: IsOwnPeer
  readonly serve: Serve
  readonly upgrade: Upgrade
  /** The reply to another user of this machine, for every path: pages and control interface have no other proof of their user. */
  readonly refusal: SandboxReply
}

/** Serves a port. Returns what closes it and every connection. */
export function serveHttp(held: HeldPort, given: HttpOptions): Closer {
  const options = { ...given, isOwnPeer: askedOnce(given.isOwnPeer) }
  // It does not listen itself, so Node's check for slow requests is not started.
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing, options))
  server.on('upgrade', (incoming, socket, head) => void passUpgrade(incoming, socket, head, options))
  server.setTimeout(SOCKET_IDLE_MS)
  const open = new Set<Socket>()
  held.serve((socket) => {
    if (open.size >= CONNECTIONS_MAX) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    server.emit('connection', socket)
  })
  return async () => {
    const closed = held.close()
    for (const socket of open) socket.destroy()
    await closed
  }
}

/** Rejects with SERVICE_UNAVAILABLE when the port cannot be opened. */
export const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (cause: Error): void => reject(portError(port, cause))
    server.once('error', refused)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refused)
      // An accept error must not end the process.
      server.on('error', () => {})
      resolve()
    })
  })

async function passUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, { isOwnPeer, upgrade }: HttpOptions): Promise<void> {
  // Without a listener, a broken connection would end the process.
  socket.on('error', () => socket.destroy())
  const isOwn = await isOwnPeer(incoming.socket).catch(() => false)
  if (socket.destroyed) return
  if (isOwn) upgrade(incoming, socket, head)
  else socket.end(REFUSED_UPGRADE, () => socket.destroy())
}

const REFUSED_UPGRADE = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, options: HttpOptions): Promise<void> {
  const { clock, serve, isOwnPeer, refusal } = options
  const { socket } = incoming
  const connection = new AbortController()
  outgoing.once('close', () => connection.abort())
  outgoing.on('error', () => connection.abort())
  try {
    if (!(await isOwnPeer(socket))) return send(outgoing, incoming, { reply: refusal })
    const target = incoming.url ?? '/'
    const mark = target.indexOf('?')
    const head = {
      method: incoming.method ?? 'GET',
      path: mark < 0 ? target : target.slice(0, mark),
      query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
      headers: incoming.headers,
    }
    const body = async () => {
      const bytes = await readBody(incoming, clock)
      // From here on the sandbox delays, not the client.
      socket.setTimeout(0)
      return bytes
    }
    const outcome = await serve(head, body, socket.localPort ?? 0, connection.signal)
    socket.setTimeout(SOCKET_IDLE_MS)
    send(outgoing, incoming, outcome)
  } catch {
    socket.destroy()
  }
}

function send(outgoing: ServerResponse, incoming: IncomingMessage, { reply, drop }: Outcome): void {
  if (drop === 'before-reply') {
    incoming.socket.destroy()
    return
  }
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  // An unread body must not be parsed as the next request.
  const rest = incoming.complete ? {} : { connection: 'close' }
  // A reply without content has no length.
  const length = reply.status === 204 ? {} : { 'content-length': String(body.length) }
  outgoing.writeHead(reply.status, { ...length, ...reply.headers, ...rest })
  if (drop === 'mid-reply') {
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.destroy())
    return
  }
  outgoing.end(body)
}
