/** Upgrades requests at the gateway's paths to websockets and refuses others. The first one loads the websocket package. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { checkHost, checkOrigin } from '../http/host.ts'
import type { Upgrade } from '../http/server.ts'
import type { Gateway } from './gateway.ts'
import { READ_MAX_BYTES } from './limits.ts'

/** With the paths that resumed sessions use. */
const PATHS: readonly string[] = ['/gateway', '/gateway/', '/gateway/resume', '/gateway/resume/']

export function gatewayUpgrade(gateway: Gateway, port: () => number): Upgrade {
  let server: ReturnType<typeof loaded> | undefined
  return (incoming, socket, head) => {
    const status = refusalOf(incoming, port())
    if (status !== undefined) return refuse(socket, status)
    server ??= loaded()
    void server.then(
      (ready) => ready.handleUpgrade(incoming, socket, head, (websocket) => gateway.accept(websocket, targetOf(incoming).searchParams)),
      () => socket.destroy(),
    )
  }
}

async function loaded() {
  const { WebSocketServer } = await import('ws')
  return new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: READ_MAX_BYTES })
}

const targetOf = ({ url }: IncomingMessage): URL => new URL(url ?? '/', 'ws://sandbox')

/** The status of a refusal; undefined for a valid request. */
function refusalOf(incoming: IncomingMessage, port: number): string | undefined {
  if (!URL.canParse(incoming.url ?? '/', 'ws://sandbox') || !PATHS.includes(targetOf(incoming).pathname)) return '404 Not Found'
  try {
    checkHost(incoming.headers, port)
    // Unlike an HTTP response, a page of another origin could read a websocket.
    checkOrigin(incoming.headers, port)
  } catch {
    return '403 Forbidden'
  }
  return undefined
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
}
