/** A regular local file for upload. It is checked once and read for each attempt. No descriptor stays open in between. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { BridgeError } from '@sallyport/core/errors'
import type { OutgoingFile } from './forwarder-port.ts'

/** Non-blocking, so that a named pipe that replaced the file cannot block. Windows has no such flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const CHUNK_BYTES = 65_536

/** `field` is the argument with the path. Rejects with INVALID_PAYLOAD if the file cannot be sent. */
export async function openLocalFile(path: string, field: string): Promise<Pick<OutgoingFile, 'bytes' | 'chunks'>> {
  const refuse = (what: string, cause?: unknown): BridgeError =>
    new BridgeError('INVALID_PAYLOAD', `"${field}" ${what}.`, { path: field }, { cause })
  if (!isAbsolute(path) || path.includes('\0')) throw refuse('must be an absolute path')
  const opened = async (): Promise<{ handle: FileHandle; stats: Stats }> => {
    try {
      // Checked before opening, because opening a device can have side effects.
      if (!(await stat(path)).isFile()) throw refuse('must name a regular file')
      const handle = await open(path, READ)
      return { handle, stats: await handle.stat() }
    } catch (failure) {
      throw failure instanceof BridgeError ? failure : refuse(`cannot be read (${codeOf(failure)})`, failure)
    }
  }

  const first = await opened()
  await first.handle.close()
  const before = first.stats
  const isSame = ({ dev, ino, size, mtimeMs }: Stats): boolean =>
    dev === before.dev && ino === before.ino && size === before.size && mtimeMs === before.mtimeMs
  return {
    bytes: before.size,
    async *chunks() {
      const { handle, stats } = await opened()
      try {
        if (!isSame(stats)) throw refuse('changed before it was sent; call again')
        let left = before.size
        while (left > 0) {
          const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES)))
          if (bytesRead === 0) throw refuse('became shorter during the upload; call again')
          left -= bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await handle.close()
      }
    },
  }
}

const codeOf = (failure: unknown): string => (failure as NodeJS.ErrnoException).code ?? 'unknown reason'
