/** Where the log of the bridge is, and its last lines. */
import { constants, fstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { withPrivateFile } from './safe-folder.ts'

export const logFile = (dataDir: string): string => join(dataDir, 'log', 'sallyport.log')

const TAIL_BYTES = 128 * 1024

/** The last lines of the current file, the oldest first. Throws SERVICE_UNAVAILABLE if it is not a private file. */
export function lastLogLines(dataDir: string): readonly string[] {
  const text = withPrivateFile(logFile(dataDir), constants.O_RDONLY, (fd) => {
    const { size } = fstatSync(fd)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length)
    const read = bytes.toString('utf8', 0, count)
    // The first line may be cut.
    return size > TAIL_BYTES ? read.slice(read.indexOf('\n') + 1) : read
  })
  return (text ?? '').split('\n').filter((line) => line !== '')
}
