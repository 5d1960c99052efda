/** The websocket of one client, uncompressed or with one compressor per connection. */
import { constants, createDeflate, createZstdCompress } from 'node:zlib'
import type { WebSocket } from 'ws'
import { UNSENT_MAX_BYTES } from './limits.ts'

export const COMPRESSIONS = ['none', 'zlib-stream', 'zstd-stream'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** The part of a websocket that a connection uses. */
export interface ClientSocket {
  send(text: string): void
  /** Closes after all sent texts are written. */
  close(code: number, reason: string): void
  /** Terminates at once without a close frame. */
  terminate(): void
}

/** Every message ends with a flush, so that the client can decode it before the next one. */
const compressorOf = {
  'zlib-stream': () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
} as const

const isOverfull = (socket: WebSocket): boolean => socket.bufferedAmount > UNSENT_MAX_BYTES

export function openClientSocket(socket: WebSocket, compression: Compression): ClientSocket {
  const terminate = () => socket.terminate()
  if (compression !== 'none') return compressedSocket(socket, compressorOf[compression](), terminate)
  return {
    send(text) {
      if (isOverfull(socket)) terminate()
      else socket.send(text)
    },
    close: (code, reason) => socket.close(code, reason),
    terminate,
  }
}

type Compressor = ReturnType<(typeof compressorOf)[keyof typeof compressorOf]>

function compressedSocket(socket: WebSocket, compressor: Compressor, terminate: () => void): ClientSocket {
  let chunks: Buffer[] = []
  let waiting = 0
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk))
  compressor.on('error', terminate)
  socket.once('close', () => compressor.destroy())
  /** The compressor handles one text after the other, so its output since the last flush belongs to this text. */
  const flushed = (): void => {
    waiting -= 1
    const bytes = Buffer.concat(chunks)
    chunks = []
    if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: true })
  }
  let closing: (() => void) | undefined
  return {
    send(text) {
      if (isOverfull(socket) || compressor.writableLength > UNSENT_MAX_BYTES) return terminate()
      waiting += 1
      compressor.write(text, (failure) => {
        if (failure != null) return
        flushed()
        if (waiting === 0) closing?.()
      })
    },
    close(code, reason) {
      closing = () => socket.close(code, reason)
      if (waiting === 0) closing()
    },
    terminate,
  }
}
