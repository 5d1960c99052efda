/** Files that only this user may read: checked before reading and replaced atomically. */
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openError, unavailable, assertPrivate, SAFE_OPEN_FLAGS } from '@sallyport/core/storage/safe-folder'

const FILE_MODE = 0o600
/** Larger files are not vaults. */
const MAX_BYTES = 16 * 1024 * 1024

/** Windows cannot sync folders. */
const CAN_SYNC_FOLDERS = process.platform !== 'win32'

/** Undefined when there is none. Throws SERVICE_UNAVAILABLE when it is not a private file of this user. */
export async function readPrivateFile(file: string): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | SAFE_OPEN_FLAGS).catch((failure: unknown) => {
    const reason = openError(file, failure)
    if (reason !== undefined) throw reason
  })
  if (handle === undefined) return undefined
  return withFile(handle, async () => {
    const found = await handle.stat()
    assertPrivate(file, 'file', found)
    if (found.size > MAX_BYTES) throw unavailable(`${file} is too large to be what the bridge wrote; move it away.`)
    return handle.readFile()
  })
}

/** Resolves once the new content would survive a crash; until then the old stays readable. Calls for one file must not overlap. */
export async function replacePrivateFile(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.new`
  // A process may have died while writing it.
  await rm(draft, { force: true })
  await withFile(await open(draft, 'wx', FILE_MODE), async (handle) => {
    await handle.writeFile(bytes)
    await handle.sync()
  })
  await rename(draft, file)
  // Without this a power failure may lose the new name, although not the content.
  if (CAN_SYNC_FOLDERS) await withFile(await open(dirname(file), 'r'), (handle) => handle.sync())
}

async function withFile<T>(handle: FileHandle, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}
