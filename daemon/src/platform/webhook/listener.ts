/** HTTP listener for webhooks: loopback only, one request per connection, with bounded timeouts and bodies. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { INTERACTION_CALLBACKS, WEBHOOK_HEADERS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { HeldPort } from '@sallyport/core/net/held-port'
import { LoopbackServer } from '../../loopback/loopback-server.ts'
import type { Delivery } from './delivery-handler.ts'

interface WebhookListenerOptions {
  readonly held: HeldPort
  readonly clock: Clock
  /** Returns the HTTP status of the response. */
  readonly handle: (delivery: Delivery) => number
}

const PATH = /^\/(?<kind>webhooks|interactions)\/(?<applicationId>[1-9][0-9]{0,19})$/
/** The body of the response to a ping of an interactions endpoint. */
const PONG = JSON.stringify({ type: INTERACTION_CALLBACKS.PONG.type })
const BODY_MAX_BYTES = 256 * 1024
/** From the first byte to the end of the response. The platform expects its response within 3 s. */
const CONNECTION_MS = 5_000

/** Serves a port. Returns what closes it. */
export function serveWebhooks({ held, clock, handle: receive }: WebhookListenerOptions): Closer {
  const server = new LoopbackServer({
    clock,
    peerTimeoutMs: CONNECTION_MS,
    onRequest: (request, response) => void answer(request, response, receive).catch(() => request.socket.destroy()),
  })
  server.serve(held)
  return server.close
}

async function answer(request: IncomingMessage, response: ServerResponse, receive: WebhookListenerOptions['handle']): Promise<void> {
  const { kind, applicationId } = PATH.exec(request.url ?? '')?.groups ?? {}
  if (applicationId === undefined) return finish(response, 404)
  if (request.method !== 'POST') return finish(response, 405, { Allow: 'POST' })
  const body = await bodyOf(request)
  if (body === undefined) return finish(response, 413)
  const { [WEBHOOK_HEADERS.signature]: signature, [WEBHOOK_HEADERS.timestamp]: timestamp } = request.headers
  finish(
    response,
    receive({
      kind: kind === 'interactions' ? kind : 'webhooks',
      applicationId,
      body,
      signature: only(signature),
      timestamp: only(timestamp),
    }),
  )
}

const only = (header: string | readonly string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined)

/** The complete body; undefined if it is too long, and then the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  // `destroyOnReturn: false`, because leaving the loop would otherwise close the connection before the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Sends a response. Only 200, the response to a ping of an interactions endpoint, has a body. The platform requires a content type anyway. */
function finish(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const body = status === 200 ? PONG : ''
  const length = status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...length, ...headers })
  response.end(body)
}
