/** A random token, without node:crypto, whose loading is a tenth of the daemon's start. */
import { closeSync, openSync, readSync } from 'node:fs'

const BYTES = 24
/** The random numbers of the kernel; not on Windows. */
const SOURCE = '/dev/urandom'

/** 192 random bits in base64url. */
export function randomToken(): string {
  if (process.platform === 'win32') return process.getBuiltinModule('node:crypto').randomBytes(BYTES).toString('base64url')
  const bytes = Buffer.alloc(BYTES)
  const fd = openSync(SOURCE, 'r')
  try {
    // A device never returns fewer bytes than asked for, up to 256.
    if (readSync(fd, bytes) !== BYTES) throw new Error(`${SOURCE} returned too few bytes`)
  } finally {
    closeSync(fd)
  }
  return bytes.toString('base64url')
}
