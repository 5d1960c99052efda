/** Internals of a Node socket that have no public API: its file descriptor, starting and stopping reads, and the buffer that it reads into. */
import type { Socket } from 'node:net'

interface Handle {
  readonly fd?: number
  /** Whether Node is reading. */
  reading?: boolean
  readStart(): unknown
  readStop(): unknown
  /** All later reads go into this buffer. */
  useUserBuffer?(buffer: Uint8Array): void
}

/** Undefined when the socket is closed. */
export const handleOf = (socket: Socket): Handle | undefined => (socket as Socket & { _handle?: Handle | null })._handle ?? undefined

/** The file descriptor; -1 for named pipes, which have none. */
export const descriptorOf = (socket: Socket): number => handleOf(socket)?.fd ?? -1

interface BufferKeys {
  /** The buffer that all reads go into. */
  readonly buffer: symbol
  /** A function that is called, as a method of the socket, with the number of bytes after each read, and with the buffer. */
  readonly callback: symbol
}

/** Undefined where this Node keeps them elsewhere. */
function bufferKeysOf(socket: Socket): BufferKeys | undefined {
  const symbols = Object.getOwnPropertySymbols(socket)
  const [buffer, callback] = ['kBuffer', 'kBufferCb'].map((name) => symbols.find(({ description }) => description === name))
  return buffer === undefined || callback === undefined ? undefined : { buffer, callback }
}

function emitRead(this: Socket, bytes: number, buffer: Buffer): void {
  this.emit('data', buffer.subarray(0, bytes))
}

/** As much as libuv reads at once. */
const READ_BYTES = 64 * 1024

/**
 * A buffer that sockets read into, to emit `data` with a view of it. They share it, because each read is over before the next one. Otherwise each
 * read leaves 64 KiB of garbage, and a peer that sends much makes more of it than the collector takes away. Node offers this at the construction
 * of a socket only (`onread`), and a server constructs its own. Where this Node keeps it elsewhere, nothing changes.
 */
export class ReadBuffer {
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  /** Looked up once: all sockets have the same. */
  #keys: BufferKeys | undefined

  /** From now on the socket reads into it. */
  take(socket: Socket): void {
    // On Windows a read may be under way while another socket reads.
    if (process.platform === 'win32') return
    if (socket.readableLength === 0) return this.#give(socket)
    // What the socket has read before must not be overtaken.
    const onData = (): void => {
      if (socket.readableLength > 0) return
      socket.off('data', onData)
      this.#give(socket)
    }
    socket.on('data', onData)
  }

  #give(socket: Socket): void {
    const handle = handleOf(socket)
    this.#keys ??= bufferKeysOf(socket)
    if (handle?.useUserBuffer === undefined || this.#keys === undefined) return
    const { buffer, callback } = this.#keys
    const fields = socket as unknown as Record<symbol, unknown>
    // Null where nothing is set: a socket that has a buffer keeps it.
    if (fields[buffer] !== null || fields[callback] !== null) return
    handle.useUserBuffer(this.#buffer)
    fields[buffer] = this.#buffer
    fields[callback] = emitRead
  }
}
