/** Gateway websocket on the ws package, which is loaded for the first connection. Uses the daemon's proxy and certificate settings. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Agent } from 'node:http'
import type { WebSocket } from 'ws'
import { isOnThisMachine } from '@sallyport/core/loopback'
import type { NetworkOptions } from '../api/dispatchers.ts'
import type { Inflater } from './inflate.ts'
import { LARGE_BYTES } from './large-payload.ts'
import { type DialGateway, type GatewayCompression, type GatewaySocket, type GatewaySocketListener, MESSAGE_TOO_LARGE } from './socket.ts'

/** Codes that ws reports when no close frame arrived. */
const NO_STATUS = new Set([1005, 1006])

/** Explicit, so that no environment variable disables certificate checks. */
const VERIFY_CERTIFICATES = { rejectUnauthorized: true } as const

/** The cause of a failed connection, without addresses: a system error code, or the HTTP status of a failed upgrade. */
function problemOf(failure: Error): string {
  const { code } = failure as NodeJS.ErrnoException
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return MESSAGE_TOO_LARGE
  return code ?? /server response: (\d{3})$/.exec(failure.message)?.[1] ?? failure.name
}

/** Creates sockets with these network options. */
export function gatewayDialer(options: NetworkOptions): DialGateway {
  const agentFor = agents(options)
  return (url, compress, listener) => {
    const socket = new GatewayWebsocket(listener)
    void socket.open(url, compress, agentFor)
    return socket
  }
}

/** Node's agent supports proxies. Undefined if neither a proxy nor custom certificates are configured. */
const agents =
  ({ proxies, certificates }: NetworkOptions) =>
  async (url: URL): Promise<Agent | undefined> => {
    const proxy = isOnThisMachine(url.hostname) ? undefined : proxies?.https
    if (url.protocol !== 'wss:' || (proxy === undefined && certificates === undefined)) return undefined
    const [{ Agent: HttpsAgent }, { getCACertificates }] = await Promise.all([import('node:https'), import('node:tls')])
    return new HttpsAgent({
      ...VERIFY_CERTIFICATES,
      ...(proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy.reveal(), NO_PROXY: proxies?.except ?? '' } }),
      ...(certificates === undefined ? {} : { ca: [...getCACertificates('default'), ...certificates] }),
    })
  }

class GatewayWebsocket implements GatewaySocket {
  readonly #listener: GatewaySocketListener
  #socket: WebSocket | undefined
  #inflater: Inflater | undefined
  #problem: string | undefined
  #isDestroyed = false
  /** The daemon ended the connection, so messages matter no more. One that came before the platform's close does. */
  #isLeft = false
  /** Decompresses and delivers messages one after the other. */
  #last: Promise<void> = Promise.resolve()

  constructor(listener: GatewaySocketListener) {
    this.#listener = listener
  }

  async open(address: string, compress: GatewayCompression, agentFor: (url: URL) => Promise<Agent | undefined>): Promise<void> {
    try {
      const url = new URL(address)
      const [{ WebSocket }, agent] = await Promise.all([import('ws'), agentFor(url)])
      if (compress !== 'none') this.#inflater = (await import('./inflate.ts')).createInflater(compress)
      if (this.#isDestroyed) return this.#end(undefined)
      this.#listen(
        new WebSocket(url, {
          // The gateway has its own compression; a second one would only add cost.
          perMessageDeflate: false,
          ...VERIFY_CERTIFICATES,
          maxPayload: BUDGETS.gatewayMessageBytes.value,
          ...(agent === undefined ? {} : { agent }),
        }),
      )
    } catch (failure) {
      this.#problem = failure instanceof Error ? problemOf(failure) : undefined
      this.#end(undefined)
    }
  }

  /** Text sent to a closing socket is dropped. */
  send(text: string): void {
    this.#open?.send(text)
  }

  close(code: number): void {
    this.#isLeft = true
    const socket = this.#open
    if (socket === undefined) this.destroy()
    else socket.close(code)
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#isLeft = true
    this.#socket?.terminate()
  }

  get #open(): WebSocket | undefined {
    return this.#socket?.readyState === this.#socket?.OPEN ? this.#socket : undefined
  }

  #listen(socket: WebSocket): void {
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    socket.on('error', (failure) => {
      this.#problem = problemOf(failure)
    })
    socket.on('close', (code) => {
      void this.#last.then(() => this.#end(NO_STATUS.has(code) ? undefined : code))
    })
  }

  #receive(data: Buffer, isBinary: boolean): void {
    // Text messages are never compressed.
    const inflater = isBinary ? this.#inflater : undefined
    if (inflater === undefined && data.length < LARGE_BYTES) this.#last = this.#last.then(() => this.#deliver(data))
    else {
      // Otherwise messages would wait in memory.
      this.#socket?.pause()
      this.#last = this.#last
        .then(() => (inflater === undefined ? this.#deliver(data) : this.#decompress(inflater, data)))
        .finally(() => this.#socket?.resume())
    }
  }

  async #decompress(inflater: Inflater, data: Buffer): Promise<void> {
    let message: Buffer | undefined
    try {
      message = await inflater.push(data)
    } catch (failure) {
      return this.#listener.onUnreadable(failure instanceof Error ? problemOf(failure) : 'unknown')
    }
    if (message !== undefined) await this.#deliver(message)
  }

  #deliver(message: Buffer): Promise<void> | undefined {
    if (message.length >= LARGE_BYTES) return this.#listener.onLargeMessage(message, () => this.#isLeft)
    this.#listener.onMessage(message.toString('utf8'))
    return undefined
  }

  #end(code: number | undefined): void {
    this.#inflater?.close()
    this.#listener.onClosed(code, this.#problem)
  }
}
