/** Hashes of program files, cached per file and change. */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { createHash, type Hash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { hasIdentity } from './file-identity.ts'
import type { ProcessHandle } from './process-handle.ts'
import { type ProgramFacts, withoutNamespace } from './program.ts'

/** Hashes the files of a program. */
export interface ProgramContents {
  /** SHA-256 in hexadecimal; for a script: the interpreter's, a plus sign, and the script's (in Wine: the pipe bridge's, the program's and the loader's). Undefined when a file cannot be read or has changed. */
  of(program: ProgramFacts & { readonly process?: ProcessHandle }): Promise<string | undefined>
}

/** Cached hashes; the oldest are evicted first. */
const MAX_CACHED = 256
/** Larger files are not hashed, because it takes too long. */
const MAX_BYTES = 2_147_483_648n
const CHUNK_BYTES = 1_048_576
/** O_NONBLOCK: a named pipe in place of the file must not block. Windows does not have it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

interface HashedFile {
  /** Path to open: for a running program the running file, not the current file at its path. */
  readonly path: string
  /** Required identity of the file. */
  readonly file: string
}

function filesOf({
  kind = 'native',
  executable,
  file,
  interpreter,
  loader,
  process,
}: ProgramFacts & { readonly process?: ProcessHandle }): readonly HashedFile[] {
  if (executable === undefined || file === undefined) return []
  const runs = (path: string): string => (process?.imagePath === undefined ? path : process.imagePath)
  if (kind === 'script' && interpreter !== undefined) {
    return [
      { path: runs(interpreter.executable), file: interpreter.file },
      { path: executable, file },
    ]
  }
  if (kind === 'wine' && interpreter !== undefined && loader !== undefined) {
    return [
      { path: interpreter.executable, file: interpreter.file },
      { path: executable, file },
      { path: runs(loader.executable), file: loader.file },
    ]
  }
  return kind === 'native' || kind === 'container' ? [{ path: runs(executable), file: withoutNamespace(file) }] : []
}

export function programContents(): ProgramContents {
  const known = new BoundedMap<string, Promise<string | undefined>>(MAX_CACHED)
  const hashOf = ({ path, file }: HashedFile): Promise<string | undefined> => {
    const found = known.get(file)
    if (found !== undefined) return found
    const hashed = hashFile(path, file).catch(() => undefined)
    known.set(file, hashed)
    // A failure is not cached.
    void hashed.then((hash) => hash ?? known.delete(file))
    return hashed
  }
  return {
    async of(program) {
      const sources = filesOf(program)
      const hashes: string[] = []
      for (const source of sources) {
        const hash = await hashOf(source)
        if (hash === undefined) return undefined
        hashes.push(hash)
      }
      return hashes.length === 0 ? undefined : hashes.join('+')
    },
  }
}

const isUnchanged = (stats: BigIntStats, file: string): boolean => stats.isFile() && stats.size <= MAX_BYTES && hasIdentity(stats, file)

/** Of a file on a read-only device, and on Windows for a reader. */
const NOT_WRITTEN: ReadonlySet<unknown> = new Set(['EINVAL', 'EROFS', 'EPERM'])

/**
 * Ends the writes that have begun. A program that had changed a mapped page could change it again without another ctime, until the page is
 * written to the disk.
 */
async function settle(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync()
  } catch (failure) {
    if (!NOT_WRITTEN.has((failure as NodeJS.ErrnoException).code)) throw failure
  }
}

async function hashFile(path: string, file: string): Promise<string | undefined> {
  const handle = await open(path, READ)
  try {
    await settle(handle)
    if (!isUnchanged(await handle.stat({ bigint: true }), file)) return undefined
    const hash = await hashAll(handle, createHash('sha256'))
    return isUnchanged(await handle.stat({ bigint: true }), file) ? hash.digest('hex') : undefined
  } finally {
    await handle.close()
  }
}

async function hashAll(handle: FileHandle, hash: Hash): Promise<Hash> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES)
    if (bytesRead === 0) return hash
    hash.update(bytesRead === CHUNK_BYTES ? chunk : chunk.subarray(0, bytesRead))
  }
}
