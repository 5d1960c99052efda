/** What node:net opens, in the network of the simulated machine. Servers of node:http are servers of node:net. */
import net from 'node:net'
import type { ConnectOptions, Network } from './network.ts'
import { type Address, systemError, type VirtualSocket } from './socket.ts'

/** A port that is taken and does not listen yet. */
class VirtualBoundSocket {
  readonly #port: number
  constructor(network: Network, port: number) {
    this.#port = port === 0 ? network.freePort() : port
  }
  address() {
    return { address: '127.0.0.1', family: 'IPv4', port: this.#port }
  }
  close(): void {}
}

type ListenArgument = number | string | VirtualBoundSocket | (() => void) | { readonly port?: number; readonly path?: string } | undefined

function addressIn(given: readonly ListenArgument[]): Address {
  const [first] = given
  if (first instanceof VirtualBoundSocket) return first.address().port
  if (typeof first === 'object') return first.path ?? first.port ?? 0
  return typeof first === 'string' ? first : typeof first === 'number' ? first : 0
}

/** The port may be text, as it stands in a URL. */
type Given = Omit<ConnectOptions, 'port'> & { readonly port?: number | string }

function optionsIn([first]: readonly unknown[]): ConnectOptions {
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { path: first }
  const { port, ...rest } = typeof first === 'object' && first !== null ? (first as Given) : { port: Number(first) }
  return port === undefined ? rest : { ...rest, port: Number(port) }
}

export function replaceNetwork(network: () => Network): void {
  const prototype = net.Server.prototype
  Object.defineProperty(prototype, 'listening', {
    configurable: true,
    get(this: net.Server) {
      return network().isListening(this)
    },
    set() {},
  })
  Object.assign(prototype, {
    listen(this: net.Server, ...given: ListenArgument[]) {
      const done = given.find((one) => typeof one === 'function')
      if (done !== undefined) this.once('listening', done)
      network().listen(this, addressIn(given))
      return this
    },
    close(this: net.Server & { connectionsOpen?: number }, done?: (failure?: Error) => void) {
      if (!network().unlisten(this)) {
        if (done !== undefined) process.nextTick(() => done(systemError('ERR_SERVER_NOT_RUNNING', 'close')))
        return this
      }
      if (done !== undefined) this.once('close', done)
      if ((this.connectionsOpen ?? 0) === 0) process.nextTick(() => this.emit('close'))
      else this.once('drained', () => this.emit('close'))
      return this
    },
    address(this: net.Server) {
      const address = network().addressOf(this)
      return typeof address === 'number' ? { address: '127.0.0.1', family: 'IPv4', port: address } : (address ?? null)
    },
    ref(this: net.Server) {
      return this
    },
    unref(this: net.Server) {
      return this
    },
  })
  const connect = (...given: unknown[]): VirtualSocket => {
    const socket = network().connect(optionsIn(given))
    const done = given.find((one) => typeof one === 'function') as (() => void) | undefined
    if (done !== undefined) socket.once('connect', done)
    return socket
  }
  Object.assign(net, {
    connect,
    createConnection: connect,
    BoundSocket: function (options: { readonly port: number }) {
      return new VirtualBoundSocket(network(), options.port)
    },
  })
}
