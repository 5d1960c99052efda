/** Reads the log file and what is added to it, also when the daemon begins a new file. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { previousFile } from '@sallyport/core/storage/rotating-file'
import { openPrivateFolder, withPrivateFile } from '@sallyport/core/storage/safe-folder'

const CHUNK_BYTES = 65_536

/** What a file has from `position` on. */
function readFrom(fd: number, position: number): Buffer {
  const chunks: Buffer[] = []
  for (let at = position; ; ) {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    const count = readSync(fd, chunk, 0, CHUNK_BYTES, at)
    if (count === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, count))
    at += count
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** The lines of both files, the oldest first. Throws SERVICE_UNAVAILABLE if one is not a private file. */
export const storedLines = (file: string): readonly string[] =>
  [previousFile(file), file].flatMap((path) => linesOf(withPrivateFile(path, 0, (fd) => readFrom(fd, 0))?.toString('utf8') ?? ''))

/** Calls `onLine` for each line that is added from now on. */
export function followLog(file: string, onLine: (line: string) => void) {
  openPrivateFolder(dirname(file))
  let fd = existsSync(file) ? openSync(file, 'r') : undefined
  let position = fd === undefined ? 0 : fstatSync(fd).size
  let rest = Buffer.alloc(0)
  const readOn = (): void => {
    if (fd === undefined) return
    const added = readFrom(fd, position)
    position += added.length
    const all = Buffer.concat([rest, added])
    // A line that is not complete waits for its end.
    const end = all.lastIndexOf('\n') + 1
    rest = all.subarray(end)
    linesOf(all.subarray(0, end).toString('utf8')).forEach(onLine)
  }
  const look = (): void => {
    readOn()
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined || (fd !== undefined && fstatSync(fd).ino === found.ino)) return
    if (fd !== undefined) closeSync(fd)
    fd = openSync(file, 'r')
    position = 0
    readOn()
  }
  const watcher = watch(dirname(file), (_, name) => {
    if (name === null || name === basename(file)) look()
  })
  return {
    close(): void {
      watcher.close()
      if (fd !== undefined) closeSync(fd)
    },
  }
}
