/**
 * A file that has no name and lies in memory, on Linux: what was written into it cannot be changed by anybody, so that the bytes which were
 * checked are the bytes which the system loads.
 */
import { closeSync, writeSync } from 'node:fs'

const MFD_CLOEXEC = 1
const MFD_ALLOW_SEALING = 2
const F_ADD_SEALS = 1033
/** No seal more, no shrinking, no growing, no writing. */
const SEALS = 0b1111

/** Calls `use` with a path that leads to a file with these bytes for as long as the call lasts. Throws when the system has no such files. */
export function withMemoryFile<T>(bytes: Buffer, use: (path: string) => T): T {
  const { memfd_create, fcntl } = process.getBuiltinModule('node:ffi').dlopen(null, {
    memfd_create: { arguments: ['buffer', 'uint32'], return: 'int32' },
    fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
  }).functions
  const fd = memfd_create(Buffer.from('sallyport\0'), MFD_CLOEXEC | MFD_ALLOW_SEALING)
  if (fd < 0) throw new Error('this system makes no files in memory')
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    if (fcntl(fd, F_ADD_SEALS, SEALS) !== 0) throw new Error('a file in memory could not be closed to changes')
    return use(`/proc/self/fd/${fd}`)
  } finally {
    closeSync(fd)
  }
}
