/** The HTTP side of the webhook source: loopback only, one request per connection, every wait and every body bounded. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WEBHOOK_HEADERS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import { BridgeError } from '@sallyport/core/errors'
import { LOOPBACK, LoopbackServer } from '../../loopback/loopback-server.ts'
import type { Delivery } from './inbox.ts'

export interface ListenerOptions {
  /** 0 = any free one. */
  readonly port: number
  readonly clock: Clock
  /** Gives the status of the answer. */
  readonly receive: (delivery: Delivery) => number
}

export interface WebhookListener {
  /** What comes before the id of an application: `http://127.0.0.1:PORT/webhooks/`. */
  readonly base: string
  readonly close: Closer
}

const PATH = /^\/webhooks\/([1-9][0-9]{0,19})$/
const BODY_MAX_BYTES = 256 * 1024
/** From the first byte to the answer. A platform wants its own within 3 s. */
const CONNECTION_MS = 5_000

/** Starts to listen. Rejects with SERVICE_UNAVAILABLE when the port cannot be had. */
export async function listenForWebhooks({ port, clock, receive }: ListenerOptions): Promise<WebhookListener> {
  const server = new LoopbackServer({ clock, patienceMs: CONNECTION_MS })
  server.http.on('request', (request, response) => {
    answer(request, response, receive).catch(() => request.socket.destroy())
  })
  try {
    return { base: `http://${LOOPBACK}:${await server.listen(port)}/webhooks/`, close: server.close }
  } catch (cause) {
    const advice = `Webhooks cannot be listened for on port ${port}; choose another --webhook-port, or off.`
    throw new BridgeError('SERVICE_UNAVAILABLE', advice, {}, { cause })
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, receive: ListenerOptions['receive']): Promise<void> {
  const applicationId = PATH.exec(request.url ?? '')?.[1]
  if (applicationId === undefined) return finish(response, 404)
  if (request.method !== 'POST') return finish(response, 405, { Allow: 'POST' })
  const body = await bodyOf(request)
  if (body === undefined) return finish(response, 413)
  const { [WEBHOOK_HEADERS.signature]: signature, [WEBHOOK_HEADERS.timestamp]: timestamp } = request.headers
  finish(response, receive({ applicationId, body, signature: only(signature), timestamp: only(timestamp) }))
}

const only = (header: string | readonly string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined)

/** The whole body; undefined when it is too long, and then the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  // Ended by hand, since leaving the loop would end the connection before the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** No answer has a body; platforms want a content type all the same. */
function finish(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const length = status === 204 ? {} : { 'Content-Length': '0' }
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...length, ...headers })
  response.end()
}
