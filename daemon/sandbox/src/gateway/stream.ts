/** One websocket as the gateway writes to it: plain, or through a compressor that lives as long as the connection. */
import { constants, createDeflate, createZstdCompress } from 'node:zlib'
import type { WebSocket } from 'ws'
import { UNSENT_MAX_BYTES } from './limits.ts'

export const COMPRESSIONS = ['none', 'zlib-stream', 'zstd-stream'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** What a connection needs of its peer. */
export interface Peer {
  send(text: string): void
  /** After everything that was sent. */
  close(code: number, reason: string): void
  /** At once and without a word, as when a cable is pulled. */
  drop(): void
}

/** Every message ends with a flush, so that the client can read it without waiting for the next. */
const compressorOf = {
  'zlib-stream': () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
} as const

const isOverfull = (socket: WebSocket): boolean => socket.bufferedAmount > UNSENT_MAX_BYTES

export function peerOf(socket: WebSocket, compression: Compression): Peer {
  const drop = () => socket.terminate()
  if (compression !== 'none') return compressedPeer(socket, compressorOf[compression](), drop)
  return {
    send(text) {
      if (isOverfull(socket)) drop()
      else socket.send(text)
    },
    close: (code, reason) => socket.close(code, reason),
    drop,
  }
}

type Compressor = ReturnType<(typeof compressorOf)[keyof typeof compressorOf]>

function compressedPeer(socket: WebSocket, compressor: Compressor, drop: () => void): Peer {
  let chunks: Buffer[] = []
  let waiting = 0
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk))
  compressor.on('error', drop)
  socket.once('close', () => compressor.destroy())
  /** The compressor takes one text after the other, so what has come out since the last one belongs to this one. */
  const flushed = (): void => {
    waiting -= 1
    const bytes = Buffer.concat(chunks)
    chunks = []
    if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: true })
  }
  let closing: (() => void) | undefined
  return {
    send(text) {
      if (isOverfull(socket) || compressor.writableLength > UNSENT_MAX_BYTES) return drop()
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
    drop,
  }
}
