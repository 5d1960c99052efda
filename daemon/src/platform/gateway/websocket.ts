/** The gateway's websocket on ws, which is loaded when the first connection is made; proxies and authorities as for all else that leaves. */
import type { Agent } from 'node:http'
import { LIMITS } from '@sallyport/protocol'
import type { WebSocket } from 'ws'
import { isOnThisMachine } from '@sallyport/core/loopback'
import type { Egress } from '../api/dispatchers.ts'
import type { Inflater } from './inflate.ts'
import type { DialGateway, GatewayCompression, GatewaySocket, GatewaySocketListener } from './socket.ts'

/** No status: the other side went without a word. What ws reports then is no code that anybody sent. */
const WORDLESS = new Set([1005, 1006])

/** Said, so that no variable of the environment switches the check of certificates off. */
const CHECKED = { rejectUnauthorized: true } as const

/** How a connection broke, without an address: a system error's code, or the HTTP status that came instead of a websocket. */
function problemOf(failure: Error): string {
  const { code } = failure as NodeJS.ErrnoException
  return code ?? /server response: (\d{3})$/.exec(failure.message)?.[1] ?? failure.name
}

/** Makes sockets that leave this machine as `egress` says. */
export function gatewayDialer(egress: Egress): DialGateway {
  const agentFor = agents(egress)
  return (url, compress, listener) => {
    const socket = new GatewayWebsocket(listener)
    void socket.open(url, compress, agentFor)
    return socket
  }
}

/** Node's own agent knows proxies; undefined where none of its arts is needed. */
const agents =
  ({ proxies, certificates }: Egress) =>
  async (url: URL): Promise<Agent | undefined> => {
    const proxy = isOnThisMachine(url.hostname) ? undefined : proxies?.https
    if (url.protocol !== 'wss:' || (proxy === undefined && certificates === undefined)) return undefined
    const [{ Agent: HttpsAgent }, { getCACertificates }] = await Promise.all([import('node:https'), import('node:tls')])
    return new HttpsAgent({
      ...CHECKED,
      ...(proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy.reveal(), NO_PROXY: proxies?.except ?? '' } }),
      ...(certificates === undefined ? {} : { ca: [...getCACertificates('default'), ...certificates] }),
    })
  }

class GatewayWebsocket implements GatewaySocket {
  readonly #listener: GatewaySocketListener
  #socket: WebSocket | undefined
  #inflater: Inflater | undefined
  #problem: string | undefined
  #isOver = false
  /** What came is unpacked and told one after the other. */
  #last: Promise<void> = Promise.resolve()

  constructor(listener: GatewaySocketListener) {
    this.#listener = listener
  }

  async open(address: string, compress: GatewayCompression, agentFor: (url: URL) => Promise<Agent | undefined>): Promise<void> {
    try {
      const url = new URL(address)
      const [{ WebSocket }, agent] = await Promise.all([import('ws'), agentFor(url)])
      if (compress !== 'none') this.#inflater = (await import('./inflate.ts')).createInflater(compress)
      if (this.#isOver) return this.#end(undefined)
      this.#listen(
        new WebSocket(url, {
          // Compression is the gateway's own; two at once cost twice.
          perMessageDeflate: false,
          ...CHECKED,
          maxPayload: LIMITS.gatewayMessageBytes.value,
          ...(agent === undefined ? {} : { agent }),
        }),
      )
    } catch (failure) {
      this.#problem = failure instanceof Error ? problemOf(failure) : undefined
      this.#end(undefined)
    }
  }

  /** What is said to a socket that is going is lost, as it would be on the way. */
  send(text: string): void {
    this.#open?.send(text)
  }

  close(code: number): void {
    const socket = this.#open
    if (socket === undefined) this.destroy()
    else socket.close(code)
  }

  destroy(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  get #open(): WebSocket | undefined {
    return this.#socket?.readyState === this.#socket?.OPEN ? this.#socket : undefined
  }

  #listen(socket: WebSocket): void {
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary))
    socket.on('error', (failure) => {
      this.#problem = problemOf(failure)
    })
    socket.on('close', (code) => {
      void this.#last.then(() => this.#end(WORDLESS.has(code) ? undefined : code))
    })
  }

  #take(data: Buffer, isBinary: boolean): void {
    // Text is text even on a compressed connection; unpacking takes a moment, in which no more is read.
    if (this.#inflater === undefined || !isBinary) this.#last = this.#last.then(() => this.#listener.onMessage(data.toString('utf8')))
    else {
      const inflater = this.#inflater
      this.#socket?.pause()
      this.#last = this.#last.then(() => this.#unpack(inflater, data))
    }
  }

  async #unpack(inflater: Inflater, data: Buffer): Promise<void> {
    try {
      const text = await inflater.push(data)
      if (text !== undefined) this.#listener.onMessage(text)
    } catch (failure) {
      this.#listener.onUnreadable(failure instanceof Error ? problemOf(failure) : 'unknown')
    } finally {
      this.#socket?.resume()
    }
  }

  #end(code: number | undefined): void {
    this.#inflater?.close()
    this.#listener.onClosed(code, this.#problem)
  }
}
