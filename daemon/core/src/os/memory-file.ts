/**
 * A sealed anonymous file in memory (Linux). It cannot be modified, so the system loads exactly the bytes that were checked.
 */
import { closeSync, writeSync } from 'node:fs'

const MFD_CLOEXEC = 1
const MFD_ALLOW_SEALING = 2
const F_ADD_SEALS = 1033
/** F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
const SEALS = 0b1111

/** Calls `use` with the path of a file with these bytes, valid during the call. Throws if the system has no such files. */
export function withMemoryFile<T>(bytes: Buffer, use: (path: string) => T): T {
  const { memfd_create, fcntl } = process.getBuiltinModule('node:ffi').dlopen(null, {
    memfd_create: { arguments: ['buffer', 'uint32'], return: 'int32' },
    fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
  }).functions
  const fd = memfd_create(Buffer.from('sallyport\0'), MFD_CLOEXEC | MFD_ALLOW_SEALING)
  if (fd < 0) throw new Error('this system does not support memory files')
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    if (fcntl(fd, F_ADD_SEALS, SEALS) !== 0) throw new Error('a memory file could not be sealed')
    return use(`/proc/self/fd/${fd}`)
  } finally {
    closeSync(fd)
  }
}
