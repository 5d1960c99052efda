/** Compressed files of Linux packages, the same bytes each time. */
import { constants, gzipSync } from 'node:zlib'

/** Where the header has the system that made it, and the value for Unix. */
const SYSTEM = { at: 9, unix: 3 } as const

/** As `gzip -9n` does it: without name and time. */
export function gzipped(text: string | Buffer): Buffer {
  const bytes = gzipSync(text, { level: constants.Z_BEST_COMPRESSION })
  bytes[SYSTEM.at] = SYSTEM.unix
  return bytes
}
