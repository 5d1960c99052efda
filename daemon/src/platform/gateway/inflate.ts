/** Decompresses gateway messages: one stream per connection, split into messages. The output size is bounded. */
import { BUDGETS } from '@sallyport/core/budgets'
import { constants, createInflate, createZstdDecompress, type Inflate, type ZstdDecompress } from 'node:zlib'
import { type GatewayCompression, MESSAGE_TOO_LARGE } from './socket.ts'

export type Inflater = ReturnType<typeof createInflater>

/** End marker of a zlib-stream message. */
const SUFFIX = Buffer.from([0x00, 0x00, 0xff, 0xff])
/** zstd window limit: 16 MiB, the memory that a sender can make us allocate. */
const WINDOW_LOG_MAX = 24

const open: Readonly<Record<Exclude<GatewayCompression, 'none'>, () => Inflate | ZstdDecompress>> = {
  'zlib-stream': () => createInflate({ flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } }),
}

export function createInflater(compress: Exclude<GatewayCompression, 'none'>) {
  const stream = open[compress]()
  let parts: Buffer[] = []
  let bytes = 0
  let tail = Buffer.alloc(0)
  let broken: Error | undefined
  stream.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes <= BUDGETS.gatewayMessageBytes.value) return void parts.push(part)
    broken = Object.assign(new RangeError('message too large'), { code: MESSAGE_TOO_LARGE })
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
        // Otherwise the stream closes next, and `fail` rejects with its error.
        if (failure != null) return
        stream.off('close', fail)
        if (broken === undefined) resolve()
        else fail()
      })
    })

  /** With zstd-stream each socket message is complete; with zlib-stream the suffix marks the end. */
  const isComplete = (chunk: Buffer): boolean => {
    if (compress === 'zstd-stream') return true
    tail = Buffer.concat([tail, chunk]).subarray(-SUFFIX.length)
    return tail.equals(SUFFIX)
  }

  return {
    /** A complete message; undefined if incomplete. Rejects invalid or too large data, and is unusable then. Not concurrent. */
    async push(chunk: Buffer): Promise<Buffer | undefined> {
      await write(chunk)
      if (!isComplete(chunk)) return undefined
      const message = Buffer.concat(parts)
      parts = []
      bytes = 0
      tail = Buffer.alloc(0)
      return message
    },
    close: (): void => void stream.destroy(),
  }
}
