/** Files that only this user may read: checked before reading, replaced as a whole so that a crash leaves the old or the new. */
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openingFailure, refused, refuseUnlessPrivate, SAFE_OPENING } from '@sallyport/core/storage/safe-folder'

const FILE_MODE = 0o600
/** No vault grows to this; something else lies there. */
const MAX_BYTES = 16 * 1024 * 1024

/** Folders cannot be synced elsewhere. */
const CAN_SYNC_FOLDERS = process.platform !== 'win32'

/** Undefined when there is none. Throws SERVICE_UNAVAILABLE when it is not a private file of this user. */
export async function readPrivateFile(file: string): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | SAFE_OPENING).catch((failure: unknown) => {
    const reason = openingFailure(file, failure)
    if (reason !== undefined) throw reason
  })
  if (handle === undefined) return undefined
  return withFile(handle, async () => {
    const found = await handle.stat()
    refuseUnlessPrivate(file, 'file', found)
    if (found.size > MAX_BYTES) throw refused(`${file} is too large to be what the bridge wrote; move it away.`)
    return handle.readFile()
  })
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
  if (CAN_SYNC_FOLDERS) await withFile(await open(dirname(file), 'r'), (handle) => handle.sync())
}

async function withFile<T>(handle: FileHandle, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}
