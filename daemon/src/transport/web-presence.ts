/**
 * The web side of the local protocol: browsers and some libraries look for it on ten well-known ports, and take a plain HTTP 404
 * there as the sign that a server of the protocol runs. Nothing else is served over HTTP.
 */
import { createServer, type Server } from 'node:http'
import type { Closer } from '../core/closer.ts'

/** Where libraries look, ascending. */
const PORTS = { first: 6463, last: 6472 } as const
const LOOPBACK = '127.0.0.1'
/** A connection on which nothing moves is dropped after this. */
const SILENT_SOCKET_MS = 5_000
/** Node's look for slow requests never rests; with this it rests for 24 days, and the silence above bounds them instead. */
const NEVER_MS = 2_147_483_647

const notFound = (): Server => {
  const server = createServer({ headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: NEVER_MS }, (request, response) => {
    request.resume()
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': 0 }).end()
  })
  server.setTimeout(SILENT_SOCKET_MS)
  return server
}

const tryPort = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const refused = () => resolve(false)
    server.once('error', refused)
    server.listen(port, LOOPBACK, () => {
      server.off('error', refused)
      resolve(true)
    })
  })

/** Answers on the first free port; undefined when all are taken, which harms nobody but those who look. */
export async function startWebPresence(
  ports: { readonly first: number; readonly last: number } = PORTS,
): Promise<{ readonly port: number; readonly close: Closer } | undefined> {
  const server = notFound()
  for (let port = ports.first; port <= ports.last; port++) {
    if (!(await tryPort(server, port))) continue
    return {
      port,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }
  return undefined
}
