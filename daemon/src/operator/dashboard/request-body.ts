/** Reads the small body of a request. */
import type { IncomingMessage } from 'node:http'

/** As much as a game may send in one message. */
const MAX_BYTES = 65_536

/** The JSON of a body. Undefined: it is too large, no JSON, or ended early. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > MAX_BYTES) return undefined
      parts.push(part)
    }
    return JSON.parse(Buffer.concat(parts).toString()) as unknown
  } catch {
    return undefined
  }
}
