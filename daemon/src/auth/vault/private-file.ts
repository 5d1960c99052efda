/** Files that only this user may read: checked before reading, replaced as a whole so that a crash leaves the old or the new. */
import { type FileHandle, lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BridgeError } from '../../core/errors.ts'
import { makePrivateDirectory } from '../../storage/private-directory.ts'

const FILE_MODE = 0o600
const OTHERS = 0o077
/** No vault grows to this; something else lies there. */
const MAX_BYTES = 16 * 1024 * 1024

/** Access rights are not in mode bits there, and directories cannot be synced. */
const HAS_MODES = process.platform !== 'win32'

/** Makes the directory, or checks the one that is there. Throws SERVICE_UNAVAILABLE when others may enter it. */
export async function openPrivateDirectory(directory: string): Promise<void> {
  makePrivateDirectory(directory)
  await refuseShared(directory, 'directory', 'chmod 700')
}

/** Undefined when there is none. Throws SERVICE_UNAVAILABLE when it is not a private file of this user. */
export async function readPrivateFile(file: string): Promise<Buffer | undefined> {
  if (!(await refuseShared(file, 'file', 'chmod 600'))) return undefined
  return readFile(file)
}

/** Resolves when the new content would survive a crash; until then the old stays readable. One caller at a time per file. */
export async function replacePrivateFile(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.new`
  // Left by a process that died while writing it.
  await rm(draft, { force: true })
  await withFile(await open(draft, 'wx', FILE_MODE), async (handle) => {
    await handle.writeFile(bytes)
    await handle.sync()
  })
  await rename(draft, file)
  // Without this the new name may be lost with the power, though its content is not.
  if (HAS_MODES) await withFile(await open(dirname(file), 'r'), (handle) => handle.sync())
}

async function withFile(handle: FileHandle, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}

/** False when nothing is there. */
async function refuseShared(path: string, kind: 'file' | 'directory', remedy: string): Promise<boolean> {
  const found = await lstat(path).catch((failure: unknown) => {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return undefined
    throw refused(`${path} cannot be looked at; check who owns it.`, failure)
  })
  if (found === undefined) return false
  if (kind === 'file' ? !found.isFile() : !found.isDirectory()) throw refused(`${path} is not a ${kind}; move it away.`)
  if (kind === 'file' && found.size > MAX_BYTES) throw refused(`${path} is too large to be what the bridge wrote; move it away.`)
  if (!HAS_MODES) return true
  if (found.uid !== process.getuid?.()) throw refused(`${path} belongs to another user; tokens are not kept there.`)
  if ((found.mode & OTHERS) !== 0) throw refused(`Others may read ${path}; if nobody did, run: ${remedy} '${path}'`)
  return true
}

export const refused = (message: string, cause?: unknown): BridgeError => new BridgeError('SERVICE_UNAVAILABLE', message, {}, { cause })
