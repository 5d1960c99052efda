/** The HTTP listener: loopback only, every wait bounded, and no timer while nothing is asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { CONNECTIONS_MAX, SOCKET_IDLE_MS } from '../constants.ts'
import type { SandboxReply, SandboxRequest } from './exchange.ts'
import { readBody } from './body.ts'

/** What to do with a connection once the reply is known. */
export interface Outcome {
  readonly reply: SandboxReply
  readonly drop?: 'before-reply' | 'mid-reply'
}

/** Answers a request; `body` reads it on demand. Never rejects, unless the peer is gone. */
export type Serve = (head: Omit<SandboxRequest, 'body'>, body: () => Promise<Buffer>, port: number, gone: AbortSignal) => Promise<Outcome>

/** Takes over a connection that asks to become something else. */
export type Upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface HttpServer {
  readonly port: number
  close(): Promise<void>
}

// Node starts a timer that looks after slow requests every 30 s even when both limits are off; this puts it off for 24 days.
const NO_CHECKING = { headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 2 ** 31 - 1 }

/** Starts to listen on loopback. Rejects with SERVICE_UNAVAILABLE when the port is taken. */
export async function startHttpServer(port: number, clock: Clock, serve: Serve, upgrade: Upgrade): Promise<HttpServer> {
  const server = createServer(NO_CHECKING, (incoming, outgoing) => void handle(incoming, outgoing, clock, serve))
  server.on('upgrade', upgrade)
  server.maxConnections = CONNECTIONS_MAX
  server.setTimeout(SOCKET_IDLE_MS)
  await listening(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (cause: NodeJS.ErrnoException): void => {
      const why =
        cause.code === 'EADDRINUSE' ? 'is in use; choose another one, or 0 for any' : `cannot be opened (${cause.code ?? cause.message})`
      reject(new BridgeError('SERVICE_UNAVAILABLE', `The sandbox's port ${port} ${why}.`, {}, { cause }))
    }
    server.once('error', refused)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refused)
      // Not being able to accept one connection must not end the others.
      server.on('error', () => {})
      resolve()
    })
  })

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, clock: Clock, serve: Serve): Promise<void> {
  const { socket } = incoming
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  outgoing.on('error', () => gone.abort())
  try {
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
      // From here on the wait is ours, not the peer's.
      socket.setTimeout(0)
      return bytes
    }
    const outcome = await serve(head, body, socket.localPort ?? 0, gone.signal)
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
  // A body that was refused unread must not be taken for the next request.
  const rest = incoming.complete ? {} : { connection: 'close' }
  // A status without content says so by carrying no length at all.
  const length = reply.status === 204 ? {} : { 'content-length': String(body.length) }
  outgoing.writeHead(reply.status, { ...length, ...reply.headers, ...rest })
  if (drop === 'mid-reply') {
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.destroy())
    return
  }
  outgoing.end(body)
}
