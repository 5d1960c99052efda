/** Files that commands make for the user. */
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { SAFE_OPEN_FLAGS } from '@sallyport/core/storage/safe-folder'
import { SettingsError } from '../config/settings-error.ts'

const PRIVATE_MODE = 0o600

/** Creates a file that only this user can read. Returns its descriptor. Throws SettingsError if it exists, or cannot be created. */
export function openNewFile(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | SAFE_OPEN_FLAGS, PRIVATE_MODE)
  } catch (failure) {
    throw new SettingsError(`Cannot create ${path} (${(failure as Error).message}). Name a new file in a folder of yours.`)
  }
}

/** `openNewFile`, with this text. */
export function writeNewFile(path: string, text: string): void {
  const fd = openNewFile(path)
  try {
    writeFileSync(fd, text)
  } finally {
    closeSync(fd)
  }
}
