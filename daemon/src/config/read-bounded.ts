/** Reads a file that the operator names, which may be anything: also one without an end. */
import { closeSync, openSync, readSync } from 'node:fs'

/** Settings, profiles and certificates have far less. */
const MAX_BYTES = 4_194_304
const CHUNK_BYTES = 65_536

/** The text of the file, which may be a pipe. Throws the system error, or one with a sentence for a file that is too large. */
export function readBounded(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const chunks: Buffer[] = []
    for (let bytes = 0; ; ) {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      const count = readSync(fd, chunk)
      if (count === 0) return Buffer.concat(chunks).toString('utf8')
      chunks.push(chunk.subarray(0, count))
      bytes += count
      if (bytes > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    }
  } finally {
    closeSync(fd)
  }
}
