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

const isUnset = (socket: Socket, key: symbol | undefined): key is symbol => key !== undefined && Reflect.get(socket, key) === null

/** As much as libuv reads at once. */
const READ_BYTES = 64 * 1024

/** A buffer for `readInto`. */
export const readBuffer = (): Buffer => Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * Lets a socket read into this buffer and emit `data` with a view of it. Sockets share a buffer, because each read is over before the next one.
 * Otherwise each read leaves 64 KiB of garbage, and a peer that sends much makes more of it than the collector takes away. Node offers this
 * at the construction of a socket only (`onread`), and a server constructs its own. Where this Node keeps it elsewhere, nothing changes.
 */
export function readInto(buffer: Buffer, socket: Socket): void {
  // On Windows a read may be under way while another socket reads.
  if (process.platform === 'win32') return
  if (socket.readableLength === 0) return useBuffer(buffer, socket)
  // What the socket has read before must not be overtaken.
  const onData = (): void => {
    if (socket.readableLength > 0) return
    socket.off('data', onData)
    useBuffer(buffer, socket)
  }
  socket.on('data', onData)
}

function useBuffer(buffer: Buffer, socket: Socket): void {
  const handle = handleOf(socket)
  const symbols = new Map(Object.getOwnPropertySymbols(socket).map((symbol) => [symbol.description, symbol]))
  const [ofBuffer, ofCallback] = [symbols.get('kBuffer'), symbols.get('kBufferCb')]
  if (handle?.useUserBuffer === undefined || !isUnset(socket, ofBuffer) || !isUnset(socket, ofCallback)) return
  handle.useUserBuffer(buffer)
  Reflect.set(socket, ofBuffer, buffer)
  Reflect.set(socket, ofCallback, (bytes: number) => void socket.emit('data', buffer.subarray(0, bytes)))
}
