/** The content of program files as a hash, read once for each file and each change of it, and never on the path of a call. */
import { createHash, type Hash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { identityOf } from './file-identity.ts'
import type { HeldProcess } from './held-process.ts'
import { type ProgramFacts, withoutNamespace } from './program.ts'

/** Reads what a program is made of. */
export interface ProgramContents {
  /** SHA-256 in hexadecimal; for a script that of its interpreter, a plus sign, and its own. Undefined when it cannot be read as it was seen. */
  of(program: ProgramFacts & { readonly process?: HeldProcess }): Promise<string | undefined>
}

/** Hashes that are remembered; the oldest go first. */
const REMEMBERED = 256
/** What is larger is no program that somebody waits for. */
const MOST_BYTES = 2_147_483_648n
const CHUNK_BYTES = 1_048_576
/** A named pipe that took the file's place must not be waited for. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

interface Source {
  /** Where to open it: for a program that runs, the file that runs and not what lies at its path by now. */
  readonly path: string
  /** Identity that it must have. */
  readonly file: string
}

function sourcesOf({
  kind = 'native',
  executable,
  file,
  interpreter,
  process,
}: ProgramFacts & { readonly process?: HeldProcess }): readonly Source[] {
  if (executable === undefined || file === undefined) return []
  const runs = (path: string): string => (process?.imagePath === undefined ? path : process.imagePath)
  if (kind === 'script' && interpreter !== undefined) {
    return [
      { path: runs(interpreter.executable), file: interpreter.file },
      { path: executable, file },
    ]
  }
  return kind === 'native' || kind === 'container' ? [{ path: runs(executable), file: withoutNamespace(file) }] : []
}

export function programContents(): ProgramContents {
  const known = new Map<string, Promise<string | undefined>>()
  const hashOf = ({ path, file }: Source): Promise<string | undefined> => {
    const found = known.get(file)
    if (found !== undefined) return found
    const hashed = hashFile(path, file).catch(() => undefined)
    known.set(file, hashed)
    const [oldest] = known.keys()
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
    // What could not be read may be readable the next time.
    void hashed.then((hash) => hash ?? known.delete(file))
    return hashed
  }
  return {
    async of(program) {
      const sources = sourcesOf(program)
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

const isAsSeen = (stats: BigIntStats, file: string): boolean => stats.isFile() && stats.size <= MOST_BYTES && identityOf(stats) === file

async function hashFile(path: string, file: string): Promise<string | undefined> {
  const handle = await open(path, READ)
  try {
    if (!isAsSeen(await handle.stat({ bigint: true }), file)) return undefined
    const hash = await hashAll(handle, createHash('sha256'))
    return isAsSeen(await handle.stat({ bigint: true }), file) ? hash.digest('hex') : undefined
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
