/** Reads a whole request body, with limits of size and time. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@sallyport/core/clock'
import { BODY_DEADLINE_MS, BODY_MAX_BYTES, UPLOAD_MAX_BYTES } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { isMultipart } from './multipart.ts'

/** Rejects with tooLarge, or with a plain error when the client disconnects or is too slow. */
export async function readBody(incoming: IncomingMessage, clock: Clock): Promise<Buffer> {
  const most = isMultipart(incoming.headers) ? UPLOAD_MAX_BYTES : BODY_MAX_BYTES
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw new PlatformError('tooLarge')
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return Buffer.alloc(0)
  const cancel = clock.after(BODY_DEADLINE_MS, () => incoming.destroy(new Error('the body took too long')))
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > most) throw new PlatformError('tooLarge')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    cancel()
  }
}
