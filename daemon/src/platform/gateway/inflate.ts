/** Unpacks what the gateway sends: one compressed stream over a whole connection, cut into messages. Bounded, however much a small message grows. */
import { constants, createInflate, createZstdDecompress, type Inflate, type ZstdDecompress } from 'node:zlib'
import { LIMITS } from '@sallyport/protocol'
import type { GatewayCompression } from './socket.ts'

export interface Inflater {
  /** Gives a whole message; undefined when more must come. Rejects when it cannot be unpacked or is too large; then all is lost. One at a time. */
  readonly push: (chunk: Buffer) => Promise<string | undefined>
  readonly close: () => void
}

/** Ends a message of zlib-stream. */
const SUFFIX = Buffer.from([0x00, 0x00, 0xff, 0xff])
/** Of zstd: 16 MiB, which a sender may make us hold. */
const WINDOW_LOG_MAX = 24

const open: Readonly<Record<Exclude<GatewayCompression, 'none'>, () => Inflate | ZstdDecompress>> = {
  'zlib-stream': () => createInflate({ flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } }),
}

export function createInflater(compress: Exclude<GatewayCompression, 'none'>): Inflater {
  const stream = open[compress]()
  let parts: Buffer[] = []
  let bytes = 0
  let tail = Buffer.alloc(0)
  let broken: Error | undefined
  stream.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes <= LIMITS.gatewayMessageBytes.value) return void parts.push(part)
    broken = Object.assign(new RangeError('larger than a message may be'), { code: 'MESSAGE_TOO_LARGE' })
    stream.destroy()
  })
  stream.on('error', (failure: Error) => {
    broken ??= failure
  })

  const write = (chunk: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(broken ?? new Error('the stream has ended'))
      if (stream.closed) return fail()
      stream.once('close', fail)
      stream.write(chunk, (failure) => {
        // Else the stream is about to close, and says why then.
        if (failure != null) return
        stream.off('close', fail)
        if (broken === undefined) resolve()
        else fail()
      })
    })

  /** In zstd-stream a message of the socket is a whole one; in zlib-stream the suffix says so. */
  const isWhole = (chunk: Buffer): boolean => {
    if (compress === 'zstd-stream') return true
    tail = Buffer.concat([tail, chunk]).subarray(-SUFFIX.length)
    return tail.equals(SUFFIX)
  }

  return {
    async push(chunk) {
      await write(chunk)
      if (!isWhole(chunk)) return undefined
      const text = Buffer.concat(parts).toString('utf8')
      parts = []
      bytes = 0
      tail = Buffer.alloc(0)
      return text
    },
    close: () => void stream.destroy(),
  }
}
